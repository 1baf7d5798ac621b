import { sql } from 'kysely'
import type { CallContext } from '../../access/call.ts'
import { loginFor } from '../../access/visibility/reader-rights.ts'
import { productConditions } from '../../access/visibility/visible-products.ts'
import { flagTypesByComponent } from '../flag-types/flag-type.ts'
import { listFlagTypesOf } from '../flag-types/flag-type-store.ts'
import { getVisibleProduct } from '../products/product-permissions.ts'
import { rotationNames } from '../rotations/rotation-names.ts'
import { type ComponentKey, noSuchComponent } from './change-components.ts'
import type { Component } from './component.ts'
import { componentPresenter, type ShownLogin, selectedFlagTypes } from './component-json.ts'
import { findComponent, findComponentId } from './component-store.ts'

/** One component with the name of its product. Callers who may change it also get its default CC list. */
export async function readComponent(context: CallContext, key: ComponentKey) {
  const { db, select } = context
  const component = await findComponent(db, await idOf(context, key))
  const product = component && (await findProductOf(context, component.product_id))
  if (!component || !product) throw noSuchComponent('id' in key ? String(key.id) : key.component)
  const shown = (login: string) => loginFor(login, context)
  const present = componentPresenter(select, shown, await rotationNames(context))
  const row = {
    ...component,
    default_assigned_to: component.default_assignee?.login ?? '',
    default_qa_contact: component.default_qa_contact?.login ?? '',
    triage_owner: component.triage_owner?.login ?? null,
    rotation_id: component.triage_rotation?.id ?? null,
  }
  const default_cc = component.default_cc.map(({ login }) => login)
  return {
    ...present(row),
    ...(select.wants('flag_types') && { flag_types: await flagTypesOf(context, component, shown) }),
    ...select.pick({ product: product.name, ...(product.is_administered && { default_cc }) }),
  }
}

async function flagTypesOf({ db, select }: CallContext, { id, product_id }: Component, shown: ShownLogin) {
  const flagTypes = await listFlagTypesOf(db, [product_id])
  return selectedFlagTypes(flagTypesByComponent(flagTypes, product_id)(id), select.within('flag_types'), shown)
}

async function idOf(context: CallContext, key: ComponentKey): Promise<number> {
  if ('id' in key) return key.id
  const { id } = await getVisibleProduct(context, key.product)
  return (await findComponentId(context.db, id, key.component)) ?? NO_COMPONENT
}

const NO_COMPONENT = 0

async function findProductOf({ db, caller, settings }: CallContext, productId: number) {
  const [product] = await db.query((q, d) => {
    const conditions = productConditions(d, caller, settings)
    return q
      .selectFrom('products')
      .select(['id', 'name', sql<boolean>`${conditions.grants('editcomponents')}`.as('is_administered')])
      .where('id', '=', productId)
      .where(conditions.isAccessible)
  })
  return product
}
