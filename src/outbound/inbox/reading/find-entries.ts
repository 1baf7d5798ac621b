import type { ReasonName } from '../../../../shared/reasons.ts'
import type { CallContext } from '../../../access/call.ts'
import type { SignedIn } from '../../../access/caller.ts'
import { OWN_LIMITS } from '../../../access/own-limits.ts'
import { keptFields } from '../../../catalogue/fields/field-store.ts'
import { historyReader } from '../../../changes/readable-history.ts'
import { isTurnLong, laterTurn } from '../../../platform/monitoring/event-loop.ts'
import { fold } from '../../../platform/text/fold.ts'
import { secondsAgo, timeNow, toTime } from '../../../platform/time/clock.ts'
import { globalWatchers } from '../../mail/recipients/possible-mail.ts'
import { type InboxState, KEPT_DAYS, type Mark, reasonsIn, STATES, WATCHED_DAYS } from '../inbox-entry.ts'
import { type DueReminder, listDueReminders } from './due-reminder-store.ts'
import {
  type AskedRow,
  type EntryRow,
  listAsked,
  listEntries,
  listNews,
  type NewsParams,
  type NewsQuery,
  type NewsRow,
} from './inbox-store.ts'
import { findWatched, listWatchedBugs } from './watched-store.ts'

export type InboxContext = Pick<CallContext, 'db' | 'settings' | 'catalogue'> & { caller: SignedIn }

/** An entry of the inbox, as its owner may see it now. */
export interface FoundEntry {
  bugId: number
  reasons: ReasonName[]
  state: InboxState
  isUnread: boolean
  /** Of the newest change, request or deed; the order of the list. */
  at: string
  snoozedUntil: string | null
  /** When it was done or snoozed. */
  stateAt: string
  requests: AskedRow[]
  reminders: DueReminder[]
  news: NewsRow | undefined
  mark: Mark
  notes: number
  query: NewsQuery
}

const MOST_ASKED = 1000
const MOST_WATCHED = 500
const QUERIES_AT_ONCE = 200
const SECONDS_A_DAY = 86_400
const END_OF_TIME = '9999'

/**
 * All entries of the caller, newest first. Only the caller's own deeds are stored; what is new is found among what the caller
 * may see now, so that nothing hidden is counted, ordered or shown. With `only`, just those of these bugs.
 */
export async function findEntries(context: InboxContext, only?: ReadonlySet<number>): Promise<FoundEntry[]> {
  const all = await findCandidates(context)
  const candidates = only === undefined ? all : all.filter(({ bugId }) => only.has(bugId))
  const params = await newsParams(context)
  const news = new Map<number, NewsRow>()
  const queries = candidates.filter(mayHaveNews).map(({ query }) => query)
  for (let from = 0; from < queries.length; from += QUERIES_AT_ONCE) {
    if (isTurnLong()) await laterTurn()
    const part = queries.slice(from, from + QUERIES_AT_ONCE)
    for (const row of await listNews(context.db, context.settings, params, part)) news.set(row.bug_id, row)
  }
  const now = timeNow()
  const found = candidates.flatMap((candidate) => entryOf(candidate, news.get(candidate.bugId), now))
  return found.sort((a, b) => Number(a.at < b.at) - Number(a.at > b.at) || b.bugId - a.bugId)
}

/** The reader, and the fields whose changes bring nothing to the inbox: they may name hidden bugs. */
export async function newsParams({ caller, settings, catalogue }: InboxContext): Promise<NewsParams> {
  const { namingBugs } = await catalogue(keptFields)
  const own = `%, ${caller.login.replace(/[%_\\]/g, '_')},%`
  return { ...historyReader({ caller, settings }), quiet: JSON.stringify([...namingBugs]), own }
}

/** A bug that may be in the inbox. */
interface Candidate {
  bugId: number
  row: EntryRow | undefined
  watched: { reasons: number; changedAt: string } | undefined
  requests: AskedRow[]
  /** Those that were not put away since they became due. */
  reminders: DueReminder[]
  query: NewsQuery
}

async function findCandidates({ db, settings, caller }: InboxContext): Promise<Candidate[]> {
  const reader = historyReader({ caller, settings })
  const rows = await listEntries(db, settings, reader, OWN_LIMITS.inboxEntries.most)
  const requests = Map.groupBy(await listAsked(db, settings, reader, MOST_ASKED), ({ bug_id }) => bug_id)
  const days = { since: dayAgo(KEPT_DAYS), today: dayAgo(0) }
  const reminders = Map.groupBy(await listDueReminders(db, settings, reader, days), ({ bug_id }) => bug_id)
  const watches = await findWatched(db, caller.id, globalWatchers(settings).includes(fold(caller.login)))
  const since = secondsAgo(WATCHED_DAYS * SECONDS_A_DAY)
  const watched = new Map(
    watches === undefined
      ? []
      : (await listWatchedBugs(db, settings, reader, watches, { since, most: MOST_WATCHED })).map((it) => [
          it.bug_id,
          { reasons: it.reasons, changedAt: it.changed_at },
        ]),
  )
  const byBug = new Map(rows.map((row) => [row.bug_id, row]))
  return [...new Set([...byBug.keys(), ...requests.keys(), ...reminders.keys(), ...watched.keys()])].map((bugId) => {
    const row = byBug.get(bugId)
    const parts = {
      row,
      watched: watched.get(bugId),
      requests: requests.get(bugId) ?? [],
      reminders: (reminders.get(bugId) ?? []).filter(({ at }) => row?.state !== STATES.done || at > row.state_at),
    }
    return { bugId, ...parts, query: queryOf(bugId, parts, since) }
  })
}

function dayAgo(days: number) {
  return secondsAgo(days * SECONDS_A_DAY).slice(0, 10)
}

function queryOf(
  bugId: number,
  { row, watched, requests, reminders }: Omit<Candidate, 'bugId' | 'query'>,
  since: string,
) {
  const asked = [...requests, ...reminders].map(({ at }) => at)
  const isLive = watched !== undefined || asked.length > 0
  const oldest = asked.sort()[0]
  const starts = [row !== undefined && row.reasons !== 0 ? row.since : undefined, watched && since, oldest]
  const until = isLive || row === undefined ? END_OF_TIME : row.noted_at
  return {
    bug_id: bugId,
    since: starts.flatMap((it) => it ?? []).sort()[0] ?? row?.since ?? since,
    until,
    done_comment: row?.done_comment ?? -1,
    done_change: row?.done_change ?? 0,
    read_comment: row?.read_comment ?? -1,
    read_change: row?.read_change ?? 0,
    mention: row?.mention_comment ?? 0,
  }
}

/** What was put away after the last change needs no further look. Transactions, which take the time when they begin, last a minute at most. */
function mayHaveNews({ row, watched, requests, reminders }: Candidate) {
  if (row === undefined || row.state === STATES.open || row.notes > row.done_notes) return true
  if (requests.length > 0 || reminders.length > 0) return true
  return watched !== undefined && watched.changedAt >= toTime(Date.parse(row.state_at) - 60_000)
}

function entryOf(
  { bugId, row, watched, requests, reminders, query }: Candidate,
  news: NewsRow | undefined,
  now: string,
) {
  const newsAt = newestOf(news?.comment_at, news?.change_at)
  // Requests, reminders and mentions by an edit have no mark: what was put away or read after them is done with them.
  const askedAt = newestOf(requests[0]?.at, reminders[0]?.at, news?.mention_at)
  const state = stateOf(row, newsAt, askedAt, now)
  const isFound = [...(requests.length > 0 ? ASKED : []), ...(reminders.length > 0 ? REMINDED : [])]
  const reasons = [...isFound, ...reasonsOf(row, watched?.reasons ?? 0, news?.is_mention_shown === 1)]
  if (reasons.length === 0 && state === 'open') return []
  if (state === 'open' && newsAt === undefined && askedAt === undefined && row?.state !== STATES.snoozed) return []
  const stateAt = row?.state_at ?? ''
  const entry: FoundEntry = {
    bugId,
    reasons,
    state,
    isUnread: hasWoken(row, now) || isUnread(row, news, askedAt),
    at: (state === 'open' ? newestOf(newsAt, askedAt) : undefined) ?? stateAt,
    snoozedUntil: state === 'snoozed' ? (row?.snoozed_until ?? null) : null,
    stateAt: state === 'open' ? '' : stateAt,
    requests,
    reminders,
    news,
    mark: markOf(row, news),
    notes: row?.notes ?? 0,
    query,
  }
  return [entry]
}

function newestOf(...times: (string | null | undefined)[]): string | undefined {
  return times
    .flatMap((it) => it ?? [])
    .sort()
    .at(-1)
}

/** Something new brings back what is done or snoozed until then; a snooze until a time lasts until that time. */
function stateOf(row: EntryRow | undefined, newsAt: string | undefined, askedAt: string | undefined, now: string) {
  if (row === undefined || row.state === STATES.open) return 'open'
  if (row.state === STATES.snoozed && row.snoozed_until !== null) return row.snoozed_until > now ? 'snoozed' : 'open'
  const isBack = newsAt !== undefined || (askedAt !== undefined && askedAt > row.state_at)
  if (isBack) return 'open'
  return row.state === STATES.done ? 'done' : 'snoozed'
}

const ASKED = ['asked'] as const
const REMINDED = ['reminder'] as const

function reasonsOf(row: EntryRow | undefined, watched: number, isMentionShown: boolean): ReasonName[] {
  const stored = row === undefined ? 0 : row.reasons === 0 ? row.past_reasons : row.reasons
  return reasonsIn(stored | watched).filter((name) => name !== 'mentioned' || isMentionShown)
}

/** The read mark of what its owner made unread again. */
export const UNREAD = -2

/** A snooze that has ended makes the entry unread, until it is read. */
function hasWoken(row: EntryRow | undefined, now: string) {
  const until = row?.state === STATES.snoozed ? row.snoozed_until : null
  return until !== null && until <= now && until > (row?.read_at ?? '')
}

function isUnread(row: EntryRow | undefined, news: NewsRow | undefined, askedAt: string | undefined) {
  if (row?.read_comment === UNREAD) return true
  const visited = row?.visited_at ?? ''
  const isNewer = (at: string | null | undefined) => at != null && at > visited
  if (isNewer(news?.comment_at) && (news?.number ?? -1) > (row?.read_comment ?? -1)) return true
  if (isNewer(news?.change_at) && (news?.change_id ?? 0) > (row?.read_change ?? 0)) return true
  return isNewer(askedAt) && (askedAt ?? '') > (row?.read_at ?? '')
}

function markOf(row: EntryRow | undefined, news: NewsRow | undefined): Mark {
  return { comment: news?.number ?? row?.done_comment ?? -1, change: news?.change_id ?? row?.done_change ?? 0 }
}
