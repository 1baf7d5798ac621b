import { restNameOf } from '../../../shared/bug-fields/field-names.ts'
import { readSettings } from '../../access/installation.ts'
import { countBugsWith, countBugsWithKeyword } from '../../changes/count-bugs.ts'
import {
  type ChangeOrigin,
  deleteBugsOfComponent,
  deleteBugsOfProduct,
  retargetSomeBugs,
} from '../../changes/effects-on-bugs.ts'
import { replaceInNextBugs, replaceSomeCustomValues, replaceSomeKeywords } from '../../changes/replace-values.ts'
import type { ConfigurationTransaction, Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { finishComponentRemoval } from '../components/change-components.ts'
import { findComponent } from '../components/component-store.ts'
import { readFieldDefinitions } from '../fields/field-store.ts'
import { finishValueRemoval as finishFieldValueRemoval, valueColumnOf } from '../fields/values/remove-value.ts'
import { isUsedByBugs } from '../fields/values/value-store.ts'
import { finishKeywordMerge } from '../keywords/change-keywords.ts'
import { findKeyword } from '../keywords/keyword-store.ts'
import { finishValueRemoval as finishMilestoneRemoval } from '../product-values/change-product-values.ts'
import { findDefaultMilestone, MILESTONE } from '../product-values/product-value-kinds.ts'
import { milestones } from '../product-values/product-value-store.ts'
import { findAnyProduct } from '../products/product-store.ts'
import { finishProductRemoval } from '../products/remove-product.ts'
import type { Removal, RemovedClass } from './removal.ts'

export interface StepRange {
  after: number
  most: number
}

export interface StepResult {
  bugs: number
  /** Where the next step begins; undefined if all bugs were looked at. */
  after: number | undefined
}

/** An object that is removed, as it is now. */
interface RemovedObject {
  /** Removes it from some bugs, or deletes them. */
  step(tx: ConfigurationTransaction, by: ChangeOrigin, range: StepRange): Promise<StepResult>
  hasBugs(tx: Db): Promise<boolean>
  /** Removes the object itself, and what is left. */
  finish(tx: ConfigurationTransaction, who: number): Promise<void>
}

/** Undefined if the object is gone. */
export function findRemovedObject(tx: Db, removal: Removal): Promise<RemovedObject | undefined> {
  return FINDERS[removal.class](tx, removal)
}

const FINDERS: Readonly<Record<RemovedClass, (tx: Db, removal: Removal) => Promise<RemovedObject | undefined>>> = {
  Product: findProduct,
  Component: findRemovedComponent,
  Milestone: findMilestone,
  FieldValue: findValue,
  Keyword: findRemovedKeyword,
}

async function findProduct(tx: Db, { object_id: id }: Removal): Promise<RemovedObject | undefined> {
  const product = await findAnyProduct(tx, id)
  if (product === undefined) return undefined
  const refuse = () => errors.product_has_bugs({ product: product.name })
  return {
    async step(inner, { who }, { most }) {
      await requireBugDeletion(inner, refuse)
      return taken(await deleteBugsOfProduct(inner, who, id, most), most)
    },
    hasBugs: async (inner) => (await countBugsWith(inner, 'product_id', id, 1)) > 0,
    finish: (inner, who) => finishProductRemoval(inner, who, product),
  }
}

async function findRemovedComponent(tx: Db, { object_id: id }: Removal): Promise<RemovedObject | undefined> {
  const component = await findComponent(tx, id)
  const product = component && (await findAnyProduct(tx, component.product_id))
  if (!component || !product) return undefined
  const refuse = () => errors.component_has_bugs({ name: component.name })
  return {
    async step(inner, { who }, { most }) {
      await requireBugDeletion(inner, refuse)
      return taken(await deleteBugsOfComponent(inner, who, id, most), most)
    },
    hasBugs: async (inner) => (await countBugsWith(inner, 'component_id', id, 1)) > 0,
    finish: (inner, who) => finishComponentRemoval(inner, { who, name: product.name }, component),
  }
}

async function requireBugDeletion(tx: Db, refusal: () => Error) {
  if (!(await readSettings(tx)).allowbugdeletion) throw refusal()
}

async function findMilestone(tx: Db, { object_id: id }: Removal): Promise<RemovedObject | undefined> {
  const row = await milestones.findById(tx, id)
  const product = row && (await findAnyProduct(tx, row.product_id))
  if (!row || !product) return undefined
  const { product_id: _, ...milestone } = row
  return {
    async step(inner, by, { most }) {
      const target = await findDefaultMilestone(inner, product)
      // Without one, or if it is this one, the last step says why it cannot go on.
      if (target === undefined || target.id === id) return { bugs: 0, after: undefined }
      return taken(await retargetSomeBugs(inner, by, milestone, target, most), most)
    },
    hasBugs: async (inner) => (await countBugsWith(inner, 'milestone_id', id, 1)) > 0,
    finish: (inner, who) => finishMilestoneRemoval(inner, MILESTONE, { ...product, who }, milestone),
  }
}

async function findValue(tx: Db, { object_id: id, replacement_id, replacement_name }: Removal) {
  const definitions = await readFieldDefinitions(tx)
  const value = definitions.valueWithId(id)
  const field = value && definitions.withId(value.field_id)
  if (!value || !field) return undefined
  const replacement = definitions.valueWithId(replacement_id ?? 0)
  if (replacement?.field_id !== field.id) throw errors.no_such_value({ of: field.name, ref: replacement_name ?? '' })
  const column = valueColumnOf(field)
  const replaced = { field: restNameOf(field.name), from: value, to: replacement }
  const found: RemovedObject = {
    async step(inner, by, range) {
      if (column !== undefined) return replaceInNextBugs(inner, by, column, replaced, range)
      const bugs = await replaceSomeCustomValues(inner, by, field.id, replaced, range.most)
      return taken(bugs, range.most)
    },
    hasBugs: (inner) => isUsedByBugs(inner, field, id),
    finish: (inner, who) => finishFieldValueRemoval(inner, who, definitions, { field, value, replacement }),
  }
  return found
}

async function findRemovedKeyword(tx: Db, { object_id: id, replacement_id, replacement_name }: Removal) {
  const keyword = await findKeyword(tx, id)
  if (keyword === undefined) return undefined
  const replacement = await findKeyword(tx, replacement_id ?? 0)
  if (replacement === undefined) throw errors.no_such_object({ what: 'keyword', ref: replacement_name ?? '' })
  const found: RemovedObject = {
    async step(inner, by, { most }) {
      const replaced = { field: 'keywords', from: keyword, to: replacement }
      return taken(await replaceSomeKeywords(inner, by, replaced, most), most)
    },
    hasBugs: async (inner) => (await countBugsWithKeyword(inner, id, 1)) > 0,
    finish: (inner, who) => finishKeywordMerge(inner, who, keyword, replacement),
  }
  return found
}

/** The bugs of a step are found by what they have, so that the next one begins at the first again. */
function taken(bugs: number, most: number): StepResult {
  return { bugs, after: bugs < most ? undefined : 0 }
}
