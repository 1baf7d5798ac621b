// Which field of the form an error of the server is about.
import { restNameOf } from '../../../shared/bug-fields/field-names.ts'
import { itemsIn, type NewBug } from './new-bug.ts'

const BY_CODE: ReadonlyMap<number, string> = new Map([
  [103, 'alias'],
  [105, 'component'],
  [106, 'product'],
  [107, 'summary'],
  [114, 'description'],
  [116, 'depends_on'],
  [120, 'groups'],
  [129, 'flags'],
  [130, 'flags'],
  [131, 'flags'],
  [134, 'flags'],
])

/** Undefined when it is about the whole bug. */
export function refusedField(bug: NewBug, code: number, message: string): string | undefined {
  const known = BY_CODE.get(code)
  if (known !== undefined) return known
  const [, named = ''] = /^(?:The parameter )?(\w+)/.exec(message) ?? []
  const name = restNameOf(named)
  if (isField(bug, name)) return name
  return fieldWith(bug, (/“(.*?)”/.exec(message) ?? /bug ([^\s.]+)/.exec(message) ?? [])[1])
}

const TEXTS = ['product', 'component', 'version', 'summary', 'description'] as const

function isField(bug: NewBug, name: string) {
  return (TEXTS as readonly string[]).includes(name) || Object.hasOwn(bug.values, name)
}

/** The field that holds the value that was refused. */
function fieldWith(bug: NewBug, value: string | undefined): string | undefined {
  if (value === undefined || value === '') return undefined
  if (bug.flags.some(({ requestee }) => requestee === value)) return 'flags'
  const own = Object.entries(bug.values).find(([, text]) => text === value || itemsIn(text).includes(value))
  return own?.[0] ?? TEXTS.find((name) => bug[name] === value)
}
