import type { Db } from '../../platform/database/db.ts'
import { onUniqueViolation } from '../../platform/database/on-unique-violation.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import type { CannedReply, CannedReplyEdit } from './canned-reply.ts'

const COLUMNS = ['id', 'name', 'text', 'is_private', 'product_id', 'group_id'] as const

const ofAll = statement<object>()((q) =>
  q.selectFrom('canned_replies').select(COLUMNS).where('product_id', 'is', null).orderBy('name_key'),
)
const ofProduct = statement<{ productId: number }>()((q, p) =>
  q.selectFrom('canned_replies').select(COLUMNS).where('product_id', '=', p.productId).orderBy('name_key'),
)
const byId = statement<{ id: number }>()((q, p) =>
  q.selectFrom('canned_replies').select(COLUMNS).where('id', '=', p.id),
)

/** Those of all products without an id. */
export function listCannedReplies(db: Db, productId?: number): Promise<CannedReply[]> {
  return productId === undefined ? db.all(ofAll, {}) : db.all(ofProduct, { productId })
}

export function findCannedReply(db: Db, id: number): Promise<CannedReply | undefined> {
  return db.first(byId, { id })
}

type Row = CannedReplyEdit & { key: string }

const insert = statement<Row & { product_id: number | null }>()((q, p) =>
  q
    .insertInto('canned_replies')
    .values({
      name: p.name,
      name_key: p.key,
      text: p.text,
      is_private: p.is_private,
      product_id: p.product_id,
      group_id: p.group_id,
    })
    .returning('id'),
)
const update = statement<Row & { id: number }>()((q, p) =>
  q
    .updateTable('canned_replies')
    .set({ name: p.name, name_key: p.key, text: p.text, is_private: p.is_private, group_id: p.group_id })
    .where('id', '=', p.id),
)
const remove = statement<{ id: number }>()((q, p) => q.deleteFrom('canned_replies').where('id', '=', p.id))

export async function insertCannedReply(tx: Db, reply: CannedReplyEdit & { product_id: number | null }) {
  const row = await onUniqueViolation(
    tx,
    () => nameTaken(reply),
    () => tx.first(insert, { ...reply, key: fold(reply.name) }),
  )
  return row?.id as number
}

export async function updateCannedReply(tx: Db, id: number, reply: CannedReplyEdit) {
  await onUniqueViolation(
    tx,
    () => nameTaken(reply),
    () => tx.all(update, { ...reply, key: fold(reply.name), id }),
  )
}

export async function deleteCannedReply(tx: Db, id: number) {
  await tx.all(remove, { id })
}

function nameTaken({ name }: CannedReplyEdit) {
  return errors.name_taken({ what: 'canned reply', name })
}
