import { type Changes, recordAudit, recordCreation, recordRemoval } from '../../changes/audit.ts'
import { changesBetween } from '../../changes/changes-between.ts'
import { countBugsWith } from '../../changes/count-bugs.ts'
import { deleteBugsOfComponent } from '../../changes/effects-on-bugs.ts'
import type { ConfigurationTransaction, Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { enforce } from '../../platform/rule.ts'
import { changeCatalogue } from '../change-catalogue.ts'
import { requireControlsNothing } from '../controlled-fields.ts'
import {
  type AdministeredProduct,
  type EditorContext,
  findAdministeredProduct,
  getAdministeredProduct,
  keyIn,
} from '../products/product-permissions.ts'
import { beginRemoval, mostCounted, needsSteps } from '../removals/begin-removal.ts'
import type { Removal } from '../removals/removal.ts'
import { insertComponentSeries, renameComponentInSeries } from '../series/series-store.ts'
import { type Component, NEW_COMPONENT, type WantedComponent, writtenForm } from './component.ts'
import { changedComponent } from './component-edit.ts'
import { componentRules } from './component-rules.ts'
import {
  deleteComponent,
  findComponent,
  findComponentId,
  insertComponent,
  isLastComponent,
  updateComponent,
} from './component-store.ts'

/** A reference to a component: its id, or its product and name. */
export type ComponentKey = { id: number } | { product: string; component: string }

export async function createComponent(
  context: EditorContext,
  productName: string,
  wanted: WantedComponent,
  withSeries: boolean,
): Promise<number> {
  return changeCatalogue(context.db, async (tx) => {
    const product = await getAdministeredProduct(tx, context, { name: productName })
    const component = await changedComponent(tx, NEW_COMPONENT, wanted)
    enforce(componentRules, component)
    const id = await insertComponent(tx, product, component)
    if (withSeries) await insertComponentSeries(tx, product.who, product, [{ id, name: component.name }])
    await recordCreation(tx, { who: product.who, class: 'Component', objectId: id }, component.name)
    return id
  })
}

/** Makes the same changes to several components: to all of them, or to none if one fails. Bugs keep a component that is renamed. */
export async function updateComponents(
  context: EditorContext,
  keys: readonly ComponentKey[],
  wanted: WantedComponent,
): Promise<{ id: number; changes: Changes }[]> {
  return changeCatalogue(context.db, async (tx) => {
    const found = new Map<number, Administered>()
    for (const key of keys) {
      const administered = await getAdministeredComponent(tx, context, key)
      found.set(administered.component.id, administered)
    }
    if (found.size > 1 && wanted.name !== undefined) throw errors.one_at_a_time({ name: 'name', what: 'component' })
    const updated = []
    for (const [id, it] of found) updated.push({ id, changes: await updateOne(tx, it, wanted) })
    return updated
  })
}

async function updateOne(
  tx: Db,
  { product, component: before }: Administered,
  wanted: WantedComponent,
): Promise<Changes> {
  const after = await changedComponent(tx, before, wanted)
  enforce(componentRules, after)
  await updateComponent(tx, product, before.id, after)
  if (after.name !== before.name) await renameComponentInSeries(tx, before.id, after.name)
  const changes = changesBetween(writtenForm(before), writtenForm(after))
  await recordAudit(tx, { who: product.who, class: 'Component', objectId: before.id }, changes)
  return changes
}

/** Deletes a component, but not the last one of its product. With allowbugdeletion its bugs are deleted too; `inSteps` as for products. */
export function removeComponent(
  context: EditorContext,
  key: ComponentKey,
  inSteps: boolean,
): Promise<{ component: Component; removal: Removal | undefined }> {
  return changeCatalogue(context.db, async (tx) => {
    const { product, component } = await getAdministeredComponent(tx, context, key)
    const { id, name } = component
    const { who } = product
    const bugs = await countBugsWith(tx, 'component_id', id, mostCounted(inSteps))
    await requireMayRemove(tx, product, component)
    if (!context.settings.allowbugdeletion && bugs > 0) throw errors.component_has_bugs({ name })
    await requireControlsNothing(tx, 'component', [id], `The component ${name}`)
    if (!needsSteps(bugs, inSteps, name)) {
      await finishComponentRemoval(tx, product, component)
      return { component, removal: undefined }
    }
    await updateOne(tx, { product, component }, { is_open: false })
    return { component, removal: await beginRemoval(tx, who, { class: 'Component', objectId: id, name, bugs }) }
  })
}

async function requireMayRemove(tx: Db, product: { name: string }, component: Component) {
  if (await isLastComponent(tx, component))
    throw errors.component_is_last({ product: product.name, name: component.name })
}

/** Deletes the bugs that are left, and the component. */
export async function finishComponentRemoval(
  tx: ConfigurationTransaction,
  product: { who: number; name: string },
  component: Component,
) {
  const { id, name } = component
  const { who } = product
  await requireMayRemove(tx, product, component)
  await requireControlsNothing(tx, 'component', [id], `The component ${name}`)
  await deleteBugsOfComponent(tx, who, id)
  await deleteComponent(tx, component)
  await recordRemoval(tx, { who, class: 'Component', objectId: id }, name)
}

interface Administered {
  product: AdministeredProduct
  component: Component
}

/** Throws the same error for a component of a hidden product and for a missing one. */
async function getAdministeredComponent(tx: Db, context: EditorContext, key: ComponentKey): Promise<Administered> {
  if ('id' in key) {
    const component = await findComponent(tx, key.id)
    const product = await findAdministeredProduct(tx, context, { id: component?.product_id ?? NO_PRODUCT })
    if (!component || !product) throw noSuchComponent(String(key.id))
    return { product, component }
  }
  const product = await getAdministeredProduct(tx, context, keyIn(key.product))
  const id = await findComponentId(tx, product.id, key.component)
  const component = id === undefined ? undefined : await findComponent(tx, id)
  if (!component) throw noSuchComponent(key.component)
  return { product, component }
}

const NO_PRODUCT = 0

export function noSuchComponent(ref: string) {
  return errors.no_such_object({ what: 'component', ref })
}
