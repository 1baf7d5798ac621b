import type { VoteLimits } from '../../../catalogue/products/product.ts'
import type { Flag } from '../../../platform/database/tables.ts'
import { fold } from '../../../platform/text/fold.ts'
import { flagOf, type ImportContext, isId, numberOf, stagedText } from '../import-context.ts'

/** A product before it is written. */
export interface ImportedProduct extends VoteLimits {
  id: number
  name: string
  description: string
  classification: number
  isActive: Flag
  hasUnconfirmed: Flag
  defaultMilestone: string
  milestone?: number | undefined
  version?: number | undefined
}

interface NameRow {
  id: number
  product: number
  name: string
  sortKey: number
  isActive: Flag
}

/** The versions or the milestones of all products, with those that only bugs or products name. */
export function namesOfProducts(
  { staging, journal }: ImportContext,
  table: 'versions' | 'milestones',
  column: string,
  products: ReadonlyMap<number, ImportedProduct>,
) {
  const rows: NameRow[] = []
  const known = new Map<string, NameRow>()
  const keyOf = (product: number, name: string) => `${product} ${fold(name)}`
  const add = (row: NameRow) => {
    rows.push(row)
    known.set(keyOf(row.product, row.name), row)
  }
  for (const row of staging.all(`select * from ${table} order by id`)) {
    const [id, product, name] = [numberOf(row.id), numberOf(row.product_id) ?? 0, stagedText(row.value)]
    if (!isId(id) || !products.has(product) || known.has(keyOf(product, name))) {
      journal.refuse(table, stagedText(row.id), 'its product does not exist, or it is there twice', row)
      continue
    }
    add({ id, product, name, sortKey: numberOf(row.sortkey) ?? 0, isActive: flagOf(row.isactive) })
    journal.made(table)
  }
  let next = Math.max(0, ...rows.map(({ id }) => id))
  const used = staging.all<{ product: number; name: string }>(
    `select distinct product_id as product, ${column} as name from bugs order by 1, 2`,
  )
  const addMissing = (product: number, name: string, isActive: Flag, why: string) => {
    if (!products.has(product) || known.has(keyOf(product, name))) return
    add({ id: ++next, product, name, sortKey: 0, isActive })
    journal.note(table, next, `created for the product ${products.get(product)?.name}: ${JSON.stringify(name)}, ${why}`)
  }
  if (table === 'milestones')
    for (const product of products.values())
      addMissing(product.id, product.defaultMilestone, 1, 'its default milestone, was missing')
  for (const { product, name } of used)
    addMissing(product, stagedText(name), 0, 'which bugs have but the product has not; it is inactive')
  if (table === 'versions')
    for (const product of products.values())
      if (!rows.some((row) => row.product === product.id))
        addMissing(product.id, 'unspecified', 1, 'because it had no version')
  return {
    rows,
    idOf: (product: number, name: string) => known.get(keyOf(product, name))?.id,
    firstActive: (product: number) =>
      (rows.find((row) => row.product === product && row.isActive === 1) ?? rows.find((row) => row.product === product))
        ?.id,
  }
}
