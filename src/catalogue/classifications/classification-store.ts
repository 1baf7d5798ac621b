import { type Caller, isIn } from '../../access/caller.ts'
import { productConditions } from '../../access/visibility/visible-products.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/db.ts'
import { onUniqueViolation } from '../../platform/database/on-unique-violation.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { onForeignKeyViolation } from '../on-foreign-key-violation.ts'
import { type Classification, type ClassificationEdit, UNCLASSIFIED_ID } from './classification.ts'

const COLUMNS = ['id', 'name', 'description', 'sort_key'] as const

const byKey = statement<{ key: string }>()((q, p) =>
  q.selectFrom('classifications').select(COLUMNS).where('name_key', '=', p.key),
)
const byId = statement<{ id: number }>()((q, p) =>
  q.selectFrom('classifications').select(COLUMNS).where('id', '=', p.id),
)

function findClassificationByName(db: Db, name: string): Promise<Classification | undefined> {
  return db.first(byKey, { key: fold(name.trim()) })
}

/** Finds it by name, or by id if no classification has this name. */
export async function getClassification(db: Db, ref: string): Promise<Classification> {
  const id = idIn(ref)
  const found =
    (await findClassificationByName(db, ref)) ?? (id === undefined ? undefined : await db.first(byId, { id }))
  if (!found) throw noSuchClassification(ref)
  return found
}

/** Finds it by name among those that the caller may see. Throws the same error for a hidden and a missing classification. */
export async function getVisibleClassification(
  db: Db,
  caller: Caller,
  settings: Settings,
  name: string,
): Promise<Classification> {
  const key = fold(name.trim())
  const found = (await listClassificationsVisibleTo(db, caller, settings)).find((it) => fold(it.name) === key)
  if (!found) throw noSuchClassification(name)
  return found
}

export function noSuchClassification(ref: string) {
  return errors.no_such_object({ what: 'classification', ref })
}

/** A product as its classification lists it. */
export interface ListedProduct {
  id: number
  name: string
  description: string
  classification_id: number
}

/** The products that the caller may see, ordered by name. */
export function listProductsInClassifications(db: Db, caller: Caller, settings: Settings): Promise<ListedProduct[]> {
  return db.query((q, d) =>
    q
      .selectFrom('products')
      .select(['id', 'name', 'description', 'classification_id'])
      .where(productConditions(d, caller, settings).isAccessible)
      .orderBy('name_key'),
  )
}

/** Ordered by sort key and name. Callers without editclassifications see only those with a product that they may see. */
export function listClassificationsVisibleTo(db: Db, caller: Caller, settings: Settings): Promise<Classification[]> {
  return db.query((q, d) => {
    const all = q.selectFrom('classifications').select(COLUMNS).orderBy('sort_key').orderBy('name_key')
    if (isIn(caller, 'editclassifications')) return all
    return all.where((classification) =>
      classification.exists(
        classification
          .selectFrom('products')
          .select('products.id')
          .whereRef('products.classification_id', '=', 'classifications.id')
          .where(productConditions(d, caller, settings).isAccessible),
      ),
    )
  })
}

const insert = statement<ClassificationEdit & { key: string }>()((q, p) =>
  q
    .insertInto('classifications')
    .values({ name: p.name, name_key: p.key, description: p.description, sort_key: p.sort_key })
    .returning('id'),
)
const update = statement<Classification & { key: string }>()((q, p) =>
  q
    .updateTable('classifications')
    .set({ name: p.name, name_key: p.key, description: p.description, sort_key: p.sort_key })
    .where('id', '=', p.id),
)
const remove = statement<{ id: number }>()((q, p) => q.deleteFrom('classifications').where('id', '=', p.id))
const empty = statement<{ id: number }>()((q, p) =>
  q
    .updateTable('products')
    .set({ classification_id: UNCLASSIFIED_ID })
    .where('classification_id', '=', p.id)
    .returning('id'),
)

export async function insertClassification(tx: Db, classification: ClassificationEdit): Promise<number> {
  const { name } = classification
  const row = await onUniqueViolation(
    tx,
    () => errors.name_taken({ what: 'classification', name }),
    () => tx.first(insert, { ...classification, key: fold(name) }),
  )
  return row?.id as number
}

export async function updateClassification(tx: Db, classification: Classification) {
  const { name } = classification
  await onUniqueViolation(
    tx,
    () => errors.name_taken({ what: 'classification', name }),
    () => tx.all(update, { ...classification, key: fold(name) }),
  )
}

export async function deleteClassification(tx: Db, { id, name }: Classification) {
  await onForeignKeyViolation(tx, `The classification ${name}`, () => tx.all(remove, { id }))
}

/** Moves the products of a classification to the default one. Returns their ids. */
export async function emptyClassification(tx: Db, id: number): Promise<number[]> {
  return (await tx.all(empty, { id })).map((row) => row.id)
}
