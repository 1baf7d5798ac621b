import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { Flag } from '../../platform/database/tables.ts'
import { timeNow } from '../../platform/time/clock.ts'

export interface Passkey {
  id: number
  name: string
  publicKey: string
  user: { id: number; login: string; disabledText: string }
}

const byCredential = statement<{ credentialId: string; rpId: string }>()((q, p) =>
  q
    .selectFrom('second_factors')
    .innerJoin('users', 'users.id', 'second_factors.user_id')
    .select(['second_factors.id', 'second_factors.name', 'second_factors.secret'])
    .select(['users.id as user_id', 'users.login', 'users.disabled_text'])
    .where('credential_id', '=', p.credentialId)
    .where('rp_id', '=', p.rpId),
)

/** The passkey of that credential id, which was made for this host, with its user. */
export async function findPasskey(db: Db, credentialId: string, rpId: string): Promise<Passkey | undefined> {
  const row = await db.first(byCredential, { credentialId, rpId })
  if (row === undefined) return undefined
  const user = { id: row.user_id, login: row.login, disabledText: row.disabled_text }
  return { id: row.id, name: row.name, publicKey: row.secret, user }
}

interface Use {
  id: number
  counter: number
  isBackedUp: Flag
  at: string
}

const advance = statement<Use>()((q, p) =>
  q
    .updateTable('second_factors')
    .set({ counter: p.counter, is_backed_up: p.isBackedUp, last_used_at: p.at })
    .where('id', '=', p.id)
    .where('counter', '<', p.counter)
    .returning('id'),
)
const withoutCounter = statement<Omit<Use, 'counter'>>()((q, p) =>
  q
    .updateTable('second_factors')
    .set({ is_backed_up: p.isBackedUp, last_used_at: p.at })
    .where('id', '=', p.id)
    .where('counter', '=', 0)
    .returning('id'),
)

/**
 * Notes that a passkey was used. Returns false if its counter has not grown since its last use: then there may be a copy of it. Passkeys that
 * do not count always send 0.
 */
export async function usePasskey(db: Db, id: number, counter: number, isBackedUp: boolean): Promise<boolean> {
  const use = { id, isBackedUp: isBackedUp ? 1 : 0, at: timeNow() } as const
  const row = counter === 0 ? await db.first(withoutCounter, use) : await db.first(advance, { ...use, counter })
  return row !== undefined
}

const exists = statement<{ id: number }>()((q, p) => q.selectFrom('second_factors').select('id').where('id', '=', p.id))

export async function isPasskeyLeft(db: Db, id: number): Promise<boolean> {
  return (await db.first(exists, { id })) !== undefined
}
