import { type Changes, recordAudit, recordCreation, recordRemoval } from '../../changes/audit.ts'
import { changesBetween } from '../../changes/changes-between.ts'
import { retargetBugs } from '../../changes/effects-on-bugs.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { enforce } from '../../platform/rule.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { changeCatalogue } from '../change-catalogue.ts'
import { requireControlsNothing } from '../controlled-fields.ts'
import {
  type AdministeredProduct,
  type EditorContext,
  getAdministeredProduct,
  keyIn,
} from '../products/product-permissions.ts'
import { editOf, type Milestone, NEW_MILESTONE, type WantedMilestone } from './milestone.ts'
import { milestoneRules } from './milestone-rules.ts'
import { deleteMilestone, getMilestone, insertMilestone, listMilestones, updateMilestone } from './milestone-store.ts'

export async function createMilestone(
  context: EditorContext,
  productRef: string,
  wanted: WantedMilestone,
): Promise<number> {
  return changeCatalogue(context.db, async (tx) => {
    const product = await getAdministeredProduct(tx, context, keyIn(productRef))
    const milestone = editOf(NEW_MILESTONE, wanted)
    enforce(milestoneRules, milestone)
    const id = await insertMilestone(tx, product.id, milestone)
    await recordCreation(tx, { who: product.who, class: 'Milestone', objectId: id }, milestone.name)
    return id
  })
}

/** Makes the same changes to several milestones: to all, or to none if one fails. Bugs and the default keep a renamed milestone. */
export async function updateMilestones(
  context: EditorContext,
  productRef: string,
  names: readonly string[],
  wanted: WantedMilestone,
): Promise<{ id: number; changes: Changes }[]> {
  return changeCatalogue(context.db, async (tx) => {
    const product = await getAdministeredProduct(tx, context, keyIn(productRef))
    const milestones = new Map<number, Milestone>()
    for (const name of names) {
      const { product_id: _, ...milestone } = await getMilestone(tx, product.id, name)
      milestones.set(milestone.id, milestone)
    }
    if (milestones.size > 1 && wanted.name !== undefined)
      throw errors.one_at_a_time({ name: 'name', what: 'milestone' })
    const updated = []
    for (const before of milestones.values()) {
      const changes = await updateOne(tx, product, before, wanted)
      updated.push({ id: before.id, changes })
    }
    return updated
  })
}

async function updateOne(
  tx: Db,
  product: AdministeredProduct,
  before: Milestone,
  wanted: WantedMilestone,
): Promise<Changes> {
  const after = { id: before.id, ...editOf(before, wanted) }
  enforce(milestoneRules, after)
  if (after.is_active === 0) requireNotDefault(product, before, 'be disabled')
  await updateMilestone(tx, after)
  const changes = changesBetween({ ...before }, { ...after })
  await recordAudit(tx, { who: product.who, class: 'Milestone', objectId: before.id }, changes)
  return changes
}

/** Deletes a milestone. Its bugs get the default milestone of the product, which their history records. */
export async function removeMilestone(context: EditorContext, productRef: string, name: string): Promise<Milestone> {
  return changeCatalogue(context.db, async (tx) => {
    const product = await getAdministeredProduct(tx, context, keyIn(productRef))
    const { who } = product
    const milestone = await getMilestone(tx, product.id, name)
    requireNotDefault(product, milestone, 'be deleted')
    await requireControlsNothing(tx, 'target_milestone', [milestone.id], `The milestone ${milestone.name}`)
    const byDefault = (await listMilestones(tx, [product.id])).find(({ id }) => id === product.default_milestone_id)
    if (byDefault) await retargetBugs(tx, { who, at: timeNow() }, milestone, byDefault)
    await deleteMilestone(tx, milestone)
    await recordRemoval(tx, { who, class: 'Milestone', objectId: milestone.id }, milestone.name)
    return milestone
  })
}

function requireNotDefault(product: AdministeredProduct, milestone: Milestone, what: string) {
  if (milestone.id === product.default_milestone_id)
    throw errors.milestone_is_default({ milestone: milestone.name, product: product.name, why: what })
}
