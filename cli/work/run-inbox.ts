import type { Answer, ParamsOf } from '../../client/index.ts'
import { type Context, wrongCommandLine } from '../context.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { EXIT } from '../failures/exit-codes.ts'
import { orNotHere } from '../failures/rest-failures.ts'
import { objectsIn } from '../reading/objects-in.ts'
import { shownTime, shownValue } from '../reading/shown-value.ts'
import { onOneLine } from '../text/clean-text.ts'
import { rowOf, tableLines } from '../text/table.ts'

export interface InboxOptions {
  readonly state?: string
  readonly reason?: string
  readonly unread?: boolean
  readonly limit?: string
}

const WHAT = 'an inbox'

export async function runInboxList(options: InboxOptions, { output, connect }: Context) {
  const { client, name } = connect()
  const { state, reason, unread, limit } = options
  const params = { state, reason, limit, ...(unread && { unread: true }) } as ParamsOf<'GET /inbox'>
  const answer = await orNotHere(client.get('/inbox', params), name, WHAT)
  const columns = ['id', '', 'why', 'when', 'summary', 'what']
  const rows = (objectsIn(answer.entries, 'entries') as readonly Entry[]).map((entry) => [
    shownValue(entry.id),
    entry.is_unread ? '●' : '',
    shownValue(entry.reasons),
    shownTime(entry.time),
    shownValue(entry.summary),
    lastOf(entry),
  ])
  const table = () =>
    tableLines(
      columns,
      rows.map((row) => row.map((text, at) => ({ text, style: at === 0 ? ('cyan' as const) : undefined }))),
      output.width,
    )
  if (rows.length === 0) output.note('The inbox is empty.')
  await output.print(answer, output.isTerminal && rows.length > 0 ? table() : rows.map(rowOf))
  if (answer.total > rows.length) output.note(`${rows.length} of ${answer.total} entries.`)
}

type Entry = Answer<'GET /inbox'>['entries'][number]

/** What was done last, in one line. */
function lastOf({ last, requests }: Entry): string {
  if (typeof last !== 'object' || last === null) return ''
  const user = shownValue(last.user)
  const text = onOneLine(shownValue(last.comment))
  const fields = Array.isArray(last.changes) ? last.changes.map((it) => shownValue(it?.field_name)).join(', ') : ''
  const request = Array.isArray(requests) ? requests.find((it) => it?.setter === last.user) : undefined
  if (request !== undefined) return `${user} asks for ${shownValue(request.name)}${text === '' ? '' : `: ${text}`}`
  if (text !== '' || fields !== '') return `${user}: ${text || fields}`
  return `${user} ${last.comment_count === 0 ? 'filed it' : 'commented'}`
}

export interface PutAwayOptions {
  readonly all?: boolean
  readonly until?: string
}

/** Puts entries away, or brings them back. */
export async function runInboxChange(
  state: 'done' | 'snoozed' | 'open',
  ids: readonly string[],
  options: PutAwayOptions,
  { output, connect }: Context,
) {
  if ((ids.length === 0) !== (options.all === true)) throw wrongCommandLine('Name bugs, or give --all.')
  if (ids.some((id) => !/^\d{1,15}$/.test(id))) throw wrongCommandLine('The inbox is changed by numbers of bugs.')
  const { client, name } = connect()
  const which = options.all ? { reason: 'all' } : { ids: ids.map(Number) }
  const until = options.until === undefined ? {} : { snoozed_until: timeOf(options.until) }
  const answer = await orNotHere(client.put('/inbox', { ...which, state, ...until }), name, WHAT)
  const isNone = answer.changed.length === 0
  await output.confirm(answer, [
    isNone ? 'No entry of the inbox was changed.' : `${WORDS[state]}: ${answer.changed.join(', ')}.`,
    ...(isNone ? [] : [`Undo with: lacewing inbox undo ${answer.undo}`]),
  ])
}

const WORDS = { done: 'Done', snoozed: 'Snoozed', open: 'In the inbox again' }

export async function runInboxUndo(undo: string, { output, connect }: Context) {
  const { client, name } = connect()
  const answer = await orNotHere(client.post('/inbox/undo', { undo }), name, WHAT)
  if (answer.changed.length === 0)
    throw new CommandFailure('Nothing was undone: the code is older than an hour, or not one of yours.', EXIT.notFound)
  await output.confirm(answer, [`As before: ${answer.changed.join(', ')}.`])
}

const UNIT_SECONDS = new Map([
  ['h', 3600],
  ['d', 86_400],
  ['w', 604_800],
])

/** A time, or how long from now, such as 3h, 2d or 1w. */
export function timeOf(text: string): string {
  const [, count, unit = ''] = /^(\d{1,4})([hdw])$/.exec(text) ?? []
  const seconds = UNIT_SECONDS.get(unit)
  if (count !== undefined && seconds !== undefined)
    return new Date(Date.now() + Number(count) * seconds * 1000).toISOString()
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw wrongCommandLine(`${text} is not a time: write 3h, 2d, 1w, or 2030-01-31.`)
  return time.toISOString()
}
