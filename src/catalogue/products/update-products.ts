import { type Changes, recordAudit } from '../../changes/audit.ts'
import { changesBetween } from '../../changes/changes-between.ts'
import { confirmProductByVotes } from '../../changes/votes/confirm-by-votes.ts'
import { cutVotesInProduct } from '../../changes/votes/cut-votes.ts'
import type { ConfigurationTransaction, Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { enforce } from '../../platform/rule.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { changeCatalogue } from '../change-catalogue.ts'
import { getVisibleClassification } from '../classifications/classification-store.ts'
import { milestones, versions } from '../product-values/product-value-store.ts'
import { renameInSearches } from '../rename-in-searches.ts'
import { renameProductInSeries } from '../series/series-store.ts'
import { type Product, updatableForm, type WantedChanges, withProductChanges } from './product.ts'
import type { EditorContext, ProductKey } from './product-permissions.ts'
import { productRules } from './product-rules.ts'
import { getProducts, updateProduct } from './product-store.ts'

/** Makes the same changes to several products: to all of them, or to none if one fails. */
export async function updateProducts(
  context: EditorContext,
  who: number,
  keys: readonly ProductKey[],
  wanted: WantedChanges,
): Promise<{ id: number; changes: Changes }[]> {
  return changeCatalogue(context.db, async (tx) => {
    const products = await getProducts(tx, context, keys)
    if (products.length > 1 && wanted.name !== undefined) throw errors.one_at_a_time({ name: 'name', what: 'product' })
    const updated = []
    for (const before of products)
      updated.push({ id: before.id, changes: await updateOne(tx, context, who, before, wanted) })
    return updated
  })
}

async function updateOne(
  tx: ConfigurationTransaction,
  context: EditorContext,
  who: number,
  before: Product,
  wanted: WantedChanges,
): Promise<Changes> {
  const after = {
    ...withProductChanges(before, wanted),
    ...(await milestoneIn(tx, before, wanted.default_milestone)),
    ...(await versionIn(tx, before, wanted.default_version)),
    ...(await classificationNamed(tx, context, wanted.classification)),
  }
  enforce(productRules, after)
  await updateProduct(tx, after)
  if (after.name !== before.name) {
    await renameProductInSeries(tx, before.id, after.name)
    await renameInSearches(tx, 'product', before.name, after.name)
  }
  const changes = changesBetween(updatableForm(before), updatableForm(after))
  await recordAudit(tx, { who, class: 'Product', objectId: before.id }, changes)
  await applyVoteLimits(tx, who, before, after)
  return changes
}

/** Votes that the product no longer allows are cut, and bugs that now have enough of them are confirmed. */
async function applyVoteLimits(tx: ConfigurationTransaction, who: number, before: Product, after: Product) {
  const by = { who, at: timeNow() }
  if (after.votesperuser < before.votesperuser || after.maxvotesperbug < before.maxvotesperbug)
    await cutVotesInProduct(tx, by, after.id)
  if (after.votestoconfirm !== before.votestoconfirm) await confirmProductByVotes(tx, by, after.id)
}

async function milestoneIn(tx: Db, product: Product, name: string | undefined) {
  if (name === undefined) return {}
  const milestone = await milestones.find(tx, product.id, name)
  if (!milestone || milestone.is_active === 0) throw errors.default_milestone_wrong({ product: product.name, name })
  return { default_milestone_id: milestone.id, default_milestone: milestone.name }
}

async function versionIn(tx: Db, product: Product, name: string | undefined) {
  if (name === undefined) return {}
  const version = await versions.find(tx, product.id, name)
  if (!version || version.is_active === 0) throw errors.default_version_wrong({ product: product.name, name })
  return { default_version_id: version.id, default_version: version.name }
}

async function classificationNamed(tx: Db, { caller, settings }: EditorContext, name: string | undefined) {
  if (name === undefined) return {}
  const classification = await getVisibleClassification(tx, caller, settings, name)
  return { classification_id: classification.id, classification: classification.name }
}
