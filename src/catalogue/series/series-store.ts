import { type Renaming, renameInQuery } from '../../people/saved-searches/rename-in-query.ts'
import type { Db } from '../../platform/database/db.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { timeNow } from '../../platform/time/clock.ts'

/**
 * The series of a product and its components: searches whose bugs are counted every day for charts. Product and component are columns
 * and not part of the query, so that renaming them changes no query.
 */

interface NewSeries {
  product_id: number
  component_id: number | null
  creator_id: number | null
  category: string
  subcategory: string
  name: string
  query: string
}

const EVERYTHING = '-All-'

const choices = statement<{ field: string }>()((q, p) =>
  q
    .selectFrom('field_values')
    .innerJoin('fields', 'fields.id', 'field_values.field_id')
    .select('field_values.name')
    .where('fields.name', '=', p.field)
    .where('field_values.name', '!=', '')
    .orderBy('field_values.sort_key')
    .orderBy('field_values.name_key'),
)

/** Inserts one series for each status, one for each resolution, and one for all open bugs. */
export async function insertProductSeries(tx: Db, who: number | null, product: { id: number; name: string }) {
  const statuses = await tx.all(choices, { field: 'bug_status' })
  const resolutions = await tx.all(choices, { field: 'resolution' })
  const searches = [
    ...statuses.map(({ name }) => ({ name, query: queryFor('status', name) })),
    ...resolutions.map(({ name }) => ({ name, query: queryFor('resolution', name) })),
    { name: 'All Open', query: queryFor('status', '__open__') },
  ]
  await insertSeries(
    tx,
    searches.map((search) => ({
      ...search,
      product_id: product.id,
      component_id: null,
      creator_id: who,
      category: product.name,
      subcategory: EVERYTHING,
    })),
  )
}

/** Inserts one series for all open bugs and one for all closed bugs of each component. */
export async function insertComponentSeries(
  tx: Db,
  who: number | null,
  product: { id: number; name: string },
  components: readonly { id: number; name: string }[],
) {
  const searches = [
    { name: 'All Open', query: queryFor('status', '__open__') },
    { name: 'All Closed', query: queryFor('status', '__closed__') },
  ]
  await insertSeries(
    tx,
    components.flatMap((component) =>
      searches.map((search) => ({
        ...search,
        product_id: product.id,
        component_id: component.id,
        creator_id: who,
        category: product.name,
        subcategory: component.name,
      })),
    ),
  )
}

async function insertSeries(tx: Db, series: readonly NewSeries[]) {
  const created_at = timeNow()
  const rows = series.map((it) => ({ ...it, frequency: 1, is_public: 1 as const, created_at }))
  await insertRows(tx, 'series', rows)
}

function queryFor(field: 'status' | 'resolution', value: string) {
  return new URLSearchParams({ [field]: value }).toString()
}

const renameCategory = statement<{ productId: number; name: string }>()((q, p) =>
  q.updateTable('series').set({ category: p.name }).where('product_id', '=', p.productId),
)
const renameSubcategory = statement<{ componentId: number; name: string }>()((q, p) =>
  q.updateTable('series').set({ subcategory: p.name }).where('component_id', '=', p.componentId),
)
const allQueries = statement<object>()((q) => q.selectFrom('series').select(['id', 'product_id', 'name', 'query']))
const updateQuery = statement<{ id: number; name: string; query: string }>()((q, p) =>
  q.updateTable('series').set({ name: p.name, query: p.query }).where('id', '=', p.id),
)

/** The category of the series of a product is its name. */
export async function renameProductInSeries(tx: Db, productId: number, name: string) {
  await tx.all(renameCategory, { productId, name })
}

export async function renameComponentInSeries(tx: Db, componentId: number, name: string) {
  await tx.all(renameSubcategory, { componentId, name })
}

/**
 * Updates the old name of a value in the queries of series. Series of a product whose own name is that of the value are renamed too.
 */
export async function renameValueInSeries(tx: Db, renaming: Renaming): Promise<number> {
  let count = 0
  for (const { id, product_id, name, query } of await tx.all(allQueries, {})) {
    const renamed = renameInQuery(query, renaming)
    if (renamed === query) continue
    const isCalledByIt = product_id !== null && name === renaming.from
    await tx.all(updateQuery, { id, name: isCalledByIt ? renaming.to : name, query: renamed })
    count++
  }
  return count
}
