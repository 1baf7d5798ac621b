import type { CallContext } from '../../access/call.ts'
import { loginFor, seesAddresses } from '../../access/visibility/reader-rights.ts'
import { viewerOf } from '../../access/visibility/visible-bugs.ts'
import { FIELDS_OF_PEOPLE } from '../../bug-fields/recorded-fields.ts'
import { keptFields } from '../../catalogue/fields/field-store.ts'
import { presentChange } from '../../changes/change-json.ts'
import { historyReader } from '../../changes/readable-history.ts'
import { withoutDomains } from '../../platform/dialects/sqlite-text-functions.ts'
import { LATEST_TIME } from '../../platform/time/clock.ts'
import { jsonOfAbout } from '../../platform/wire/json/json-text.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { ownBugAt } from '../links/see-also/see-also.ts'
import { hiddenAmong, idsOfRefs, missingBugError } from '../values/bug-refs.ts'
import { entriesInSlices, type HistoryRow, type ShownChange, valuesIn } from './history.ts'
import { aliasesOf, type HistoryRowOfBug, listHistory } from './history-store.ts'

type HistoryReadContext = Pick<CallContext, 'db' | 'caller' | 'settings' | 'catalogue' | 'baseUrl'>

/** The history of bugs that the caller may see, in the order of the references, each bug once. */
export async function getHistory(context: HistoryReadContext, refs: readonly string[], since = '') {
  const ids = await idsOfRefs(context.db, refs)
  const known = [...new Set(ids.values())].flatMap((id) => id ?? [])
  const { bugs: history, withAliases } = await readHistory(context, known, since)
  for (const [ref, id] of ids)
    if (id === undefined || !history.has(id)) throw await missingBugError(context.db, ref, id)
  const aliases = await aliasesOf(context.db, withAliases)
  const bugs = []
  for (const id of known)
    bugs.push({ id, alias: aliases.get(id) ?? [], history: await entriesInSlices(history.get(id) ?? []) })
  return jsonOfAbout(charactersOf(history.values()), { bugs })
}

function charactersOf(lines: Iterable<readonly HistoryRow[]>) {
  let characters = 0
  for (const rows of lines)
    for (const { removed, added } of rows) characters += CHARACTERS_OF_A_LINE + removed.length + added.length
  return characters
}

/** Estimated size of the JSON of a line without its values. */
const CHARACTERS_OF_A_LINE = 400

/** A line of history with all that was read of it, and its change in the form of the REST API. */
export interface ReadLine extends HistoryRowOfBug {
  change: ShownChange
}

/** The lines of history that the caller may see, by bug number, oldest first. */
export async function historyOfBugs(
  context: HistoryReadContext,
  ids: readonly number[],
  since = '',
  until = LATEST_TIME,
): Promise<Map<number, ReadLine[]>> {
  return (await readHistory(context, ids, since, until)).bugs
}

/** The same, with the numbers of the bugs that may have aliases. */
async function readHistory(context: HistoryReadContext, ids: readonly number[], since = '', until = LATEST_TIME) {
  const { db, settings } = context
  const bugs = new Map<number, ReadLine[]>()
  const withAliases: number[] = []
  const { namingBugs } = await context.catalogue(keptFields)
  for await (const rows of listHistory(db, settings, historyReader(context), ids, { since, until })) {
    for (const { bug_id, alias_bit } of rows) {
      if (bugs.has(bug_id)) continue
      bugs.set(bug_id, [])
      if (alias_bit !== 0) withAliases.push(bug_id)
    }
    const changes = rows.filter((row): row is HistoryRowOfBug => row.change_id !== null)
    for (const line of await readableLines(context, namingBugs, changes))
      bugs.get(line.bug_id)?.push({ ...line, change: presentChange(context.caller, line) })
  }
  for (const lines of bugs.values()) sortByTime(lines)
  return { bugs, withAliases }
}

/** The lines are usually in order. Only concurrent transactions can write a later line with an earlier time. */
function sortByTime(lines: HistoryRow[]) {
  lines.sort((one, other) => Number(one.at > other.at) - Number(one.at < other.at))
}

/** The lines without what the caller may not see: numbers of hidden bugs, and mail addresses. */
async function readableLines<Line extends Omit<HistoryRow, 'change'>>(
  context: HistoryReadContext,
  namingBugs: ReadonlySet<string>,
  lines: readonly Line[],
): Promise<Line[]> {
  const bugIn = (value: string) => idIn(value) ?? ownBugAt(value, context.baseUrl)
  const mentions = lines.filter((line) => namingBugs.has(line.field))
  if (mentions.length === 0) return lines.map((line) => forReader(context, line))
  const mentioned = mentions
    .flatMap((row) => [row.removed, row.added].flatMap(valuesIn))
    .flatMap((it) => bugIn(it) ?? [])
  const hidden = await hiddenAmong(context.db, context.settings, viewerOf(context.caller), [...new Set(mentioned)])
  const isShown = (value: string) => {
    const id = bugIn(value)
    return id === undefined || !hidden.has(id)
  }
  const visibleLines = (line: Line) => (namingBugs.has(line.field) ? withoutHidden(line, isShown) : [line])
  return lines.flatMap(visibleLines).map((line) => forReader(context, line))
}

/** The line without hidden bugs; no line if it has nothing else. */
function withoutHidden<Line extends Omit<HistoryRow, 'change'>>(
  row: Line,
  isShown: (value: string) => boolean,
): Line[] {
  const shown = (values: string) => valuesIn(values).filter(isShown).join(', ')
  const [removed, added] = [shown(row.removed), shown(row.added)]
  return removed === '' && added === '' ? [] : [{ ...row, removed, added }]
}

/** The line without the parts of mail addresses that the caller may not see. */
function forReader<Line extends Omit<HistoryRow, 'change'>>(context: HistoryReadContext, row: Line): Line {
  if (seesAddresses(context)) return row
  const who = loginFor(row.who, context)
  if (!FIELDS_OF_PEOPLE.has(row.field)) return { ...row, who }
  return { ...row, who, removed: withoutDomains(row.removed), added: withoutDomains(row.added) }
}
