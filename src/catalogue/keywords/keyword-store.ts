import type { Db } from '../../platform/database/db.ts'
import { onUniqueViolation } from '../../platform/database/on-unique-violation.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { idIn } from '../../platform/wire/reference.ts'
import type { Keyword, KeywordEdit } from './keyword.ts'

const all = statement<object>()((q) =>
  q.selectFrom('keywords').select(['id', 'name', 'description']).orderBy('name_key'),
)
const byKey = statement<{ key: string }>()((q, p) =>
  q.selectFrom('keywords').select(['id', 'name', 'description']).where('name_key', '=', p.key),
)
const byId = statement<{ id: number }>()((q, p) =>
  q.selectFrom('keywords').select(['id', 'name', 'description']).where('id', '=', p.id),
)

export function listKeywords(db: Db): Promise<Keyword[]> {
  return db.all(all, {})
}

export function findKeyword(db: Db, id: number): Promise<Keyword | undefined> {
  return db.first(byId, { id })
}

/** Finds it by name, or by id if no keyword has this name. */
export async function getKeyword(db: Db, ref: string): Promise<Keyword> {
  const id = idIn(ref)
  const found =
    (await db.first(byKey, { key: fold(ref.trim()) })) ?? (id === undefined ? undefined : await db.first(byId, { id }))
  if (!found) throw errors.no_such_object({ what: 'keyword', ref })
  return found
}

const insert = statement<KeywordEdit & { key: string }>()((q, p) =>
  q.insertInto('keywords').values({ name: p.name, name_key: p.key, description: p.description }).returning('id'),
)
const update = statement<Keyword & { key: string }>()((q, p) =>
  q.updateTable('keywords').set({ name: p.name, name_key: p.key, description: p.description }).where('id', '=', p.id),
)
const remove = statement<{ id: number }>()((q, p) => q.deleteFrom('keywords').where('id', '=', p.id))

export async function insertKeyword(tx: Db, keyword: KeywordEdit): Promise<number> {
  const row = await onUniqueViolation(
    tx,
    () => errors.name_taken({ what: 'keyword', name: keyword.name }),
    () => tx.first(insert, { ...keyword, key: fold(keyword.name) }),
  )
  return row?.id as number
}

export async function updateKeyword(tx: Db, keyword: Keyword) {
  await onUniqueViolation(
    tx,
    () => errors.name_taken({ what: 'keyword', name: keyword.name }),
    () => tx.all(update, { ...keyword, key: fold(keyword.name) }),
  )
}

export async function deleteKeyword(tx: Db, id: number) {
  await tx.all(remove, { id })
}

const moveWatches = statement<{ from: number; to: number }>()((q, p) =>
  q
    .updateTable('watches')
    .set({ keyword_id: p.to })
    .where('keyword_id', '=', p.from)
    .where('user_id', 'not in', (others) =>
      others.selectFrom('watches as others').select('others.user_id').where('others.keyword_id', '=', p.to),
    ),
)

/** Users who watch a keyword watch the one that it is merged into. */
export async function moveKeywordWatches(tx: Db, from: number, to: number) {
  await tx.all(moveWatches, { from, to })
}
