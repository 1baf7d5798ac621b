import { type Context, wrongCommandLine } from '../context.ts'
import { EXIT } from '../failures/exit-codes.ts'
import { failureFor } from '../failures/rest-failures.ts'
import type { Connection } from '../servers/connection.ts'
import { linesOf } from '../text/clean-text.ts'
import { type Line, styled } from '../text/styled-line.ts'
import { padded } from '../text/text-width.ts'
import { readCodeLinks } from './code-links.ts'
import {
  readWholeBug,
  type ShownChange,
  type ShownComment,
  shownChange,
  shownComment,
  type WholeBug,
} from './read-bug.ts'
import { shownTime, shownValue, styleOf } from './shown-value.ts'

export interface ShowOptions {
  readonly comments?: string
  /** From --no-changes. */
  readonly changes?: boolean
}

const USUAL_COMMENTS = 20

export async function runShow(refs: readonly string[], options: ShowOptions, { output, connect }: Context) {
  const connection = connect()
  const newest = options.comments === undefined ? USUAL_COMMENTS : Number(options.comments)
  if (!/^\d{1,6}$/.test(options.comments ?? '0')) throw wrongCommandLine('--comments must be a whole number.')
  const [documents, lines]: [object[], Line[]] = [[], []]
  for (const ref of refs) {
    try {
      const whole = await readWholeBug(connection, ref, newest)
      const code = await readCodeLinks(connection, shownValue(whole.bug.id))
      const { bug, comments, history, attachments } = whole
      documents.push({ ...bug, comments, history, attachments, ...(code && { code }) })
      if (lines.length > 0) lines.push('')
      lines.push(...bugLines(whole, options.changes !== false), ...codeLines(code))
    } catch (fault) {
      const failure = failureFor(fault, connection.name)
      if (refs.length === 1 || failure.exitCode !== EXIT.notFound) throw failure
      output.complain(`${ref}: ${failure.message}`)
      documents.push({ ref, error: failure.message, reason: failure.reason })
      process.exitCode = failure.exitCode
    }
  }
  await output.print({ bugs: documents }, lines)
  await noteVisit(connection, documents)
}

/** So that the inbox knows that the bug was read. Whether that works does not matter. */
async function noteVisit(connection: Connection, documents: readonly object[]) {
  const ids = documents.flatMap((it) => ('id' in it && typeof it.id === 'number' ? it.id : []))
  if (connection.server.apiKey === undefined || !process.stdout.isTTY || ids.length === 0) return
  if (await connection.isLacewing())
    await connection.client.post('/bug_user_last_visit', { ids }).catch(() => undefined)
}

const ROWS: readonly (readonly [label: string, ...fields: string[]])[] = [
  ['Status', 'status', 'resolution', 'dupe_of'],
  ['Product', 'product', 'component', 'version'],
  ['Importance', 'priority', 'severity', 'type'],
  ['Milestone', 'target_milestone'],
  ['Assignee', 'assigned_to'],
  ['Reporter', 'creator'],
  ['QA contact', 'qa_contact'],
  ['CC', 'cc'],
  ['Keywords', 'keywords'],
  ['Flags', 'flags'],
  ['Depends on', 'depends_on'],
  ['Blocks', 'blocks'],
  ['See also', 'see_also'],
  ['Alias', 'alias'],
  ['URL', 'url'],
  ['Groups', 'groups'],
]
const LABEL_WIDTH = 12

export function bugLines(whole: WholeBug, hasChanges: boolean): Line[] {
  const { bug, comments, history, attachments } = whole
  const entries = [...comments.map(shownComment), ...(hasChanges ? history.map(shownChange) : [])]
  // The description stays first. Sorting keeps the order of equal times.
  entries.sort((a, b) => Number(isDescription(b)) - Number(isDescription(a)) || compare(a.time, b.time))
  return [
    [styled('bold', `Bug ${shownValue(bug.id)}: ${shownValue(bug.summary)}`)],
    ...ROWS.flatMap(([label, ...fields]) => rowLine(label, fields, bug)),
    ...otherLines(bug),
    [...label('Changed'), `${shownTime(bug.last_change_time)}, filed ${shownTime(bug.creation_time)}`],
    ...(attachments.length > 0
      ? ['', [styled('bold', 'Attachments')] as const, ...attachments.map(attachmentLine)]
      : []),
    ...entries.flatMap((entry): Line[] => [
      '',
      ...('changes' in entry ? changeLines(entry) : commentLines(entry)),
      ...(whole.isCut && isDescription(entry) ? CUT : []),
    ]),
  ]
}

const CUT: readonly Line[] = ['', [styled('muted', 'Older comments are left out: --comments 1000 shows more.')]]

const isDescription = (entry: ShownComment | ShownChange) => 'number' in entry && entry.number === 0
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const label = (text: string) => [styled('muted', padded(text, LABEL_WIDTH))]

function rowLine(title: string, fields: readonly string[], bug: WholeBug['bug']): Line[] {
  const values = fields
    .map((field) => ({ field, value: shownValue(bug[field]) }))
    .filter(({ value }) => value !== '' && value !== '---')
  if (values.length === 0) return []
  const parts = values.map(({ field, value }, at) =>
    styled(
      styleOf(field, bug[field], bug.is_open),
      `${at > 0 ? ' · ' : ''}${field === 'dupe_of' ? `of bug ${value}` : value}`,
    ),
  )
  return [[...label(title), ...parts]]
}

/** What is shown elsewhere, or says nothing to people. */
const NOT_SHOWN =
  /_detail$|^is_|_accessible$|^(?:id|summary|last_change_time|creation_time|update_token|comment_count)$/
const SAYS_NOTHING = new Set(['', '---', '0', 'false', 'All', 'Unspecified', 'Unclassified'])

/** All other fields that have a value, also custom ones and those of a newer server, by their names. */
function otherLines(bug: WholeBug['bug']): Line[] {
  const shown = new Set(ROWS.flatMap(([, ...fields]) => fields))
  return Object.entries(bug)
    .filter(([name]) => !shown.has(name) && !NOT_SHOWN.test(name))
    .map(([name, value]) => [name, shownValue(value)] as const)
    .filter(([, value]) => !SAYS_NOTHING.has(value))
    .flatMap(([name, value]) => linesOf(value).map((line, at): Line => [...label(at === 0 ? `${name} ` : ''), line]))
}

function attachmentLine(attachment: WholeBug['bug']): Line {
  const { id, file_name, content_type, size, summary, is_obsolete, is_private } = attachment
  const marks = [is_obsolete && 'obsolete', is_private && 'private'].filter(Boolean).join(', ')
  const about = `${shownValue(file_name)} (${shownValue(content_type)}, ${shownValue(size)} bytes)`
  const style = is_obsolete ? 'muted' : undefined
  return [
    styled('cyan', `  ${shownValue(id)}`),
    '  ',
    styled(style, `${shownValue(summary)}: ${about}${marks && `, ${marks}`}`),
  ]
}

function commentLines({ number, author, time, text, isPrivate, attachment }: ShownComment): Line[] {
  const title = number === 0 ? 'Description' : `Comment ${number}`
  const more = `${isPrivate ? ', private' : ''}${attachment === undefined ? '' : `, attachment ${attachment}`}`
  return [
    [styled('bold', title), styled('muted', ` by ${author}, ${shownTime(time)}`), styled('yellow', more)],
    ...linesOf(text),
  ]
}

function changeLines({ author, time, changes }: ShownChange): Line[] {
  return [
    [styled('muted', `${author} changed, ${shownTime(time)}`)],
    ...changes.map(({ field, removed, added }): Line => [styled('muted', `  ${changeText(field, removed, added)}`)]),
  ]
}

export function changeText(field: string, removed: string, added: string): string {
  if (removed === '') return `${field}: + ${added}`
  return added === '' ? `${field}: − ${removed}` : `${field}: ${removed} → ${added}`
}

function codeLines(code: readonly WholeBug['bug'][] | undefined): Line[] {
  if (code === undefined || code.length === 0) return []
  return ['', [styled('bold', 'Code')], ...code.map(codeLine)]
}

function codeLine(link: WholeBug['bug']): Line {
  const checks = shownValue(link.checks)
  const reviews = Array.isArray(link.reviews)
    ? link.reviews.map((it) => `, ${shownValue(it?.state)} by ${shownValue(it?.user)}`).join('')
    : ''
  const about = [link.title, link.url].map(shownValue).filter((text) => text !== '')
  const state = shownValue(link.state) || shownValue(link.kind)
  return [
    styled('cyan', `  ${shownValue(link.number)}`),
    ` ${about.join(' ')} `,
    styled('muted', `(${state}${checks === '' || checks === 'unknown' ? '' : `, checks ${checks}`}${reviews})`),
  ]
}
