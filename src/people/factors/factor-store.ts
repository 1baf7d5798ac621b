import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { Flag } from '../../platform/database/tables.ts'
import { timeNow } from '../../platform/time/clock.ts'

export type FactorKind = 'totp' | 'passkey'

export interface Factor {
  id: number
  user_id: number
  kind: FactorKind
  name: string
  is_confirmed: Flag
  secret: string
  credential_id: string | null
  counter: number
  transports: string
  /** Only of passkeys: the host that it was made for. */
  rp_id: string
  is_multi_device: Flag
  is_backed_up: Flag
  created_at: string
  last_used_at: string | null
}

export interface NewFactor {
  userId: number
  kind: FactorKind
  name: string
  isConfirmed: Flag
  secret: string
  credentialId: string | null
  counter: number
  transports: string
  rpId: string
  isMultiDevice: Flag
  isBackedUp: Flag
}

const ofUser = statement<{ userId: number }>()((q, p) =>
  q.selectFrom('second_factors').selectAll().where('user_id', '=', p.userId).orderBy('id'),
)

/** All factors of a user, also those that are not confirmed. */
export function listFactors(db: Db, userId: number): Promise<Factor[]> {
  return db.all(ofUser, { userId })
}

const insert = statement<NewFactor & { at: string }>()((q, p) =>
  q
    .insertInto('second_factors')
    .values({
      user_id: p.userId,
      kind: p.kind,
      name: p.name,
      is_confirmed: p.isConfirmed,
      secret: p.secret,
      credential_id: p.credentialId,
      counter: p.counter,
      transports: p.transports,
      rp_id: p.rpId,
      is_multi_device: p.isMultiDevice,
      is_backed_up: p.isBackedUp,
      created_at: p.at,
    })
    .returning('id'),
)
const dropUnconfirmed = statement<{ userId: number }>()((q, p) =>
  q.deleteFrom('second_factors').where('user_id', '=', p.userId).where('is_confirmed', '=', 0),
)

/** An app replaces those of the user that were never confirmed. */
export async function insertFactor(tx: Db, factor: NewFactor): Promise<number> {
  if (factor.isConfirmed === 0) await tx.all(dropUnconfirmed, { userId: factor.userId })
  return (await tx.first(insert, { ...factor, at: timeNow() }))?.id as number
}

const advance = statement<{ id: number; counter: number; at: string }>()((q, p) =>
  q
    .updateTable('second_factors')
    .set({ counter: p.counter, last_used_at: p.at, is_confirmed: 1 })
    .where('id', '=', p.id)
    .where('counter', '<', p.counter)
    .returning('id'),
)

/** Notes that the code of a step was used, and confirms the factor. Returns false if that code or a later one was used before. */
export async function useStep(tx: Db, id: number, step: number): Promise<boolean> {
  return (await tx.first(advance, { id, counter: step, at: timeNow() })) !== undefined
}

const setName = statement<{ id: number; name: string }>()((q, p) =>
  q.updateTable('second_factors').set({ name: p.name }).where('id', '=', p.id),
)

export async function updateFactorName(tx: Db, id: number, name: string) {
  await tx.all(setName, { id, name })
}

const removeOne = statement<{ id: number; userId: number }>()((q, p) =>
  q.deleteFrom('second_factors').where('id', '=', p.id).where('user_id', '=', p.userId),
)
const removeAll = statement<{ userId: number }>()((q, p) =>
  q.deleteFrom('second_factors').where('user_id', '=', p.userId),
)

export async function deleteFactor(tx: Db, userId: number, id: number) {
  await tx.all(removeOne, { id, userId })
}

export async function deleteFactors(tx: Db, userId: number) {
  await tx.all(removeAll, { userId })
}

const setHasFactor = statement<{ userId: number; has: Flag }>()((q, p) =>
  q.updateTable('users').set({ has_factor: p.has }).where('id', '=', p.userId),
)
const releaseSessions = statement<{ userId: number }>()((q, p) =>
  q.updateTable('login_tokens').set({ must_add_factor: 0 }).where('user_id', '=', p.userId),
)

/** To be called after the factors of a user have changed. Sessions that had to add one are now ordinary sessions. */
export async function noteHasFactor(tx: Db, userId: number, hasFactor: boolean) {
  await tx.all(setHasFactor, { userId, has: hasFactor ? 1 : 0 })
  if (hasFactor) await tx.all(releaseSessions, { userId })
}
