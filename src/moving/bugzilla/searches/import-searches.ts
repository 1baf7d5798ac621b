import { isDay, isTime, nextTime } from '../../../outbound/scheduled/schedule.ts'
import type { ConfigurationTransaction } from '../../../platform/database/db.ts'
import { insertRows, type NewRow } from '../../../platform/database/insert-rows.ts'
import { fold } from '../../../platform/text/fold.ts'
import { flagOf, type ImportContext, isId, numberOf, stagedText } from '../import-context.ts'
import type { UserLookup } from '../people/user-lookup.ts'
import { UniqueNames } from '../unique-names.ts'
import { readQueryChanges } from './new-names.ts'
import { rewriteQuery } from './rewrite-query.ts'

type SavedSearch = NewRow<'saved_searches'> & { id: number }

const DEFAULT_SEARCH = '(Default query)'

/** Saved searches with their numbers, then reports, then what is mailed on a schedule. */
export async function importSearches(
  context: ImportContext,
  tx: ConfigurationTransaction,
  lookup: UserLookup,
): Promise<'done'> {
  const { staging, journal } = context
  const changes = await readQueryChanges(context, tx)
  const queryFrom = (stored: string) => rewriteQuery(stored, changes)
  const rows: SavedSearch[] = []
  const namesOf = new Map<string, UniqueNames>()
  const nameFor = (table: 'namedqueries' | 'reports', user: number, name: string, id: number) => {
    const own = namesOf.get(`${table} ${user}`) ?? new UniqueNames()
    namesOf.set(`${table} ${user}`, own)
    const unique = own.take(name, id)
    if (unique !== name) journal.note(table, id, `renamed to ${unique}, because its owner has another ${name}`)
    return unique
  }
  const oldNames = new Map<number, string>()
  const sharedWith = new Map(
    staging
      .all('select * from namedquery_group_map')
      .map((row) => [numberOf(row.namedquery_id), numberOf(row.group_id) ?? 0]),
  )
  for (const row of staging.all('select * from namedqueries order by id')) {
    const [id, user] = [numberOf(row.id), numberOf(row.userid) ?? 0]
    if (!isId(id) || !lookup.users.has(user))
      journal.refuse('namedqueries', stagedText(row.id), 'its owner does not exist', row)
    else if (stagedText(row.name) === DEFAULT_SEARCH)
      journal.leftOut('namedqueries', 'the default of the old search form')
    else {
      const name = nameFor('namedqueries', user, stagedText(row.name), id)
      oldNames.set(id, stagedText(row.name))
      rows.push({
        id,
        user_id: user,
        kind: 'search',
        name,
        name_key: fold(name),
        query: queryFrom(stagedText(row.query)),
        group_id: groupFor(context, lookup, sharedWith, id),
      })
      journal.made('namedqueries')
    }
  }
  let next = Math.max(0, ...rows.map(({ id }) => id))
  for (const row of staging.all('select * from reports order by id')) {
    const user = numberOf(row.user_id) ?? 0
    if (!lookup.users.has(user)) journal.refuse('reports', stagedText(row.id), 'its owner does not exist', row)
    else {
      const name = nameFor('reports', user, stagedText(row.name), numberOf(row.id) ?? 0)
      const query = queryFrom(stagedText(row.query))
      rows.push({ id: ++next, user_id: user, kind: 'report', name, name_key: fold(name), query, group_id: null })
      journal.made('reports')
    }
  }
  await insertRows(tx, 'saved_searches', rows)
  journal.leftOut(
    'namedqueries_link_in_footer',
    'pages here list all saved searches',
    staging.count('namedqueries_link_in_footer'),
  )
  await importScheduledMail(context, tx, lookup, rows, oldNames)
  return 'done'
}

function groupFor(
  { journal }: ImportContext,
  lookup: UserLookup,
  shared: ReadonlyMap<number | undefined, number>,
  id: number,
): number | null {
  const group = shared.get(id)
  if (group === undefined) return null
  if (lookup.groups.has(group)) {
    journal.made('namedquery_group_map')
    return group
  }
  journal.refuse('namedquery_group_map', id, `the group ${group} does not exist`)
  return null
}

/** Whines: they name searches of their owner, or ones that are shared with the owner. */
async function importScheduledMail(
  { staging, journal, zone }: ImportContext,
  tx: ConfigurationTransaction,
  lookup: UserLookup,
  searches: readonly SavedSearch[],
  oldNames: ReadonlyMap<number, string>,
) {
  const mails: NewRow<'scheduled_mails'>[] = []
  const parts: NewRow<'scheduled_mail_searches'>[] = []
  const times: NewRow<'scheduled_mail_times'>[] = []
  const events = new Map<number, number>()
  for (const row of staging.all('select * from whine_events order by id')) {
    const [id, owner] = [numberOf(row.id), numberOf(row.owner_userid) ?? 0]
    if (!isId(id) || !lookup.users.has(owner)) {
      journal.refuse('whine_events', stagedText(row.id), 'its owner does not exist', row)
      continue
    }
    events.set(id, owner)
    const [subject, body] = [stagedText(row.subject), stagedText(row.body)]
    mails.push({ id, user_id: owner, subject, body, is_sent_empty: flagOf(row.mailifnobugs) })
    journal.made('whine_events')
  }
  for (const row of staging.all('select * from whine_queries order by eventid, sortkey, id')) {
    const [id, event] = [numberOf(row.id), numberOf(row.eventid) ?? 0]
    const search = searchNamed(searches, oldNames, events.get(event), stagedText(row.query_name))
    if (!isId(id) || !events.has(event) || search === undefined) {
      journal.refuse(
        'whine_queries',
        stagedText(row.id),
        `there is no search ${JSON.stringify(stagedText(row.query_name))}`,
        row,
      )
      continue
    }
    const [title, is_mail_per_bug] = [stagedText(row.title), flagOf(row.onemailperbug)]
    parts.push({ mail_id: event, search_id: search, title, is_mail_per_bug })
    journal.made('whine_queries')
  }
  const now = Date.parse(journal.begunAt)
  for (const row of staging.all('select * from whine_schedules order by id')) {
    const [id, event, to] = [numberOf(row.id), numberOf(row.eventid) ?? 0, numberOf(row.mailto) ?? 0]
    const [day, time] = [stagedText(row.run_day) || 'All', stagedText(row.run_time) || '0']
    const isGroup = flagOf(row.mailto_type) === 1
    const isThere = (isGroup ? lookup.groups : lookup.users).has(to)
    if (!isId(id) || !events.has(event) || !isThere || !isDay(day) || !isTime(time)) {
      journal.refuse('whine_schedules', stagedText(row.id), 'its event, its receiver or its time cannot be used', row)
      continue
    }
    if (zone.name !== 'UTC' && !time.endsWith('min'))
      journal.note('whine_schedules', id, `it was mailed at ${time} o’clock of ${zone.name}; here hours are of UTC`)
    const target = { to_user_id: isGroup ? null : to, to_group_id: isGroup ? to : null }
    times.push({ id, mail_id: event, day, time, ...target, next_at: nextTime({ day, time }, now) })
    journal.made('whine_schedules')
  }
  await insertRows(tx, 'scheduled_mails', mails)
  await insertRows(tx, 'scheduled_mail_searches', parts)
  await insertRows(tx, 'scheduled_mail_times', times)
}

/** The search of the owner with this name, or one that another user shares; rather with the same case than another. */
function searchNamed(
  searches: readonly SavedSearch[],
  oldNames: ReadonlyMap<number, string>,
  owner: number | undefined,
  name: string,
): number | undefined {
  const isNamed = (id: number) => fold(oldNames.get(id) ?? '') === fold(name)
  const named = searches
    .filter(({ id, kind }) => kind === 'search' && isNamed(id))
    .sort((one, other) => Number(oldNames.get(other.id) === name) - Number(oldNames.get(one.id) === name))
  const own = named.find(({ user_id }) => user_id === owner)
  const shared = named.find(({ group_id }) => group_id !== null)
  return (own ?? shared)?.id
}
