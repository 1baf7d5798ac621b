import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statement.ts'
import type { FlagType, Scope, ScopedFlagType } from './flag-type.ts'

const ofProducts = statement<{ productIds: string }>()((q, p, d) =>
  q
    .selectFrom('flag_types')
    .innerJoin('flag_type_scopes', 'flag_type_scopes.flag_type_id', 'flag_types.id')
    .selectAll('flag_types')
    .select(['flag_type_scopes.kind', 'flag_type_scopes.product_id', 'flag_type_scopes.component_id'])
    .where((scope) =>
      scope.or([
        scope('flag_type_scopes.product_id', 'is', null),
        scope('flag_type_scopes.product_id', 'in', d.integersIn(p.productIds)),
      ]),
    )
    .orderBy('flag_types.sort_key')
    .orderBy('flag_types.name_key')
    .orderBy('flag_types.id'),
)

/**
 * The flag types that may apply in any of these products, in the order in which they are shown, each with those of its inclusions and
 * exclusions that concern them.
 */
export async function listFlagTypesOf(db: Db, productIds: readonly number[]): Promise<ScopedFlagType[]> {
  const types = gathered(await db.all(ofProducts, { productIds: JSON.stringify(productIds) }))
  return types.filter(({ inclusions }) => inclusions.length > 0)
}

type ScopeRow = FlagType & { name_key: string } & { kind: 'inclusion' | 'exclusion' | null } & Scope

/** One flag type for all rows that tell of it. */
function gathered(rows: readonly ScopeRow[]): ScopedFlagType[] {
  const types = new Map<number, ScopedFlagType>()
  for (const { kind, product_id, component_id, name_key: _, ...flagType } of rows) {
    const type = types.get(flagType.id) ?? { ...flagType, inclusions: [], exclusions: [] }
    types.set(type.id, type)
    if (kind === 'inclusion') type.inclusions.push({ product_id, component_id })
    if (kind === 'exclusion') type.exclusions.push({ product_id, component_id })
  }
  return [...types.values()]
}
