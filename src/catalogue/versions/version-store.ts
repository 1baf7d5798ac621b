import { bugsUnfiltered } from '../../access/visibility/visible-bugs.ts'
import type { Db } from '../../platform/database/db.ts'
import { onUniqueViolation } from '../../platform/database/on-unique-violation.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { onForeignKeyViolation } from '../on-foreign-key-violation.ts'
import { naturalKey } from './natural-key.ts'
import type { Version, VersionEdit } from './version.ts'

/** A version and the product it belongs to. */
export interface VersionRow extends Version {
  product_id: number
}

const ofProducts = statement<{ productIds: string }>()((q, p, d) =>
  q
    .selectFrom('versions')
    .select(['id', 'product_id', 'name', 'sort_key', 'is_active'])
    .where('product_id', 'in', d.integersIn(p.productIds))
    .orderBy('sort_key')
    .orderBy('natural_key')
    .orderBy('name_key'),
)
const byKey = statement<{ productId: number; key: string }>()((q, p) =>
  q
    .selectFrom('versions')
    .select(['id', 'product_id', 'name', 'sort_key', 'is_active'])
    .where('product_id', '=', p.productId)
    .where('name_key', '=', p.key),
)

/** The versions of these products, ordered by sort key and natural order: 1.9 before 1.10. */
export function listVersions(db: Db, productIds: readonly number[]): Promise<VersionRow[]> {
  return db.all(ofProducts, { productIds: JSON.stringify(productIds) })
}

export function findVersion(db: Db, productId: number, name: string): Promise<VersionRow | undefined> {
  return db.first(byKey, { productId, key: fold(name.trim()) })
}

export async function getVersion(db: Db, productId: number, name: string): Promise<VersionRow> {
  const found = await findVersion(db, productId, name)
  if (!found) throw errors.no_such_object({ what: 'version', ref: name })
  return found
}

interface Keys {
  key: string
  naturalKey: string
}

const insert = statement<VersionEdit & Keys & { productId: number }>()((q, p) =>
  q
    .insertInto('versions')
    .values({
      product_id: p.productId,
      name: p.name,
      name_key: p.key,
      natural_key: p.naturalKey,
      sort_key: p.sort_key,
      is_active: p.is_active,
    })
    .returning('id'),
)
const update = statement<Version & Keys>()((q, p) =>
  q
    .updateTable('versions')
    .set({
      name: p.name,
      name_key: p.key,
      natural_key: p.naturalKey,
      sort_key: p.sort_key,
      is_active: p.is_active,
    })
    .where('id', '=', p.id),
)
const remove = statement<{ id: number }>()((q, p) => q.deleteFrom('versions').where('id', '=', p.id))

export async function insertVersion(tx: Db, productId: number, version: VersionEdit): Promise<number> {
  const row = await onUniqueViolation(
    tx,
    () => errors.name_taken({ what: 'version', name: version.name }),
    () => tx.first(insert, { ...version, ...keysOf(version), productId }),
  )
  return row?.id as number
}

export async function updateVersion(tx: Db, version: Version) {
  await onUniqueViolation(
    tx,
    () => errors.name_taken({ what: 'version', name: version.name }),
    () => tx.all(update, { ...version, ...keysOf(version) }),
  )
}

export async function deleteVersion(tx: Db, { id, name }: Version) {
  await onForeignKeyViolation(tx, `The version ${name}`, () => tx.all(remove, { id }))
}

const anyBug = statement<{ id: number }>()((q, p) =>
  bugsUnfiltered(q, 'A version that any bug has cannot be deleted.')
    .select('bugs.id')
    .where('bugs.version_id', '=', p.id)
    .limit(1),
)

export async function versionHasBugs(tx: Db, id: number) {
  return (await tx.first(anyBug, { id })) !== undefined
}

function keysOf({ name }: VersionEdit): Keys {
  return { key: fold(name), naturalKey: naturalKey(name) }
}
