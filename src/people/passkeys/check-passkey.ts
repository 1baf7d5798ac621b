import { queueAccountNotices } from '../../access/account-notice.ts'
import { countAttempt, forgetFailures } from '../../access/authentication/lockout.ts'
import { networkOf } from '../../access/authentication/real-address.ts'
import type { CallContext } from '../../access/call.ts'
import { recordAudit } from '../../changes/audit.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { digest } from '../../platform/secrets/secrets.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { type PasskeyPurpose, takeChallenge } from './passkey-challenge.ts'
import { userHandleOf } from './passkey-options.ts'
import type { PasskeyAnswer } from './passkey-params.ts'
import { requirePasskeySite } from './passkey-site.ts'
import { findPasskey, isPasskeyLeft, type Passkey, usePasskey } from './passkey-store.ts'

type PasskeyContext = Pick<CallContext, 'db' | 'baseUrl' | 'address'>

interface Expected {
  purpose: Exclude<PasskeyPurpose, 'passkey_add'>
  /** The session in which the challenge was made. */
  token?: string | undefined
  /** The only user whose passkey is accepted; undefined for a login. */
  userId?: number
  /** In place of the network, whose wrong answers are counted otherwise. */
  countedAs?: ((passkey: Passkey) => Promise<string | undefined>) | undefined
}

/**
 * Checks the answer of a passkey and returns the passkey. Throws 315, in the same way for a passkey that is not known and for a wrong answer.
 * If the challenge is not for one user, the passkey is the only proof: then it must have checked a PIN, a finger or a face.
 */
export async function requirePasskey(
  context: PasskeyContext,
  answer: PasskeyAnswer,
  { purpose, token, userId, countedAs }: Expected,
): Promise<Passkey> {
  const { db, baseUrl, address } = context
  const site = requirePasskeySite(baseUrl)
  const passkey = await findPasskey(db, answer.id, site.rpId)
  const counted = (passkey && (await countedAs?.(passkey))) ?? networkOf(address)
  const attempt = { loginKey: keyOf(answer.id), address: counted }
  await countAttempt(db, attempt)
  const challenge = await takeChallenge(db, purpose, answer.challenge, token)
  const needsVerification = purpose === 'passkey_proof' || challenge?.userId === null
  const { verifyPasskeyAnswer } = await import('./verify-passkey.ts')
  const verified = await verifyPasskeyAnswer(answer, site, passkey?.publicKey ?? UNKNOWN_KEY, needsVerification)
  if (challenge === undefined || passkey === undefined || verified === undefined) throw errors.passkey_refused()
  for (const expected of [userId, challenge.userId ?? undefined])
    if (expected !== undefined && expected !== passkey.user.id) throw errors.passkey_refused()
  await requireUserHandle(db, answer, passkey, challenge.userId === null)
  if (!(await usePasskey(db, passkey.id, verified.counter, verified.isBackedUp))) {
    await noteCopy(db, passkey)
    throw errors.passkey_refused()
  }
  await forgetFailures(db, attempt)
  return passkey
}

/** A passkey that is used without a login name says whose it is. */
async function requireUserHandle(db: Db, { userHandle }: PasskeyAnswer, { user }: Passkey, isNeeded: boolean) {
  if (userHandle === undefined ? isNeeded : userHandle !== (await userHandleOf(db, user.id)))
    throw errors.passkey_refused()
}

/** The signature was right, but the counter was not: the owner is notified. */
async function noteCopy(db: Db, { id, name, user }: Passkey) {
  await db.transaction(async (tx) => {
    if (!(await isPasskeyLeft(tx, id))) return
    const notice = { what: 'factor_changed', change: 'passkey_copied', userId: user.id, who: user.id, name } as const
    await queueAccountNotices(tx, { ...notice, at: timeNow() })
    await recordAudit(
      tx,
      { who: null, class: 'User', objectId: user.id },
      { passkey_refused: { removed: '', added: `${name}: its counter went back` } },
    )
  }, 'accounts')
}

/** A login name does not begin with a space. Answers are counted in the same way for passkeys that are not known. */
function keyOf(credentialId: string) {
  return ` passkey ${digest(credentialId)}`
}

/** The answer of an unknown passkey is checked with this public key, so that it takes as long as a wrong one. The result does not count. */
const UNKNOWN_KEY =
  'pQECAyYgASFYIGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWIlggT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU'
