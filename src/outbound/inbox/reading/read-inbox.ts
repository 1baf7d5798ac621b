import { REASON_GROUPS, type ReasonGroup, reasonNamed } from '../../../../shared/reasons.ts'
import { loginFor } from '../../../access/visibility/reader-rights.ts'
import { keptFields } from '../../../catalogue/fields/field-store.ts'
import { type ChangeColumns, presentChange } from '../../../changes/change-json.ts'
import { type InboxState, presentMark } from '../inbox-entry.ts'
import { type FoundEntry, findEntries, type InboxContext, newsParams } from './find-entries.ts'
import { countNews } from './inbox-store.ts'
import { listChangesWith, listExcerpts, listTitles } from './shown-store.ts'

/** Which entries to return. */
export interface InboxQuery {
  state: InboxState
  group: ReasonGroup | undefined
  onlyUnread: boolean
  bugIds: ReadonlySet<number> | undefined
  limit: number
  offset: number
}

/** A page of the inbox, with the numbers of all of it. */
export async function readInbox(context: InboxContext, query: InboxQuery) {
  const all = await findEntries(context)
  const wanted = all.filter(
    (entry) =>
      entry.state === query.state &&
      (query.group === undefined || isInGroup(entry, query.group)) &&
      (!query.onlyUnread || entry.isUnread) &&
      (query.bugIds === undefined || query.bugIds.has(entry.bugId)),
  )
  const page = wanted.slice(query.offset, query.offset + query.limit)
  return { entries: await presentEntries(context, page), total: wanted.length, counts: countsOf(all) }
}

/** The group of its strongest reason comes first, but an entry is in the group of each of its reasons. */
export function isInGroup({ reasons }: FoundEntry, group: ReasonGroup) {
  return reasons.some((name) => reasonNamed(name).group === group)
}

function countsOf(all: readonly FoundEntry[]) {
  const open = all.filter(({ state }) => state === 'open')
  return {
    open: open.length,
    unread: open.filter(({ isUnread }) => isUnread).length,
    snoozed: all.filter(({ state }) => state === 'snoozed').length,
    done: all.filter(({ state }) => state === 'done').length,
    reasons: Object.fromEntries(
      REASON_GROUPS.map(({ name }) => [name, open.filter((entry) => isInGroup(entry, name)).length]),
    ) as Record<ReasonGroup, number>,
  }
}

export async function presentEntries(context: InboxContext, page: readonly FoundEntry[]) {
  if (page.length === 0) return []
  const { db, settings, caller } = context
  const params = await newsParams(context)
  const titles = new Map(
    (
      await listTitles(
        db,
        settings,
        params,
        page.map(({ bugId }) => bugId),
      )
    ).map((row) => [row.id, row]),
  )
  const counts = await countNews(
    db,
    settings,
    params,
    page.filter(({ news }) => news !== undefined).map(({ query }) => query),
  )
  const last = await lastOf(context, page)
  const fields = await context.catalogue(keptFields)
  const named = (field: string, id: number) => fields.valuesOf(field).find((value) => value.id === id)?.name ?? ''
  return page.flatMap((entry) => {
    const bug = titles.get(entry.bugId)
    if (bug === undefined) return []
    const fresh = counts.get(entry.bugId)
    const newest = last(entry)
    return {
      id: entry.bugId,
      summary: bug.summary,
      status: named('bug_status', bug.status_id),
      resolution: named('resolution', bug.resolution_id),
      product: bug.product,
      component: bug.component,
      reasons: entry.reasons,
      state: entry.state,
      is_unread: entry.isUnread,
      time: entry.at,
      new_count: fresh?.count ?? 0,
      mark: presentMark(entry.mark),
      requests: entry.requests.map(({ id, name, setter, setter_name, at, attachment_id }) => ({
        id,
        name,
        setter: loginFor(setter, { caller, settings }),
        setter_name,
        time: at,
        ...(attachment_id !== null && { attachment_id }),
      })),
      reminders: entry.reminders.map(({ id, note, remind_on }) => ({ id, note, reminder_ts: remind_on })),
      ...(fresh?.since != null && { new_since: fresh.since }),
      ...(newest !== undefined && { last: newest }),
      ...(entry.snoozedUntil !== null && { snoozed_until: entry.snoozedUntil }),
      ...(entry.stateAt !== '' && { put_away_time: entry.stateAt }),
    }
  })
}

/** The newest comment, and what was changed with it or after it. */
async function lastOf({ db, settings, caller, catalogue }: InboxContext, page: readonly FoundEntry[]) {
  const params = await newsParams({ db, settings, caller, catalogue })
  const comments = await listExcerpts(
    db,
    settings,
    params,
    page.flatMap(({ news }) => news?.comment_id ?? news?.mention_comment_id ?? []),
  )
  const lines = await listChangesWith(
    db,
    params,
    page.flatMap(({ news }) => news?.change_id ?? []),
    params.quiet,
  )
  const byId = new Map(comments.map((comment) => [comment.id, comment]))
  const byNewest = Map.groupBy(lines, ({ newest_id }) => newest_id)
  return ({ news }: FoundEntry) => {
    const comment = byId.get(news?.comment_id ?? news?.mention_comment_id ?? 0)
    const changes = byNewest.get(news?.change_id ?? 0) ?? []
    const [first] = changes
    const isCommentLast = comment !== undefined && (first === undefined || !isBefore(comment, first))
    const who = isCommentLast ? comment : first
    if (who === undefined) return undefined
    const together = isCommentLast ? changes.filter((it) => isTogether(it, comment)) : changes
    return {
      user: loginFor(who.login, { caller, settings }),
      user_id: who.user_id,
      user_name: who.real_name,
      time: who.at,
      ...presentChange(caller, who),
      changes: together.map(({ field, removed, added }) => ({ field_name: field, removed, added })),
      ...(isCommentLast && { comment: comment.text, comment_count: comment.number }),
    }
  }
}

type Made = Pick<ChangeColumns, 'change_ref'> & { at: string; user_id: number }

/** Of two at one second, the calls that made them have an order, if they are known. */
function isBefore(one: Made, other: Made) {
  return one.at < other.at || (one.at === other.at && (one.change_ref ?? 0) < (other.change_ref ?? 0))
}

function isTogether(one: Made, other: Made) {
  return one.at === other.at && one.user_id === other.user_id && one.change_ref === other.change_ref
}
