import { randomInt } from 'node:crypto'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { digest } from '../../platform/secrets/secrets.ts'

const HOW_MANY = 10
/** Without characters that look alike. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
/** 80 bits, so that a fast hash is enough. */
const LENGTH = 16

const insert = statement<{ userId: number; digest: string }>()((q, p) =>
  q.insertInto('recovery_codes').values({ user_id: p.userId, digest: p.digest }),
)
const removeAll = statement<{ userId: number }>()((q, p) =>
  q.deleteFrom('recovery_codes').where('user_id', '=', p.userId),
)
const removeOne = statement<{ userId: number; digest: string }>()((q, p) =>
  q.deleteFrom('recovery_codes').where('user_id', '=', p.userId).where('digest', '=', p.digest).returning('user_id'),
)
const countOf = statement<{ userId: number }>()((q, p) =>
  q
    .selectFrom('recovery_codes')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('user_id', '=', p.userId),
)

/** Replaces the recovery codes of a user. Returns the new ones; only their digests are stored. */
export async function renewRecoveryCodes(tx: Db, userId: number): Promise<string[]> {
  await deleteRecoveryCodes(tx, userId)
  const codes = Array.from({ length: HOW_MANY }, newCode)
  for (const code of codes) await tx.all(insert, { userId, digest: digestOf(userId, code) })
  return codes
}

export async function deleteRecoveryCodes(tx: Db, userId: number) {
  await tx.all(removeAll, { userId })
}

/** Returns whether it was a recovery code of the user. Of two requests with one code, one gets true. */
export async function useRecoveryCode(tx: Db, userId: number, code: string): Promise<boolean> {
  return (await tx.first(removeOne, { userId, digest: digestOf(userId, code) })) !== undefined
}

export async function countRecoveryCodes(db: Db, userId: number): Promise<number> {
  return Number((await db.first(countOf, { userId }))?.count ?? 0)
}

function newCode(): string {
  const code = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return (code.match(/.{4}/g) ?? []).join('-')
}

/** People type codes in capitals, and with other spaces. */
function digestOf(userId: number, code: string) {
  return digest(`${userId} ${code.toLowerCase().replace(/[\s-]/g, '')}`)
}
