import { isDay, isTime, nextTime } from '../../../outbound/scheduled/schedule.ts'
import type { ConfigurationTransaction } from '../../../platform/database/db.ts'
import { insertRows } from '../../../platform/database/insert-rows.ts'
import { fold } from '../../../platform/text/fold.ts'
import { flagOf, type ImportContext, isId, numberOf, stagedText } from '../import-context.ts'
import type { UserLookup } from '../people/import-memberships.ts'
import { UniqueNames } from '../unique-names.ts'
import { readQueryChanges } from './new-names.ts'
import { rewriteQuery } from './rewrite-query.ts'

type Cells = (string | number | null)[]

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
  const rows: Cells[] = []
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
      rows.push([
        id,
        user,
        'search',
        name,
        fold(name),
        queryFrom(stagedText(row.query)),
        groupFor(context, lookup, sharedWith, id),
      ])
      journal.made('namedqueries')
    }
  }
  let next = Math.max(0, ...rows.map(([id]) => id as number))
  for (const row of staging.all('select * from reports order by id')) {
    const user = numberOf(row.user_id) ?? 0
    if (!lookup.users.has(user)) journal.refuse('reports', stagedText(row.id), 'its owner does not exist', row)
    else {
      const name = nameFor('reports', user, stagedText(row.name), numberOf(row.id) ?? 0)
      rows.push([++next, user, 'report', name, fold(name), queryFrom(stagedText(row.query)), null])
      journal.made('reports')
    }
  }
  await insertRows(tx, 'saved_searches', ['id', 'user_id', 'kind', 'name', 'name_key', 'query', 'group_id'], rows)
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
  searches: readonly Cells[],
  oldNames: ReadonlyMap<number, string>,
) {
  const mails: Cells[] = []
  const parts: Cells[] = []
  const times: Cells[] = []
  const events = new Map<number, number>()
  for (const row of staging.all('select * from whine_events order by id')) {
    const [id, owner] = [numberOf(row.id), numberOf(row.owner_userid) ?? 0]
    if (!isId(id) || !lookup.users.has(owner)) {
      journal.refuse('whine_events', stagedText(row.id), 'its owner does not exist', row)
      continue
    }
    events.set(id, owner)
    mails.push([id, owner, stagedText(row.subject), stagedText(row.body), flagOf(row.mailifnobugs)])
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
    parts.push([event, search, stagedText(row.title), flagOf(row.onemailperbug)])
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
    times.push([id, event, day, time, isGroup ? null : to, isGroup ? to : null, nextTime({ day, time }, now)])
    journal.made('whine_schedules')
  }
  await insertRows(tx, 'scheduled_mails', ['id', 'user_id', 'subject', 'body', 'is_sent_empty'], mails)
  await insertRows(tx, 'scheduled_mail_searches', ['mail_id', 'search_id', 'title', 'is_mail_per_bug'], parts)
  await insertRows(
    tx,
    'scheduled_mail_times',
    ['id', 'mail_id', 'day', 'time', 'to_user_id', 'to_group_id', 'next_at'],
    times,
  )
}

/** The search of the owner with this name, or one that another user shares; rather with the same case than another. */
function searchNamed(
  searches: readonly Cells[],
  oldNames: ReadonlyMap<number, string>,
  owner: number | undefined,
  name: string,
): number | undefined {
  const isNamed = (id: number) => fold(oldNames.get(id) ?? '') === fold(name)
  const named = searches
    .filter(([id, , kind]) => kind === 'search' && isNamed(id as number))
    .sort(
      ([one], [other]) => Number(oldNames.get(other as number) === name) - Number(oldNames.get(one as number) === name),
    )
  const own = named.find(([, user]) => user === owner)
  const shared = named.find(([, , , , , , group]) => group !== null)
  return (own ?? shared)?.[0] as number | undefined
}
