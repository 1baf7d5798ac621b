import { isDay, isTime, nextTime } from '../../../outbound/scheduled/schedule.ts'
import { parametersIn } from '../../../people/saved-searches/saved-search.ts'
import type { ConfigurationTransaction } from '../../../platform/database/db.ts'
import { insertRows } from '../../../platform/database/insert-rows.ts'
import { fold } from '../../../platform/text/fold.ts'
import { flagOf, type ImportContext, isId, numberOf, positionIn, textOf } from '../import-context.ts'
import type { UserLookup } from '../people/import-memberships.ts'

type Cells = (string | number | null)[]

const DEFAULT_SEARCH = '(Default query)'

/** Saved searches with their numbers, then reports, then what is mailed on a schedule. */
export async function importSearches(
  context: ImportContext,
  tx: ConfigurationTransaction,
  lookup: UserLookup,
): Promise<'done'> {
  const { staging, journal } = context
  const rows: Cells[] = []
  const taken = new Set<string>()
  const sharedWith = new Map(
    staging
      .all('select * from namedquery_group_map')
      .map((row) => [numberOf(row.namedquery_id), numberOf(row.group_id) ?? 0]),
  )
  for (const row of staging.all('select * from namedqueries order by id')) {
    const [id, user, name] = [numberOf(row.id), numberOf(row.userid) ?? 0, textOf(row.name)]
    const key = `${user} search ${fold(name)}`
    if (!isId(id) || !lookup.users.has(user) || taken.has(key))
      journal.refuse('namedqueries', textOf(row.id), 'its owner does not exist, or the owner has it twice', row)
    else if (name === DEFAULT_SEARCH) journal.leftOut('namedqueries', 'the default of the old search form')
    else {
      taken.add(key)
      rows.push([
        id,
        user,
        'search',
        name,
        fold(name),
        queryFrom(textOf(row.query)),
        groupFor(context, lookup, sharedWith, id),
      ])
      journal.made('namedqueries')
    }
  }
  let next = Math.max(0, ...rows.map(([id]) => id as number))
  for (const row of staging.all('select * from reports order by id')) {
    const [user, name] = [numberOf(row.user_id) ?? 0, textOf(row.name)]
    const key = `${user} report ${fold(name)}`
    if (!lookup.users.has(user) || taken.has(key))
      journal.refuse('reports', textOf(row.id), 'its owner does not exist, or the owner has it twice', row)
    else {
      taken.add(key)
      rows.push([++next, user, 'report', name, fold(name), queryFrom(textOf(row.query)), null])
      journal.made('reports')
    }
  }
  await insertRows(tx, 'saved_searches', ['id', 'user_id', 'kind', 'name', 'name_key', 'query', 'group_id'], rows)
  journal.leftOut(
    'namedqueries_link_in_footer',
    'pages here list all saved searches',
    staging.count('namedqueries_link_in_footer'),
  )
  await importScheduledMail(context, tx, lookup, rows)
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

/**
 * Bugzilla stores the parameters that its own form sends; a whole address and a leading question mark are cut off. Some
 * releases write `;` between parameters, which values never have.
 */
function queryFrom(query: string): string {
  return query
    .trim()
    .replace(/^[^?=&]*\?/, '')
    .replaceAll(';', '&')
    .replace(/^&+/, '')
}

/** Whines: they name searches of their owner, or ones that are shared with the owner. */
async function importScheduledMail(
  { staging, journal }: ImportContext,
  tx: ConfigurationTransaction,
  lookup: UserLookup,
  searches: readonly Cells[],
) {
  const mails: Cells[] = []
  const parts: Cells[] = []
  const times: Cells[] = []
  const events = new Map<number, number>()
  for (const row of staging.all('select * from whine_events order by id')) {
    const [id, owner] = [numberOf(row.id), numberOf(row.owner_userid) ?? 0]
    if (!isId(id) || !lookup.users.has(owner)) {
      journal.refuse('whine_events', textOf(row.id), 'its owner does not exist', row)
      continue
    }
    events.set(id, owner)
    mails.push([id, owner, textOf(row.subject), textOf(row.body), flagOf(row.mailifnobugs)])
    journal.made('whine_events')
  }
  for (const row of staging.all('select * from whine_queries order by eventid, sortkey, id')) {
    const [id, event] = [numberOf(row.id), numberOf(row.eventid) ?? 0]
    const search = searchNamed(searches, events.get(event), textOf(row.query_name))
    if (!isId(id) || !events.has(event) || search === undefined) {
      journal.refuse(
        'whine_queries',
        textOf(row.id),
        `there is no search ${JSON.stringify(textOf(row.query_name))}`,
        row,
      )
      continue
    }
    parts.push([event, search, textOf(row.title), flagOf(row.onemailperbug)])
    journal.made('whine_queries')
  }
  const now = Date.parse(journal.begunAt)
  for (const row of staging.all('select * from whine_schedules order by id')) {
    const [id, event, to] = [numberOf(row.id), numberOf(row.eventid) ?? 0, numberOf(row.mailto) ?? 0]
    const [day, time] = [textOf(row.run_day) || 'All', textOf(row.run_time) || '0']
    const isGroup = flagOf(row.mailto_type) === 1
    const isThere = (isGroup ? lookup.groups : lookup.users).has(to)
    if (!isId(id) || !events.has(event) || !isThere || !isDay(day) || !isTime(time)) {
      journal.refuse('whine_schedules', textOf(row.id), 'its event, its receiver or its time cannot be used', row)
      continue
    }
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

/** The search of the owner with this name, or one that another user shares. */
function searchNamed(searches: readonly Cells[], owner: number | undefined, name: string): number | undefined {
  const named = searches.filter(([, , kind, , key]) => kind === 'search' && key === fold(name))
  const own = named.find(([, user]) => user === owner)
  const shared = named.find(([, , , , , , group]) => group !== null)
  return (own ?? shared)?.[0] as number | undefined
}

/** Series with their numbers, and what they counted. */
export async function importSeries(
  { staging, journal }: ImportContext,
  tx: ConfigurationTransaction,
  lookup: UserLookup,
): Promise<'done'> {
  const categories = new Map(
    staging.all('select * from series_categories').map((row) => [numberOf(row.id), textOf(row.name)]),
  )
  const rows: Cells[] = []
  for (const row of staging.all('select * from series order by series_id')) {
    const [id, creator] = [numberOf(row.series_id), numberOf(row.creator)]
    const [category, subcategory] = [categories.get(numberOf(row.category)), categories.get(numberOf(row.subcategory))]
    if (!isId(id) || category === undefined || subcategory === undefined) {
      journal.refuse('series', textOf(row.series_id), 'its category does not exist', row)
      continue
    }
    const query = queryFrom(textOf(row.query))
    const frequency = numberOf(row.frequency) ?? 1
    if (frequency < 1)
      journal.note('series', id, 'it was never counted in the old installation; here it is counted once a year')
    rows.push([
      id,
      creator !== undefined && lookup.users.has(creator) ? creator : null,
      category,
      subcategory,
      textOf(row.name),
      query,
      Math.max(1, frequency || 365),
      flagOf(row.is_public),
      journal.begunAt,
    ])
    journal.made('series')
    if (Object.keys(parametersIn(query)).length === 0) journal.note('series', id, 'it has no criteria')
  }
  await insertRows(
    tx,
    'series',
    ['id', 'creator_id', 'category', 'subcategory', 'name', 'query', 'frequency', 'is_public', 'created_at'],
    rows,
  )
  journal.made('series_categories', categories.size)
  const groups = staging.count('category_group_map')
  journal.leftOut('category_group_map', 'categories of charts have no groups here', groups)
  return 'done'
}

const COUNTS_AT_ONCE = 5000

export async function importCounts(
  { staging, journal }: ImportContext,
  tx: ConfigurationTransaction,
  after: number,
): Promise<number | 'done'> {
  const rows = staging.all(
    `select *, source_row from series_data where source_row > ? order by source_row limit ?`,
    after,
    COUNTS_AT_ONCE,
  )
  const known = new Set(
    staging
      .all(
        'select series_id from series where category in (select id from series_categories) and subcategory in (select id from series_categories)',
      )
      .map((row) => numberOf(row.series_id)),
  )
  const counts = new Map<string, Cells>()
  for (const row of rows) {
    const [series, day] = [numberOf(row.series_id) ?? 0, textOf(row.series_date).slice(0, 10)]
    if (!known.has(series) || !/^\d{4}-\d\d-\d\d$/.test(day))
      journal.refuse('series_data', `${series} ${day}`, 'its series does not exist, or the day is impossible', row)
    else if (counts.has(`${series} ${day}`)) journal.joined('series_data')
    else {
      counts.set(`${series} ${day}`, [series, day, numberOf(row.series_value) ?? 0])
      journal.made('series_data')
    }
  }
  await insertRows(tx, 'series_counts', ['series_id', 'on_day', 'bug_count'], [...counts.values()])
  return rows.length < COUNTS_AT_ONCE ? 'done' : (positionIn(rows.at(-1)?.source_row) as number)
}
