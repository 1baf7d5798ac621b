import { naturalKey } from '../../../catalogue/product-values/natural-key.ts'
import { NO_VOTES } from '../../../catalogue/products/product.ts'
import { MOST_VOTES } from '../../../catalogue/products/product-rules.ts'
import type { ConfigurationTransaction } from '../../../platform/database/db.ts'
import { insertRows, type NewRow } from '../../../platform/database/insert-rows.ts'
import { fold } from '../../../platform/text/fold.ts'
import { flagOf, type ImportContext, isId, numberOf, stagedText } from '../import-context.ts'
import type { UserLookup } from '../people/user-lookup.ts'
import { UniqueNames } from '../unique-names.ts'
import { importComponentCc, importComponents, importGroupControls } from './import-components.ts'
import { type ImportedProduct, namesOfProducts } from './product-names.ts'

/** Classifications, products, their versions, milestones and components, keywords, and which groups products use. */
export async function importProducts(
  context: ImportContext,
  tx: ConfigurationTransaction,
  lookup: UserLookup,
): Promise<'done'> {
  const classifications = await importClassifications(context, tx)
  const products = productRows(context, classifications)
  const versions = namesOfProducts(context, 'versions', 'version', products)
  const milestones = namesOfProducts(context, 'milestones', 'target_milestone', products)
  for (const product of products.values()) {
    product.milestone = milestones.idOf(product.id, product.defaultMilestone)
    product.version = versions.idOf(product.id, 'unspecified') ?? versions.firstActive(product.id)
  }
  await insertRows(
    tx,
    'products',
    [...products.values()].map((it) => ({
      id: it.id,
      name: it.name,
      name_key: fold(it.name),
      description: it.description,
      classification_id: it.classification,
      is_active: it.isActive,
      has_unconfirmed: it.hasUnconfirmed,
      default_milestone_id: it.milestone ?? null,
      default_version_id: it.version ?? null,
      bug_template: '',
      votesperuser: it.votesperuser,
      maxvotesperbug: it.maxvotesperbug,
      votestoconfirm: it.votestoconfirm,
    })),
  )
  await insertRows(
    tx,
    'versions',
    versions.rows.map((it) => ({
      ...{ id: it.id, product_id: it.product, name: it.name, name_key: fold(it.name) },
      ...{ natural_key: naturalKey(it.name), sort_key: 0, is_active: it.isActive },
    })),
  )
  await insertRows(
    tx,
    'milestones',
    milestones.rows.map((it) => ({
      ...{ id: it.id, product_id: it.product, name: it.name, name_key: fold(it.name) },
      ...{ sort_key: it.sortKey, is_active: it.isActive },
    })),
  )
  const components = await importComponents(context, tx, products, lookup)
  await importComponentCc(context, tx, components, lookup)
  await importGroupControls(context, tx, products, lookup)
  await importKeywords(context, tx)
  return 'done'
}

async function importClassifications(
  { staging, journal }: ImportContext,
  tx: ConfigurationTransaction,
): Promise<Set<number>> {
  const names = new UniqueNames()
  const rows = staging
    .all('select * from classifications order by id')
    .flatMap((row): (NewRow<'classifications'> & { id: number })[] => {
      const id = numberOf(row.id)
      if (!isId(id)) {
        journal.refuse('classifications', stagedText(row.id), 'its number cannot be used', row)
        return []
      }
      const name = names.take(stagedText(row.name) || `classification-${id}`, id)
      if (name !== stagedText(row.name)) journal.note('classifications', id, `renamed to ${name}`)
      journal.made('classifications')
      const [description, sort_key] = [stagedText(row.description), numberOf(row.sortkey) ?? 0]
      return [{ id, name, name_key: fold(name), description, sort_key }]
    })
  if (!rows.some(({ id }) => id === 1)) {
    const name = names.take('Unclassified', 1)
    const description = 'Products that are in no other classification.'
    rows.push({ id: 1, name, name_key: fold(name), description, sort_key: 0 })
    journal.note('classifications', 1, `created as ${name}: it was missing`)
  }
  await insertRows(tx, 'classifications', rows)
  return new Set(rows.map(({ id }) => id))
}

function productRows(
  { staging, journal }: ImportContext,
  classifications: ReadonlySet<number>,
): Map<number, ImportedProduct> {
  const names = new UniqueNames()
  const products = new Map<number, ImportedProduct>()
  for (const row of staging.all('select * from products order by id')) {
    const id = numberOf(row.id)
    if (!isId(id) || products.has(id)) {
      journal.refuse('products', stagedText(row.id), 'its number cannot be used', row)
      continue
    }
    const name = names.take(stagedText(row.name) || `product-${id}`, id)
    if (name !== stagedText(row.name)) journal.note('products', id, `renamed to ${name}`)
    const classification = numberOf(row.classification_id) ?? 1
    if (!classifications.has(classification))
      journal.note('products', id, 'its classification does not exist; it is in Unclassified now')
    products.set(id, {
      id,
      name,
      description: stagedText(row.description),
      classification: classifications.has(classification) ? classification : 1,
      isActive: flagOf(row.isactive),
      hasUnconfirmed: flagOf(row.allows_unconfirmed),
      defaultMilestone: stagedText(row.defaultmilestone) || '---',
      votesperuser: limitOf(row.votesperuser, NO_VOTES.votesperuser),
      maxvotesperbug: limitOf(row.maxvotesperbug, NO_VOTES.maxvotesperbug),
      votestoconfirm: limitOf(row.votestoconfirm, NO_VOTES.votestoconfirm),
    })
    journal.made('products')
  }
  const missing = staging.all<{ id: number | null }>(
    `select distinct product_id as id from (select product_id from bugs union select product_id from components)
      where product_id not in (select id from products) order by 1`,
  )
  for (const { id } of missing) {
    if (!isId(id ?? undefined) || id === null) continue
    const name = names.take(`Missing product ${id}`, id)
    journal.note('products', id, `created as ${name}: it does not exist, but bugs or components name it`)
    products.set(id, {
      id,
      name,
      description: 'It was deleted before the move.',
      classification: 1,
      isActive: 0,
      hasUnconfirmed: 1,
      defaultMilestone: '---',
      ...NO_VOTES,
    })
  }
  return products
}

/** A limit of votes, within what products can have here. */
function limitOf(staged: unknown, fallback: number) {
  return Math.min(Math.max(numberOf(staged as never) ?? fallback, 0), MOST_VOTES)
}

async function importKeywords({ staging, journal }: ImportContext, tx: ConfigurationTransaction) {
  const names = new UniqueNames()
  const rows = staging.all('select * from keyworddefs order by id').flatMap((row): NewRow<'keywords'>[] => {
    const id = numberOf(row.id)
    if (!isId(id)) {
      journal.refuse('keyworddefs', stagedText(row.id), 'its number cannot be used', row)
      return []
    }
    const name = names.has(stagedText(row.name))
      ? names.take(`${stagedText(row.name)}-${id}`, id)
      : names.take(stagedText(row.name), id)
    if (name !== stagedText(row.name)) journal.note('keyworddefs', id, `renamed to ${name}`)
    journal.made('keyworddefs')
    return [{ id, name, name_key: fold(name), description: stagedText(row.description) }]
  })
  await insertRows(tx, 'keywords', rows)
}
