import type { Db } from '../../../platform/database/db.ts'
import { type EndedCredentials, endMadeWith } from '../../credentials/end-credentials.ts'
import { deleteClient } from '../clients/client-store.ts'
import { revokeGrant, revokeGrantsOfClient } from './grant-store.ts'

/** Ends the access that a user has given to a client, and what was made with it. */
export async function endGrant(db: Db, keyId: number) {
  await db.transaction(async (tx) => {
    await endMadeWith(tx, await revokeGrant(tx, keyId))
  }, 'accounts')
}

/** Ends a client with all access that users have given to it. To be called in a transaction of accounts. */
export async function endClient(tx: Db, id: number): Promise<EndedCredentials> {
  const keys = await revokeGrantsOfClient(tx, id)
  const made = await endMadeWith(tx, keys)
  await deleteClient(tx, id)
  return { ...made, api_key: keys.length + (made.api_key ?? 0) }
}
