import { noteCredentialsEnded } from '../../access/live-credential.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { timeNow } from '../../platform/time/clock.ts'
import type { CredentialKind } from './credential-kinds.ts'
import { endProposalsOfKeys } from './end-proposals.ts'

/** How many of each kind were ended. Kinds of which none was are missing. */
export type EndedCredentials = Partial<Record<CredentialKind, number>>

const revokeMadeWith = statement<{ ids: string; kept: number; at: string }>()((q, p, d) =>
  q
    .updateTable('api_keys')
    .set({ revoked_at: p.at })
    .where('made_with_key_id', 'in', d.integersIn(p.ids))
    .where('id', '!=', p.kept)
    .where('revoked_at', 'is', null)
    .returning('id'),
)
const deleteHooksOfKeys = statement<{ ids: string }>()((q, p, d) =>
  q.deleteFrom('webhooks').where('key_id', 'in', d.integersIn(p.ids)).returning('id'),
)
export const deleteMailsOfKeys = statement<{ ids: string }>()((q, p, d) =>
  q.deleteFrom('scheduled_mails').where('key_id', 'in', d.integersIn(p.ids)).returning('id'),
)
export const endAddressesOfKeys = statement<{ ids: string }>()((q, p, d) =>
  q
    .updateTable('mail_addresses')
    .set((row) => ({ generation: row('generation', '+', 1), is_off: 1 }))
    .where('is_off', '=', 0)
    .where('user_id', 'in', (keys) =>
      keys
        .selectFrom('api_keys')
        .select('user_id')
        .where('knows_mail_address', '=', 1)
        .where('id', 'in', d.integersIn(p.ids)),
    )
    .returning('user_id'),
)

/** No key has this id. */
const NONE = 0

/**
 * Ends what was made with these keys, which have just been revoked or limited, also through other keys. On PostgreSQL, run
 * it in a transaction that excludes those in which something is made: see live-credential.ts.
 */
export async function endMadeWith(tx: Db, keyIds: readonly number[], keptKeyId = NONE): Promise<EndedCredentials> {
  const all = [...keyIds]
  for (let latest = all; latest.length > 0; ) {
    const made = await tx.all(revokeMadeWith, { ids: JSON.stringify(latest), kept: keptKeyId, at: timeNow() })
    latest = made.map(({ id }) => id)
    all.push(...latest)
  }
  const ids = JSON.stringify(all)
  const ended = {
    api_key: all.length - keyIds.length,
    webhook: (await tx.all(deleteHooksOfKeys, { ids })).length,
    scheduled_mail: (await tx.all(deleteMailsOfKeys, { ids })).length,
    mail_address: (await tx.all(endAddressesOfKeys, { ids })).length,
  }
  await endProposalsOfKeys(tx, all)
  await noteCredentialsEnded(tx)
  return counted(ended)
}

const revokeAll = statement<{ userId: number; kept: number; at: string }>()((q, p) =>
  q
    .updateTable('api_keys')
    .set({ revoked_at: p.at })
    .where('user_id', '=', p.userId)
    .where('id', '!=', p.kept)
    .where('revoked_at', 'is', null)
    .returning('id'),
)
const deleteHooks = statement<{ userId: number }>()((q, p) =>
  q.deleteFrom('webhooks').where('user_id', '=', p.userId).returning('id'),
)
const deleteMails = statement<{ userId: number }>()((q, p) =>
  q.deleteFrom('scheduled_mails').where('user_id', '=', p.userId).returning('id'),
)
export const endMailAddress = statement<{ userId: number }>()((q, p) =>
  q
    .updateTable('mail_addresses')
    .set((row) => ({ generation: row('generation', '+', 1), is_off: 1 }))
    .where('user_id', '=', p.userId)
    .where('is_off', '=', 0)
    .returning('user_id'),
)
/**
 * Ends what acts or listens for the user besides sessions and links with providers, which the caller ends, and second
 * factors. The key in use stays.
 */
export async function endKeysAndMail(tx: Db, userId: number, keptKeyId: number | null): Promise<EndedCredentials> {
  const kept = keptKeyId ?? NONE
  const keys = await tx.all(revokeAll, { userId, kept, at: timeNow() })
  const made = await endMadeWith(
    tx,
    keys.map(({ id }) => id),
    kept,
  )
  const own: EndedCredentials = {
    api_key: keys.length,
    webhook: (await tx.all(deleteHooks, { userId })).length,
    scheduled_mail: (await tx.all(deleteMails, { userId })).length,
    mail_address: (await tx.all(endMailAddress, { userId })).length,
  }
  return added(own, made)
}

export function added(one: EndedCredentials, other: EndedCredentials): EndedCredentials {
  const kinds = [...new Set([...Object.keys(one), ...Object.keys(other)])] as CredentialKind[]
  return counted(Object.fromEntries(kinds.map((kind) => [kind, (one[kind] ?? 0) + (other[kind] ?? 0)])))
}

function counted(ended: EndedCredentials): EndedCredentials {
  return Object.fromEntries(Object.entries(ended).filter(([, count]) => count > 0))
}

/** For the audit log. */
export function endedInWords(ended: EndedCredentials): string {
  return Object.entries(ended)
    .map(([kind, count]) => `${kind}: ${count}`)
    .join(', ')
}
