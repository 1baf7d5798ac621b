import type { CallContext } from '../../access/call.ts'
import { onUniqueViolation } from '../../platform/database/on-unique-violation.ts'
import { errors } from '../../platform/errors.ts'
import { noteFactorAdded, requireRoomForFactor } from '../factors/change-factors.ts'
import { insertFactor } from '../factors/factor-store.ts'
import { takeChallenge } from './passkey-challenge.ts'
import type { NewCredential } from './passkey-params.ts'
import { requirePasskeySite } from './passkey-site.ts'

/** Adds the passkey of an answer to a challenge of this user and session. Returns new recovery codes if the user has none. */
export async function addPasskey(
  { db, baseUrl, credentials }: Pick<CallContext, 'db' | 'baseUrl' | 'credentials'>,
  userId: number,
  sent: NewCredential,
  name: string,
): Promise<{ id: number; codes: string[] }> {
  const site = requirePasskeySite(baseUrl)
  const challenge = await takeChallenge(db, 'passkey_add', sent.challenge, credentials.token)
  const { verifyNewPasskey } = await import('./verify-passkey.ts')
  const verified = await verifyNewPasskey(sent, site)
  if (challenge?.userId !== userId || verified === undefined) throw errors.passkey_not_added()
  return db.transaction(async (tx) => {
    await requireRoomForFactor(tx, userId)
    const factor = {
      userId,
      kind: 'passkey',
      name,
      isConfirmed: 1,
      secret: verified.publicKey,
      credentialId: verified.credentialId,
      counter: verified.counter,
      transports: sent.transports.join(),
      rpId: site.rpId,
      isMultiDevice: verified.isMultiDevice ? 1 : 0,
      isBackedUp: verified.isBackedUp ? 1 : 0,
    } as const
    // The error is the same if the passkey belongs to another user.
    const id = await onUniqueViolation(tx, errors.passkey_not_added, () => insertFactor(tx, factor))
    return { id, codes: await noteFactorAdded(tx, userId, factor) }
  }, 'accounts')
}
