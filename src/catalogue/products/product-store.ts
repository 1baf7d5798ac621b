import { sql } from 'kysely'
import { accessCondition, type ProductAccess, productConditions } from '../../access/visibility/visible-products.ts'
import type { Db } from '../../platform/database/db.ts'
import { onUniqueViolation } from '../../platform/database/on-unique-violation.ts'
import { type Placeholders, statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import type { FieldSelection } from '../../platform/wire/field-selection.ts'
import { onForeignKeyViolation } from '../on-foreign-key-violation.ts'
import type { Product, VoteLimits } from './product.ts'
import { type EditorContext, isNamedBy, noSuchProduct, type ProductKey } from './product-permissions.ts'

/** The requested products: by id, by name, and by what the caller may do in them. */
export interface ProductTargets {
  ids: readonly number[]
  names: readonly string[]
  access: readonly ProductAccess[]
}

/** A product as it is read. Columns that were not requested are missing. */
export type ProductRow = Pick<Product, 'id'> & Partial<Omit<Product, 'id'>>

/** The requested products that the caller may see, each once, ordered by name. */
export function listProductsVisibleTo(
  context: EditorContext,
  targets: ProductTargets,
  select: FieldSelection,
): Promise<ProductRow[]> {
  return context.db.query((q, d) => {
    const conditions = productConditions(d, context.caller, context.settings)
    const keys = targets.names.map((name) => fold(name.trim()))
    return q
      .selectFrom('products')
      .select('products.id')
      .$if(select.wants('name'), (it) => it.select('products.name'))
      .$if(select.wants('description'), (it) => it.select('products.description'))
      .$if(select.wants('bug_template', 'extra'), (it) => it.select('products.bug_template'))
      .$if(select.wants('is_active'), (it) => it.select('products.is_active'))
      .$if(select.wants('has_unconfirmed'), (it) => it.select('products.has_unconfirmed'))
      .$if(select.wants('classification'), (it) => it.select(classificationName))
      .$if(select.wants('default_milestone'), (it) => it.select(milestoneName))
      .$if(select.wants('default_version', 'extra'), (it) => it.select(versionName))
      .$if(select.wants('votesperuser', 'extra'), (it) => it.select('products.votesperuser'))
      .$if(select.wants('maxvotesperbug', 'extra'), (it) => it.select('products.maxvotesperbug'))
      .$if(select.wants('votestoconfirm', 'extra'), (it) => it.select('products.votestoconfirm'))
      .where((product) => {
        const isNamed = product.or([
          product('products.id', 'in', d.integersIn(JSON.stringify(targets.ids))),
          product('products.name_key', 'in', d.textsIn(JSON.stringify(keys))),
        ])
        const isAsked = targets.access.map((access) => accessCondition(access, conditions))
        return product.or([product.and([isNamed, conditions.isAccessible]), ...isAsked])
      })
      .orderBy('products.name_key')
  })
}

const classificationName =
  sql<string>`(select name from classifications where classifications.id = products.classification_id)`.as(
    'classification',
  )
const milestoneName = sql<string>`(select name from milestones where milestones.id = products.default_milestone_id)`.as(
  'default_milestone',
)
const versionName = sql<string>`(select name from versions where versions.id = products.default_version_id)`.as(
  'default_version',
)

/** The products of an update, each once, in the order of the keys. Throws 106 for the first that is hidden or missing. */
export async function getProducts(tx: Db, context: EditorContext, keys: readonly ProductKey[]): Promise<Product[]> {
  const found = new Map<number, Product>()
  for (const key of keys) {
    const product = await findWholeProduct(tx, context, key)
    found.set(product.id, product)
  }
  return [...found.values()]
}

/** The whole product, also if the caller may not see it. */
export async function findAnyProduct(tx: Db, id: number): Promise<Product | undefined> {
  const [product] = await tx.query((q) =>
    q
      .selectFrom('products')
      .selectAll('products')
      .select([classificationName, milestoneName, versionName])
      .where('id', '=', id),
  )
  return product
}

async function findWholeProduct(tx: Db, { caller, settings }: EditorContext, key: ProductKey): Promise<Product> {
  const [product] = await tx.query((q, d) =>
    q
      .selectFrom('products')
      .selectAll('products')
      .select([classificationName, milestoneName, versionName])
      .where((it) => isNamedBy(it, key))
      .where(productConditions(d, caller, settings).isAccessible),
  )
  if (!product) throw noSuchProduct(key)
  const { name_key: _, ...whole } = product
  return whole
}

export type NewProduct = Pick<
  Product,
  'name' | 'description' | 'bug_template' | 'is_active' | 'has_unconfirmed' | 'classification_id' | keyof VoteLimits
>

function changeableColumns(p: Placeholders<NewProduct & { key: string }>) {
  return {
    name: p.name,
    name_key: p.key,
    description: p.description,
    bug_template: p.bug_template,
    classification_id: p.classification_id,
    is_active: p.is_active,
    has_unconfirmed: p.has_unconfirmed,
    votesperuser: p.votesperuser,
    maxvotesperbug: p.maxvotesperbug,
    votestoconfirm: p.votestoconfirm,
  }
}

const insert = statement<NewProduct & { key: string }>()((q, p) =>
  q.insertInto('products').values(changeableColumns(p)).returning('id'),
)
const update = statement<Product & { key: string }>()((q, p) =>
  q
    .updateTable('products')
    .set({
      ...changeableColumns(p),
      default_milestone_id: p.default_milestone_id,
      default_version_id: p.default_version_id,
    })
    .where('id', '=', p.id),
)
const updateDefaultMilestone = statement<{ id: number; milestoneId: number }>()((q, p) =>
  q.updateTable('products').set({ default_milestone_id: p.milestoneId }).where('id', '=', p.id),
)
const updateDefaultVersion = statement<{ id: number; versionId: number }>()((q, p) =>
  q.updateTable('products').set({ default_version_id: p.versionId }).where('id', '=', p.id),
)
const remove = statement<{ id: number }>()((q, p) => q.deleteFrom('products').where('id', '=', p.id))

export async function insertProduct(tx: Db, product: NewProduct): Promise<number> {
  const row = await onUniqueViolation(
    tx,
    () => errors.product_exists({ name: product.name }),
    () => tx.first(insert, { ...product, key: fold(product.name) }),
  )
  return row?.id as number
}

export async function updateProduct(tx: Db, product: Product) {
  await onUniqueViolation(
    tx,
    () => errors.product_exists({ name: product.name }),
    () => tx.all(update, { ...product, key: fold(product.name) }),
  )
}

export async function setDefaultMilestone(tx: Db, id: number, milestoneId: number) {
  await tx.all(updateDefaultMilestone, { id, milestoneId })
}

export async function setDefaultVersion(tx: Db, id: number, versionId: number) {
  await tx.all(updateDefaultVersion, { id, versionId })
}

/** Deletes a product with its components, versions, milestones, group controls and series. */
export async function deleteProduct(tx: Db, { id, name }: Product) {
  await onForeignKeyViolation(tx, `The product ${name}`, () => tx.all(remove, { id }))
}
