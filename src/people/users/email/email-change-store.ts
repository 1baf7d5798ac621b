import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'

/** A requested change of a user's address. */
export interface EmailChange {
  id: number
  user_id: number
  login: string
}

const insert = statement<{ userId: number; login: string; at: string }>()((q, p) =>
  q
    .insertInto('email_changes')
    .values({ user_id: p.userId, login: p.login, asked_at: p.at, is_open: 1 })
    .returning('id'),
)

export async function insertEmailChange(
  tx: Db,
  change: { userId: number; login: string; at: string },
): Promise<number> {
  return (await tx.first(insert, change))?.id as number
}

const recent = statement<{ userId: number; since: string }>()((q, p) =>
  q
    .selectFrom('email_changes')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('user_id', '=', p.userId)
    .where('asked_at', '>', p.since),
)

export async function countEmailChanges(tx: Db, userId: number, since: string): Promise<number> {
  return Number((await tx.first(recent, { userId, since }))?.count ?? 0)
}

const openOne = statement<{ userId: number; since: string }>()((q, p) =>
  q
    .selectFrom('email_changes')
    .select(['id', 'user_id', 'login'])
    .where('user_id', '=', p.userId)
    .where('is_open', '=', 1)
    .where('asked_at', '>', p.since),
)

export function findOpenEmailChange(tx: Db, userId: number, since: string): Promise<EmailChange | undefined> {
  return tx.first(openOne, { userId, since })
}

const close = statement<{ userId: number }>()((q, p) =>
  q.updateTable('email_changes').set({ is_open: 0 }).where('user_id', '=', p.userId).where('is_open', '=', 1),
)

/** The open requests can no longer be confirmed. */
export async function closeEmailChanges(tx: Db, userId: number) {
  await tx.all(close, { userId })
}
