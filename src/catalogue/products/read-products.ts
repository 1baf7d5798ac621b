import type { CallContext } from '../../access/call.ts'
import { loginFor, seesAddresses } from '../../access/visibility/reader-rights.ts'
import type { FieldSelection } from '../../platform/wire/field-selection.ts'
import { JsonText } from '../../platform/wire/json/json-text.ts'
import {
  componentPresenter,
  type RotationNames,
  type ShownLogin,
  selectedFlagTypes,
} from '../components/component-json.ts'
import { listComponents } from '../components/component-store.ts'
import { flagTypesByComponent, type ScopedFlagType } from '../flag-types/flag-type.ts'
import { listFlagTypesOf } from '../flag-types/flag-type-store.ts'
import { largeAnswers } from '../large-answers.ts'
import { presentProductValue } from '../product-values/product-value.ts'
import { milestones, versions } from '../product-values/product-value-store.ts'
import { rotationNames } from '../rotations/rotation-names.ts'
import { listFilingOptions } from './filing.ts'
import { listProductsVisibleTo, type ProductRow, type ProductTargets } from './product-store.ts'

const keptAnswers = largeAnswers()

/** The requested products that the caller may see. Fields that are not selected are not read. */
export async function readProducts(context: CallContext, targets: ProductTargets): Promise<JsonText> {
  const products = await listProductsVisibleTo(context, targets, context.select)
  // What one caller can choose is never returned to another.
  if (context.select.wants('filing', 'extra'))
    return new JsonText(await answerText(context, products, await rotationsShown(context)))
  const answers = await context.catalogue(keptAnswers)
  const rotations = await rotationsShown(context)
  const key = keyOf(context, products, rotations)
  const kept = answers.get(key)
  if (kept) return kept
  const answer = new JsonText(await answerText(context, products, rotations))
  answers.keep(key, answer)
  return answer
}

/** Whose turn it is changes without a change of the catalogue. */
async function rotationsShown(context: CallContext): Promise<RotationNames> {
  const part = context.select.within('components')
  const isShown = context.select.wants('components') && (part.wants('triage_owner') || part.wants('triage_rotation'))
  return isShown ? rotationNames(context) : new Map()
}

/** Everything that the response depends on besides the catalogue. */
function keyOf(context: CallContext, products: readonly ProductRow[], rotations: RotationNames) {
  const { include_fields = null, exclude_fields = null } = context.rawParams
  const isCut = !seesAddresses(context)
  return JSON.stringify([products.map(({ id }) => id), include_fields, exclude_fields, isCut, [...rotations]])
}

async function answerText(
  context: CallContext,
  products: readonly ProductRow[],
  rotations: RotationNames,
): Promise<string> {
  const { select } = context
  const ids = products.map(({ id }) => id)
  const components = select.wants('components') ? await componentsOf(context, ids, rotations) : undefined
  const versions = select.wants('versions') ? await versionsOf(context, ids) : undefined
  const milestones = select.wants('milestones') ? await milestonesOf(context, ids) : undefined
  const filing = select.wants('filing', 'extra') ? await listFilingOptions(context, ids) : undefined
  const texts = products.map((product) => {
    const shown = {
      ...presentProduct(product, select),
      ...(filing && { filing: filing.get(product.id) ?? null }),
      ...(versions && { versions: versions.get(product.id) ?? [] }),
      ...(milestones && { milestones: milestones.get(product.id) ?? [] }),
    }
    return components ? withPart(shown, 'components', `[${components.get(product.id) ?? ''}]`) : JSON.stringify(shown)
  })
  return `{"products":[${texts.join()}]}`
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

/** The components of each product as JSON. There may be many, so text that they share is written once. */
async function componentsOf(context: CallContext, productIds: readonly number[], rotations: RotationNames) {
  const { db, select } = context
  const part = select.within('components')
  const rows = Map.groupBy(await listComponents(db, productIds, part), (row) => row.product_id)
  const flagTypes = part.wants('flag_types') ? await listFlagTypesOf(db, productIds) : undefined
  const shown = (login: string) => loginFor(login, context)
  const present = componentPresenter(part, shown, rotations)
  return new Map(
    [...rows].map(([productId, own]) => {
      const flagTypesOf = flagTypes && writtenFlagTypes(flagTypes, productId, part.within('flag_types'), shown)
      const texts = own.map((row) =>
        flagTypesOf ? withPart(present(row), 'flag_types', flagTypesOf(row.id)) : JSON.stringify(present(row)),
      )
      return [productId, texts.join()] as const
    }),
  )
}

/** Components with the same flag types get the same text. */
function writtenFlagTypes(
  flagTypes: readonly ScopedFlagType[],
  productId: number,
  select: FieldSelection,
  shown: ShownLogin,
) {
  const typesOf = flagTypesByComponent(flagTypes, productId)
  const written = new Map<string, string>()
  return (componentId: number) => {
    const types = typesOf(componentId)
    const key = types.map(({ id }) => id).join()
    const text = written.get(key) ?? JSON.stringify(selectedFlagTypes(types, select, shown))
    written.set(key, text)
    return text
  }
}

/** The object as JSON, with one more property whose value already is JSON. */
function withPart(whole: object, name: string, json: string) {
  const text = JSON.stringify(whole)
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}"${name}":${json}}`
}

async function versionsOf({ db, select }: CallContext, productIds: readonly number[]) {
  const part = select.within('versions')
  const rows = Map.groupBy(await versions.list(db, productIds), (row) => row.product_id)
  return new Map([...rows].map(([id, own]) => [id, own.map((row) => part.pick(presentProductValue(row)))]))
}

async function milestonesOf({ db, select }: CallContext, productIds: readonly number[]) {
  const part = select.within('milestones')
  const rows = Map.groupBy(await milestones.list(db, productIds), (row) => row.product_id)
  return new Map([...rows].map(([id, own]) => [id, own.map((row) => part.pick(presentProductValue(row)))]))
}
