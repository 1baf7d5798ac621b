import type { Db } from '../../platform/database/db.ts'
import { onUniqueViolation } from '../../platform/database/on-unique-violation.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { type Renaming, renameInQuery } from './rename-in-query.ts'
import type { SavedEdit, SavedKind, SavedSearch } from './saved-search.ts'

const COLUMNS = [
  'saved_searches.id',
  'saved_searches.name',
  'saved_searches.query',
  'saved_searches.user_id as owner_id',
  'users.login as owner',
  'saved_searches.group_id',
  'saved_searches.sort_key',
] as const

const ofUser = statement<{ userId: number; kind: SavedKind }>()((q, p) =>
  q
    .selectFrom('saved_searches')
    .innerJoin('users', 'users.id', 'saved_searches.user_id')
    .select(COLUMNS)
    .where('saved_searches.user_id', '=', p.userId)
    .where('saved_searches.kind', '=', p.kind)
    .orderBy('saved_searches.sort_key')
    .orderBy('saved_searches.name_key'),
)
const sharedWith = statement<{ userId: number; groups: string }>()((q, p, d) =>
  q
    .selectFrom('saved_searches')
    .innerJoin('users', 'users.id', 'saved_searches.user_id')
    .select(COLUMNS)
    .where('saved_searches.group_id', 'in', d.integersIn(p.groups))
    .where('saved_searches.user_id', '<>', p.userId)
    .orderBy('users.login_key')
    .orderBy('saved_searches.sort_key')
    .orderBy('saved_searches.name_key'),
)
const byId = statement<{ id: number; kind: SavedKind }>()((q, p) =>
  q
    .selectFrom('saved_searches')
    .innerJoin('users', 'users.id', 'saved_searches.user_id')
    .select(COLUMNS)
    .where('saved_searches.id', '=', p.id)
    .where('saved_searches.kind', '=', p.kind),
)
const byName = statement<{ userId: number; key: string }>()((q, p) =>
  q
    .selectFrom('saved_searches')
    .innerJoin('users', 'users.id', 'saved_searches.user_id')
    .select(COLUMNS)
    .where('saved_searches.user_id', '=', p.userId)
    .where('saved_searches.kind', '=', 'search')
    .where('saved_searches.name_key', '=', p.key),
)

/** In the owner's order, then by name. */
export function listSavedSearches(db: Db, userId: number, kind: SavedKind): Promise<SavedSearch[]> {
  return db.all(ofUser, { userId, kind })
}

/** Searches that other users share with members of these groups, by owner, then in the owner's order and by name. */
export function listSharedSearches(db: Db, userId: number, groups: ReadonlySet<number>): Promise<SavedSearch[]> {
  return db.all(sharedWith, { userId, groups: JSON.stringify([...groups]) })
}

export function findSavedSearch(db: Db, id: number, kind: SavedKind): Promise<SavedSearch | undefined> {
  return db.first(byId, { id, kind })
}

export function findSearchNamed(db: Db, userId: number, name: string): Promise<SavedSearch | undefined> {
  return db.first(byName, { userId, key: fold(name.trim()) })
}

interface Row extends SavedEdit {
  key: string
  groupId: number | null
}

const insert = statement<Row & { userId: number; kind: SavedKind }>()((q, p) =>
  q
    .insertInto('saved_searches')
    .values({
      user_id: p.userId,
      kind: p.kind,
      name: p.name,
      name_key: p.key,
      query: p.query,
      group_id: p.groupId,
      sort_key: p.sort_key,
    })
    .returning('id'),
)
const update = statement<Row & { id: number }>()((q, p) =>
  q
    .updateTable('saved_searches')
    .set({ name: p.name, name_key: p.key, query: p.query, group_id: p.groupId, sort_key: p.sort_key })
    .where('id', '=', p.id),
)
const remove = statement<{ id: number }>()((q, p) => q.deleteFrom('saved_searches').where('id', '=', p.id))

export async function insertSavedSearch(
  tx: Db,
  userId: number,
  kind: SavedKind,
  edit: SavedEdit,
  groupId: number | null,
): Promise<number> {
  const row = { ...edit, key: fold(edit.name), groupId, userId, kind }
  return (
    await onUniqueViolation(
      tx,
      () => nameTaken(kind, edit),
      () => tx.first(insert, row),
    )
  )?.id as number
}

export async function updateSavedSearch(
  tx: Db,
  kind: SavedKind,
  { id, ...edit }: SavedEdit & { id: number },
  groupId: number | null,
) {
  const row = { ...edit, id, key: fold(edit.name), groupId }
  await onUniqueViolation(
    tx,
    () => nameTaken(kind, edit),
    () => tx.all(update, row),
  )
}

/** A search that is mailed on a schedule cannot be deleted before the schedule. */
export async function deleteSavedSearch(tx: Db, id: number) {
  try {
    await tx.all(remove, { id })
  } catch (fault) {
    if (!tx.dialect.isForeignKeyViolation(fault)) throw fault
    throw errors.saved_search_scheduled()
  }
}

const allQueries = statement<object>()((q) => q.selectFrom('saved_searches').select(['id', 'query']))
const updateQuery = statement<{ id: number; query: string }>()((q, p) =>
  q.updateTable('saved_searches').set({ query: p.query }).where('id', '=', p.id),
)

/** Replaces the old name of a value in all saved searches and reports. */
/** Returns how many were changed. */
export async function renameInSavedSearches(tx: Db, renaming: Renaming): Promise<number> {
  let count = 0
  for (const { id, query } of await tx.all(allQueries, {})) {
    const renamed = renameInQuery(query, renaming)
    if (renamed === query) continue
    await tx.all(updateQuery, { id, query: renamed })
    count++
  }
  return count
}

function nameTaken(kind: SavedKind, { name }: SavedEdit) {
  return errors.name_taken({ what: `saved ${kind}`, name })
}
