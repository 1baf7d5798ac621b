import { wrongCommandLine } from '../context.ts'

export interface SearchOptions {
  readonly mine?: boolean
  readonly saved?: string | boolean
  readonly sharer?: string
  readonly param?: readonly string[]
  readonly order?: string
}

/** Columns of a search by the names of fields. Both kinds of server know these names. */
const ORDER_NAMES = new Map([
  ['id', 'bug_id'],
  ['status', 'bug_status'],
  ['severity', 'bug_severity'],
  ['summary', 'short_desc'],
  ['creator', 'reporter'],
  ['changed', 'changeddate'],
  ['last_change_time', 'changeddate'],
  ['created', 'opendate'],
  ['creation_time', 'opendate'],
])

const ROLES = ['assigned_to', 'reporter', 'qa_contact', 'cc']

/** The parameters of a search. Without anything to search for, open bugs are found. */
export function searchParams(words: readonly string[], options: SearchOptions): Record<string, unknown> {
  const { mine, saved, sharer, param = [], order } = options
  const params: Record<string, unknown> = {}
  if (words.length > 0) params.quicksearch = words.join(' ')
  if (typeof saved === 'string') params.savedsearch = saved
  if (sharer !== undefined) params.sharer_id = sharer
  if (mine) Object.assign(params, minePart())
  for (const [name, value] of param.map(nameAndValue)) params[name] = [...((params[name] as string[]) ?? []), value]
  const isNarrowed = ['quicksearch', 'savedsearch', ...param.map((it) => nameAndValue(it)[0])].some(
    (it) => it in params,
  )
  if (!isNarrowed) params.status = '__open__'
  params.order = orderText(order ?? '-changed')
  return params
}

/** Bugs in which the user has a role. */
function minePart() {
  const parts = ROLES.flatMap((role, at) => [
    [`f${at + 1}`, role],
    [`o${at + 1}`, 'equals'],
    [`v${at + 1}`, '%user%'],
  ])
  return { j_top: 'OR', ...Object.fromEntries(parts) }
}

export function nameAndValue(text: string): [name: string, value: string] {
  const at = text.indexOf('=')
  if (at < 1) throw wrongCommandLine(`${text} must be such as name=value.`)
  return [text.slice(0, at), text.slice(at + 1)]
}

/** `priority,-changed` as `priority,changeddate DESC`. */
function orderText(order: string): string {
  return order
    .split(',')
    .map((it) => it.trim())
    .filter((it) => it !== '')
    .map((it) => {
      const name = it.replace(/^-/, '')
      return `${ORDER_NAMES.get(name) ?? name}${it.startsWith('-') ? ' DESC' : ''}`
    })
    .join(',')
}
