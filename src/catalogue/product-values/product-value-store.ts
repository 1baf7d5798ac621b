import { bugsUnfiltered } from '../../access/visibility/visible-bugs.ts'
import type { Db } from '../../platform/database/db.ts'
import { onUniqueViolation } from '../../platform/database/on-unique-violation.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { onForeignKeyViolation } from '../on-foreign-key-violation.ts'
import { naturalKey } from './natural-key.ts'
import type { ProductValue, ProductValueEdit, ProductValueRow } from './product-value.ts'

const COLUMNS = ['id', 'product_id', 'name', 'sort_key', 'is_active'] as const

interface Written extends ProductValueEdit {
  key: string
  naturalKey: string
}

/** Reads and writes the rows of one of the two tables. Versions are also ordered by their natural key: 1.9 before 1.10. */
function storeOf(what: 'version' | 'milestone') {
  const hasNaturalOrder = what === 'version'
  const table = `${what}s` as const
  const ofProducts = statement<{ productIds: string }>()((q, p, d) => {
    const rows = q
      .selectFrom(table)
      .select(COLUMNS)
      .where('product_id', 'in', d.integersIn(p.productIds))
      .orderBy('sort_key')
    return hasNaturalOrder ? rows.orderBy('natural_key' as 'name_key').orderBy('name_key') : rows.orderBy('name_key')
  })
  const byKey = statement<{ productId: number; key: string }>()((q, p) =>
    q.selectFrom(table).select(COLUMNS).where('product_id', '=', p.productId).where('name_key', '=', p.key),
  )
  const byId = statement<{ id: number }>()((q, p) => q.selectFrom(table).select(COLUMNS).where('id', '=', p.id))
  const written = (p: Readonly<Record<keyof Written, unknown>>) => ({
    name: p.name,
    name_key: p.key,
    sort_key: p.sort_key,
    is_active: p.is_active,
    ...(hasNaturalOrder && { natural_key: p.naturalKey }),
  })
  const insert = statement<Written & { productId: number }>()((q, p) =>
    q
      .insertInto(table)
      .values({ product_id: p.productId, ...written(p) } as never)
      .returning('id'),
  )
  const update = statement<Written & { id: number }>()((q, p) =>
    q
      .updateTable(table)
      .set(written(p) as never)
      .where('id', '=', p.id),
  )
  const remove = statement<{ id: number }>()((q, p) => q.deleteFrom(table).where('id', '=', p.id))
  const keysOf = ({ name }: ProductValueEdit) => ({ key: fold(name), naturalKey: naturalKey(name) })
  const nameTaken = (value: ProductValueEdit) => () => errors.name_taken({ what, name: value.name })
  const find = (db: Db, productId: number, name: string): Promise<ProductValueRow | undefined> =>
    db.first(byKey, { productId, key: fold(name.trim()) })

  return {
    find,
    findById: (db: Db, id: number): Promise<ProductValueRow | undefined> => db.first(byId, { id }),
    /** Those of these products, in order. */
    list: (db: Db, productIds: readonly number[]): Promise<ProductValueRow[]> =>
      db.all(ofProducts, { productIds: JSON.stringify(productIds) }),
    async get(db: Db, productId: number, name: string): Promise<ProductValueRow> {
      const found = await find(db, productId, name)
      if (!found) throw errors.no_such_object({ what, ref: name })
      return found
    },
    async insert(tx: Db, productId: number, value: ProductValueEdit): Promise<number> {
      const row = await onUniqueViolation(tx, nameTaken(value), () =>
        tx.first(insert, { ...value, ...keysOf(value), productId }),
      )
      return row?.id as number
    },
    async update(tx: Db, value: ProductValue) {
      await onUniqueViolation(tx, nameTaken(value), () => tx.all(update, { ...value, ...keysOf(value) }))
    },
    async remove(tx: Db, { id, name }: ProductValue) {
      await onForeignKeyViolation(tx, `The ${what} ${name}`, () => tx.all(remove, { id }))
    },
  }
}

export const versions = storeOf('version')
export const milestones = storeOf('milestone')

const anyBug = statement<{ id: number }>()((q, p) =>
  bugsUnfiltered(q, 'A version that any bug has cannot be deleted.')
    .select('bugs.id')
    .where('bugs.version_id', '=', p.id)
    .limit(1),
)

export async function versionHasBugs(tx: Db, id: number) {
  return (await tx.first(anyBug, { id })) !== undefined
}
