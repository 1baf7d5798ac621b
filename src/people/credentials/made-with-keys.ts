import { noteCredentialsEnded } from '../../access/live-credential.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { deleteMailsOfKeys, endAddressesOfKeys, endMadeWith } from './end-credentials.ts'

const makerOf = statement<{ id: number }>()((q, p) =>
  q.selectFrom('api_keys').select('made_with_key_id').where('id', '=', p.id),
)
const setMaker = statement<{ id: number; keyId: number }>()((q, p) =>
  q.updateTable('api_keys').set({ made_with_key_id: p.keyId }).where('id', '=', p.id),
)

/** A key that another key has widened ends with that one, as if it had been made with it, and with those that it ended with before. */
export async function noteWidenedWith(tx: Db, id: number, keyId: number) {
  const makers = await withMakers(tx, keyId)
  const maker = (await withMakers(tx, id))[1]
  if (makers.includes(id) || (maker !== undefined && !makers.includes(maker)))
    throw errors.not_allowed({ need: 'another API key has made this one, so widening it needs a session' })
  await tx.all(setMaker, { id, keyId })
}

/** The key and those that it ends with, the nearest first. */
async function withMakers(tx: Db, id: number): Promise<number[]> {
  const keys = [id]
  for (;;) {
    const maker: number | null = (await tx.first(makerOf, { id: keys.at(-1) ?? id }))?.made_with_key_id ?? null
    if (maker === null || keys.includes(maker)) return keys
    keys.push(maker)
  }
}

interface Limited {
  id: number
  /** Whether the key has lost a scope. */
  hasLostScope: boolean
  /** Its end, if that is earlier than before. */
  earlierEnd: string | null
}

/**
 * What was made with a key keeps to its limits also when they become narrower: it expires with the key, or ends now if it cannot
 * expire. With a scope, a key loses all that it has made.
 */
export async function limitMadeWith(tx: Db, { id, hasLostScope, earlierEnd }: Limited) {
  if (hasLostScope) return endMadeWith(tx, [id])
  if (earlierEnd === null) return
  const all = [id]
  for (let latest = all; latest.length > 0; ) {
    const made = await tx.all(expireMadeWith, { ids: JSON.stringify(latest), end: earlierEnd })
    latest = made.map((key) => key.id)
    all.push(...latest)
  }
  const ids = JSON.stringify(all)
  await tx.all(expireHooks, { ids, end: earlierEnd })
  await tx.all(deleteMailsOfKeys, { ids })
  await tx.all(endAddressesOfKeys, { ids })
  await noteCredentialsEnded(tx)
}

const expireMadeWith = statement<{ ids: string; end: string }>()((q, p, d) =>
  q
    .updateTable('api_keys')
    .set({ expires_at: p.end })
    .where('made_with_key_id', 'in', d.integersIn(p.ids))
    .where('revoked_at', 'is', null)
    .where((key) => key.or([key('expires_at', 'is', null), key('expires_at', '>', p.end)]))
    .returning('id'),
)
const expireHooks = statement<{ ids: string; end: string }>()((q, p, d) =>
  q
    .updateTable('webhooks')
    .set({ expires_at: p.end })
    .where('key_id', 'in', d.integersIn(p.ids))
    .where((hook) => hook.or([hook('expires_at', 'is', null), hook('expires_at', '>', p.end)])),
)
