import { queueAccountNotices } from '../../access/account-notice.ts'
import { networkOf } from '../../access/authentication/real-address.ts'
import { readSecret } from '../../access/installation-secrets.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { unseal } from '../../platform/secrets/seal.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { countCodeAttempt, forgetCodeAttempts } from './code-attempts.ts'
import { type Factor, listFactors, useStep } from './factor-store.ts'
import { countRecoveryCodes, useRecoveryCode } from './recovery-codes.ts'
import { isTotpCode, stepOfCode } from './totp.ts'

export const TOTP_PURPOSE = 'totp'

/**
 * Checks a code of the user's second factor, or a recovery code. Throws 310 without a code and 311 for a wrong one. Each code works once.
 */
export async function requireCode(
  { db, address }: { db: Db; address: string },
  userId: number,
  sent: string | undefined,
  /** In place of the network, whose wrong codes are counted otherwise. */
  countedAs?: string,
) {
  const code = (sent ?? '').replace(/\s/g, '')
  if (code === '') throw errors.code_needed()
  const network = countedAs ?? networkOf(address)
  const attempt = { userId, network, isGuessable: isTotpCode(code), isKnown: countedAs !== undefined }
  await countCodeAttempt(db, attempt)
  const isRight = isTotpCode(code) ? await useTotpCode(db, userId, code) : await useRecovery(db, userId, code)
  if (!isRight) throw errors.code_wrong()
  await forgetCodeAttempts(db, attempt)
}

async function useTotpCode(db: Db, userId: number, code: string): Promise<boolean> {
  for (const factor of await listFactors(db, userId))
    if (factor.kind === 'totp' && factor.is_confirmed === 1 && (await useCodeOf(db, factor, code))) return true
  return false
}

/** Marks the code as used. Returns false if it is not a code of this factor or was used before. */
export async function useCodeOf(db: Db, { id, secret }: Factor, code: string): Promise<boolean> {
  const key = await readSecret(db, 'second_factor')
  const step = stepOfCode(unseal(key, TOTP_PURPOSE, secret), code, Date.now())
  return step !== undefined && useStep(db, id, step)
}

function useRecovery(db: Db, userId: number, code: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await useRecoveryCode(tx, userId, code))) return false
    const name = `${await countRecoveryCodes(tx, userId)} left`
    await queueAccountNotices(tx, {
      what: 'factor_changed',
      change: 'code_used',
      userId,
      who: userId,
      name,
      at: timeNow(),
    })
    return true
  })
}
