import { parametersIn } from '../../../people/saved-searches/saved-search.ts'
import type { ConfigurationTransaction } from '../../../platform/database/db.ts'
import { insertRows, type NewRow } from '../../../platform/database/insert-rows.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { flagOf, type ImportContext, isId, numberOf, positionIn, stagedText } from '../import-context.ts'
import type { UserLookup } from '../people/user-lookup.ts'
import { readQueryChanges } from './new-names.ts'
import { rewriteQuery } from './rewrite-query.ts'

const seriesIds = statement<object>()((q) => q.selectFrom('series').select('id'))

/** Series with their numbers, and what they counted. */
export async function importSeries(
  context: ImportContext,
  tx: ConfigurationTransaction,
  lookup: UserLookup,
): Promise<'done'> {
  const { staging, journal } = context
  const changes = await readQueryChanges(context, tx)
  const categories = new Map(
    staging.all('select * from series_categories').map((row) => [numberOf(row.id), stagedText(row.name)]),
  )
  const restricted = new Set(
    staging.all('select category_id from category_group_map').map((row) => numberOf(row.category_id)),
  )
  const rows: NewRow<'series'>[] = []
  for (const row of staging.all('select * from series order by series_id')) {
    const [id, creator] = [numberOf(row.series_id), numberOf(row.creator)]
    const [category, subcategory] = [categories.get(numberOf(row.category)), categories.get(numberOf(row.subcategory))]
    if (!isId(id) || category === undefined || subcategory === undefined) {
      journal.refuse('series', stagedText(row.series_id), 'its category does not exist', row)
      continue
    }
    const query = rewriteQuery(stagedText(row.query), changes)
    const frequency = numberOf(row.frequency) ?? 1
    if (frequency < 1)
      journal.note('series', id, 'it was never counted in the old installation; here it is counted once a year')
    const isRestricted = restricted.has(numberOf(row.category)) || restricted.has(numberOf(row.subcategory))
    if (isRestricted && flagOf(row.is_public) === 1)
      journal.note(
        'series',
        id,
        'its category was only for groups, which do not exist here; only its creator sees it now',
      )
    rows.push({
      id,
      creator_id: creator !== undefined && lookup.users.has(creator) ? creator : null,
      category,
      subcategory,
      name: stagedText(row.name),
      query,
      frequency: Math.max(1, frequency || 365),
      is_public: isRestricted ? 0 : flagOf(row.is_public),
      created_at: journal.begunAt,
    })
    journal.made('series')
    if (Object.keys(parametersIn(query)).length === 0) journal.note('series', id, 'it has no criteria')
  }
  await insertRows(tx, 'series', rows)
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
  const known = new Set((await tx.all(seriesIds, {})).map(({ id }) => id))
  const counts = new Map<string, NewRow<'series_counts'>>()
  for (const row of rows) {
    const [series, day] = [numberOf(row.series_id) ?? 0, stagedText(row.series_date).slice(0, 10)]
    if (!known.has(series) || !/^\d{4}-\d\d-\d\d$/.test(day))
      journal.refuse('series_data', `${series} ${day}`, 'its series does not exist, or the day is impossible', row)
    else if (counts.has(`${series} ${day}`)) journal.joined('series_data')
    else {
      const bug_count = numberOf(row.series_value) ?? 0
      counts.set(`${series} ${day}`, { series_id: series, on_day: day, bug_count })
      journal.made('series_data')
    }
  }
  await insertRows(tx, 'series_counts', [...counts.values()])
  return rows.length < COUNTS_AT_ONCE ? 'done' : (positionIn(rows.at(-1)?.source_row) as number)
}
