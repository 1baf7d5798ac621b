import type { Db } from '../../platform/database/db.ts'
import type { Builder } from '../../platform/database/statements/builder.ts'
import { type Placeholders, statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import type { FlagTarget, FlagType, ScopedFlagType, ScopeIds } from './flag-type.ts'

const ofProducts = statement<{ productIds: string }>()((q, p, d) =>
  typesWithScopes(q).where((scope) =>
    scope.or([
      scope('flag_type_scopes.product_id', 'is', null),
      scope('flag_type_scopes.product_id', 'in', d.integersIn(p.productIds)),
    ]),
  ),
)
const byIds = statement<{ ids: string }>()((q, p, d) =>
  typesWithScopes(q).where('flag_types.id', 'in', d.integersIn(p.ids)),
)
const byNames = statement<{ keys: string }>()((q, p, d) =>
  typesWithScopes(q).where('flag_types.name_key', 'in', d.textsIn(p.keys)),
)
const byTarget = statement<{ target: FlagTarget }>()((q, p) =>
  typesWithScopes(q).where('flag_types.target', '=', p.target),
)

/** One row for each inclusion and exclusion, and one for a type without any. Types are in display order. */
function typesWithScopes(q: Builder) {
  return q
    .selectFrom('flag_types')
    .leftJoin('flag_type_scopes', 'flag_type_scopes.flag_type_id', 'flag_types.id')
    .selectAll('flag_types')
    .select(['flag_type_scopes.kind', 'flag_type_scopes.product_id', 'flag_type_scopes.component_id'])
    .orderBy('flag_types.sort_key')
    .orderBy('flag_types.name_key')
    .orderBy('flag_types.id')
    .orderBy('flag_type_scopes.id')
}

/**
 * The flag types that may apply in one of these products. Each has only the inclusions and exclusions of these products, so it must not
 * be saved.
 */
export async function listFlagTypesOf(db: Db, productIds: readonly number[]): Promise<ScopedFlagType[]> {
  const types = joinScopes(await db.all(ofProducts, { productIds: JSON.stringify(productIds) }))
  return types.filter(({ inclusions }) => inclusions.length > 0)
}

/** The flag types with these ids, in their order, each once. Throws for a missing one, and for one that fails `isKnown`. */
export async function getFlagTypes(
  db: Db,
  ids: readonly number[],
  isKnown: (type: ScopedFlagType) => boolean = () => true,
): Promise<ScopedFlagType[]> {
  if (ids.length === 0) return []
  const types = joinScopes(await db.all(byIds, { ids: JSON.stringify(ids) })).filter(isKnown)
  const found = new Map(types.map((type) => [type.id, type]))
  return [...new Set(ids)].map((id) => found.get(id) ?? noSuchFlagType(id))
}

function noSuchFlagType(id: number): never {
  throw errors.no_such_object({ what: 'flag type', ref: String(id) })
}

/** All flag types with one of these names. Several can have the same name. */
export async function listFlagTypesNamed(db: Db, names: readonly string[]): Promise<ScopedFlagType[]> {
  if (names.length === 0) return []
  return joinScopes(await db.all(byNames, { keys: JSON.stringify(names.map((name) => fold(name.trim()))) }))
}

export async function listFlagTypesFor(db: Db, target: FlagTarget): Promise<ScopedFlagType[]> {
  return joinScopes(await db.all(byTarget, { target }))
}

type Row = FlagType & { name_key: string; kind: Kind | null } & ScopeIds
type Kind = 'inclusion' | 'exclusion'

/** Joins the rows of each flag type. */
function joinScopes(rows: readonly Row[]): ScopedFlagType[] {
  const types = new Map<number, ScopedFlagType>()
  for (const { kind, product_id, component_id, name_key: _, ...flagType } of rows) {
    const type = types.get(flagType.id) ?? { ...flagType, inclusions: [], exclusions: [] }
    types.set(type.id, type)
    if (kind === 'inclusion') type.inclusions.push({ product_id, component_id })
    if (kind === 'exclusion') type.exclusions.push({ product_id, component_id })
  }
  return [...types.values()]
}

type ChangeableFlagType = Omit<FlagType, 'id' | 'target'> & { name_key: string }

function changeableColumns(p: Placeholders<ChangeableFlagType>) {
  return {
    name: p.name,
    name_key: p.name_key,
    description: p.description,
    sort_key: p.sort_key,
    is_active: p.is_active,
    is_requestable: p.is_requestable,
    is_requesteeble: p.is_requesteeble,
    is_multiplicable: p.is_multiplicable,
    is_question: p.is_question,
    cc_list: p.cc_list,
    grant_group_id: p.grant_group_id,
    request_group_id: p.request_group_id,
  }
}

const insert = statement<ChangeableFlagType & Pick<FlagType, 'target'>>()((q, p) =>
  q
    .insertInto('flag_types')
    .values({ ...changeableColumns(p), target: p.target })
    .returning('id'),
)
const update = statement<ChangeableFlagType & Pick<FlagType, 'id'>>()((q, p) =>
  q.updateTable('flag_types').set(changeableColumns(p)).where('id', '=', p.id),
)
const remove = statement<{ id: number }>()((q, p) => q.deleteFrom('flag_types').where('id', '=', p.id))

export async function insertFlagType(tx: Db, type: Omit<FlagType, 'id'>): Promise<number> {
  const row = await tx.first(insert, { ...type, name_key: fold(type.name) })
  return row?.id as number
}

export async function updateFlagType(tx: Db, type: FlagType) {
  await tx.all(update, { ...type, name_key: fold(type.name) })
}

/** Its flags must be deleted before. Fails if another transaction has just set one. */
export async function deleteFlagType(tx: Db, { id, name }: FlagType) {
  try {
    await tx.all(remove, { id })
  } catch (fault) {
    throw tx.dialect.isForeignKeyViolation(fault) ? errors.flag_just_set({ flag: name }) : fault
  }
}

const removeScopes = statement<{ id: number; kind: Kind }>()((q, p) =>
  q.deleteFrom('flag_type_scopes').where('flag_type_id', '=', p.id).where('kind', '=', p.kind),
)
const ROWS_AT_ONCE = 1000

export async function replaceScopes(tx: Db, id: number, kind: Kind, scopes: readonly ScopeIds[]) {
  await tx.all(removeScopes, { id, kind })
  for (let start = 0; start < scopes.length; start += ROWS_AT_ONCE) {
    const rows = scopes.slice(start, start + ROWS_AT_ONCE).map((scope) => ({ flag_type_id: id, kind, ...scope }))
    await tx.query((q) => q.insertInto('flag_type_scopes').values(rows))
  }
}
