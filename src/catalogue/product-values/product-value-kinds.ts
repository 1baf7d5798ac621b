import { countBugsWith } from '../../changes/count-bugs.ts'
import { retargetBugs } from '../../changes/effects-on-bugs.ts'
import type { ConfigurationTransaction, Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import type { Rule } from '../../platform/rule.ts'
import { timeNow } from '../../platform/time/clock.ts'
import type { AdministeredProduct } from '../products/product-permissions.ts'
import { setDefaultVersion } from '../products/product-store.ts'
import type { ProductValue, ProductValueEdit } from './product-value.ts'
import { milestoneRules, versionRules } from './product-value-rules.ts'
import { milestones, versionHasBugs, versions } from './product-value-store.ts'

/** In what versions and milestones differ. */
export interface ProductValueKind {
  what: 'version' | 'milestone'
  /** In the audit log. */
  class: 'Version' | 'Milestone'
  /** The field of a bug that has it. */
  field: 'version' | 'target_milestone'
  rules: readonly Rule<ProductValueEdit>[]
  store: typeof versions
  /** Throws if the value cannot be disabled. */
  requireMayDisable(product: AdministeredProduct, value: ProductValue): void
  /** Throws if the value cannot be deleted. */
  requireMayDelete(tx: Db, product: AdministeredProduct, value: ProductValue): Promise<void>
  /** How many bugs its deletion changes, up to `most`. */
  countChangedBugs(tx: Db, value: ProductValue, most: number): Promise<number>
  beforeDeletion(tx: ConfigurationTransaction, product: AdministeredProduct, value: ProductValue): Promise<void>
  /** After one was deleted or disabled. */
  settleDefault(tx: Db, product: AdministeredProduct): Promise<void>
}

/** A version is deleted only if no bug has it and it is not the last one of its product. */
export const VERSION: ProductValueKind = {
  what: 'version',
  class: 'Version',
  field: 'version',
  rules: versionRules,
  store: versions,
  requireMayDisable() {},
  async requireMayDelete(tx, product, version) {
    if ((await versions.list(tx, [product.id])).length === 1)
      throw errors.version_is_last({ version: version.name, product: product.name })
    if (await versionHasBugs(tx, version.id)) throw errors.version_has_bugs({ version: version.name })
  },
  countChangedBugs: async () => 0,
  async beforeDeletion() {},
  /** If the default version was deleted or disabled, the first active one becomes the default. */
  async settleDefault(tx, product) {
    const all = await versions.list(tx, [product.id])
    const isUsable = all.some(({ id, is_active }) => id === product.default_version_id && is_active === 1)
    const next = all.find(({ is_active }) => is_active === 1) ?? all[0]
    if (!isUsable && next) await setDefaultVersion(tx, product.id, next.id)
  },
}

/** The default milestone stays. Bugs of another one that is deleted get it, which their history records. */
export const MILESTONE: ProductValueKind = {
  what: 'milestone',
  class: 'Milestone',
  field: 'target_milestone',
  rules: milestoneRules,
  store: milestones,
  requireMayDisable: (product, milestone) => requireNotDefault(product, milestone, 'be disabled'),
  requireMayDelete: async (_, product, milestone) => requireNotDefault(product, milestone, 'be deleted'),
  countChangedBugs: (tx, { id }, most) => countBugsWith(tx, 'milestone_id', id, most),
  async beforeDeletion(tx, product, milestone) {
    const byDefault = await findDefaultMilestone(tx, product)
    if (byDefault) await retargetBugs(tx, { who: product.who, at: timeNow() }, milestone, byDefault)
  },
  async settleDefault() {},
}

export async function findDefaultMilestone(tx: Db, product: Pick<AdministeredProduct, 'id' | 'default_milestone_id'>) {
  return (await milestones.list(tx, [product.id])).find(({ id }) => id === product.default_milestone_id)
}

function requireNotDefault(product: AdministeredProduct, milestone: ProductValue, why: string) {
  if (milestone.id === product.default_milestone_id)
    throw errors.milestone_is_default({ milestone: milestone.name, product: product.name, why })
}
