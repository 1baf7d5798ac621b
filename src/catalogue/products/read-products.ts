import type { Asked } from '../../access/call.ts'
import { shownLogin } from '../../people/users/shown-login.ts'
import type { FieldSelection } from '../../platform/wire/field-selection.ts'
import { componentPresenter, selectedFlagTypes } from '../components/component-json.ts'
import { listComponents } from '../components/component-store.ts'
import { flagTypesByComponent, type ScopedFlagType } from '../flag-types/flag-type.ts'
import { listFlagTypesOf } from '../flag-types/flag-type-store.ts'
import { presentMilestone } from '../milestones/milestone.ts'
import { listMilestones } from '../milestones/milestone-store.ts'
import { presentVersion } from '../versions/version.ts'
import { listVersions } from '../versions/version-store.ts'
import { listProductsVisibleTo, type ProductRow, type ProductTargets } from './product-store.ts'

/** The products that were asked for, without those that the caller may not see. What is not asked for is not read. */
export async function readProducts(asked: Asked, targets: ProductTargets) {
  const { select } = asked
  const products = await listProductsVisibleTo(asked, targets, select)
  const ids = products.map(({ id }) => id)
  const components = select.wants('components') ? await componentsOf(asked, ids) : undefined
  const versions = select.wants('versions') ? await versionsOf(asked, ids) : undefined
  const milestones = select.wants('milestones') ? await milestonesOf(asked, ids) : undefined
  return products.map((product) => ({
    ...presentProduct(product, select),
    ...(components && { components: components.get(product.id) ?? [] }),
    ...(versions && { versions: versions.get(product.id) ?? [] }),
    ...(milestones && { milestones: milestones.get(product.id) ?? [] }),
  }))
}

function presentProduct(product: ProductRow, select: FieldSelection) {
  const { id, is_active, has_unconfirmed, classification_id: _, ...texts } = product
  return {
    ...(select.wants('id') && { id }),
    ...texts,
    ...(is_active !== undefined && { is_active: is_active === 1 }),
    ...(has_unconfirmed !== undefined && { has_unconfirmed: has_unconfirmed === 1 }),
  }
}

async function componentsOf({ db, caller, settings, select }: Asked, productIds: readonly number[]) {
  const part = select.within('components')
  const rows = Map.groupBy(await listComponents(db, productIds, part), (row) => row.product_id)
  const flagTypes = part.wants('flag_types') ? await listFlagTypesOf(db, productIds) : []
  const shown = shownLogin(caller, settings)
  return new Map(
    [...rows].map(([productId, own]) => {
      const typesOf = flagTypesByComponent(flagTypes, productId)
      const flagTypesOf = eachListOnce((types) => selectedFlagTypes(types, part.within('flag_types'), shown), typesOf)
      return [productId, own.map(componentPresenter(part, { shownLogin: shown, flagTypesOf }))] as const
    }),
  )
}

/** Components with the same flag types get the same list, presented once. */
function eachListOnce(
  present: (types: readonly ScopedFlagType[]) => unknown,
  typesOf: (componentId: number) => readonly ScopedFlagType[],
) {
  const presented = new Map<readonly ScopedFlagType[], unknown>()
  return (componentId: number) => {
    const types = typesOf(componentId)
    const known = presented.get(types) ?? present(types)
    presented.set(types, known)
    return known
  }
}

async function versionsOf({ db, select }: Asked, productIds: readonly number[]) {
  const part = select.within('versions')
  const rows = Map.groupBy(await listVersions(db, productIds), (row) => row.product_id)
  return new Map([...rows].map(([id, own]) => [id, own.map((row) => part.pick(presentVersion(row)))]))
}

async function milestonesOf({ db, select }: Asked, productIds: readonly number[]) {
  const part = select.within('milestones')
  const rows = Map.groupBy(await listMilestones(db, productIds), (row) => row.product_id)
  return new Map([...rows].map(([id, own]) => [id, own.map((row) => part.pick(presentMilestone(row)))]))
}
