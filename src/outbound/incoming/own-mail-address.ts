import { queueAccountNotices } from '../../access/account-notice.ts'
import type { CallContext } from '../../access/call.ts'
import type { SignedIn } from '../../access/caller.ts'
import { requireLiveCredential } from '../../access/live-credential.ts'
import { endMailAddress } from '../../people/credentials/end-credentials.ts'
import { errors } from '../../platform/errors.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { createAddressSecret, findAddressSecret, noteAddressRead, renewAddressSecret } from './mail-address-store.ts'

type AddressContext = Pick<CallContext, 'db' | 'caller' | 'credentials'>

/** The secret word in the caller’s address. A key that gets it ends the address when the key is revoked. */
export async function readOwnAddress(context: AddressContext, self: SignedIn): Promise<string> {
  return context.db.transaction(async (tx) => {
    await requireLiveCredential(tx, context)
    const known = await findAddressSecret(tx, self.id)
    const word = known ?? (await createAddressSecret(tx, self.id))
    const isNewToKey = self.keyId !== null && (await noteAddressRead(tx, self.keyId))
    if (known === undefined || isNewToKey) await notify(tx, self)
    return word
  }, 'accounts')
}

/** Mail to the old address is no longer accepted. */
export async function replaceOwnAddress(context: AddressContext, self: SignedIn): Promise<string> {
  return context.db.transaction(async (tx) => {
    await requireLiveCredential(tx, context)
    const word = await renewAddressSecret(tx, self.id)
    if (self.keyId !== null) await noteAddressRead(tx, self.keyId)
    await notify(tx, self)
    return word
  }, 'accounts')
}

/** Mail to the address is no longer accepted, and there is none until its user gets one again. */
export async function endOwnAddress(context: AddressContext, self: SignedIn): Promise<void> {
  await context.db.transaction(async (tx) => {
    await requireLiveCredential(tx, context)
    if ((await tx.first(endMailAddress, { userId: self.id })) === undefined)
      throw errors.no_such_object({ what: 'mail address', ref: String(self.id) })
  }, 'accounts')
}

function notify(tx: CallContext['db'], { id, keyId }: SignedIn) {
  return queueAccountNotices(tx, { what: 'mail_address_made', userId: id, who: id, keyId, at: timeNow() })
}
