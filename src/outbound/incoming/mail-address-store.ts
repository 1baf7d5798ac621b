import { timingSafeEqual } from 'node:crypto'
import { readSecret } from '../../access/installation-secrets.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { type AddressClaim, addressSecretFor } from './mail-address.ts'

const SECRET = 'mail_address'

const generation = statement<{ userId: number }>()((q, p) =>
  q
    .selectFrom('mail_addresses')
    .select('generation')
    .select((row) => row.selectFrom('installation_secrets').select('value').where('name', '=', SECRET).as('secret'))
    .where('user_id', '=', p.userId)
    .where('is_off', '=', 0),
)
const first = statement<{ userId: number }>()((q, p) =>
  q
    .insertInto('mail_addresses')
    .values({ user_id: p.userId, generation: 1 })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ is_off: 0 })),
)
const renew = statement<{ userId: number }>()((q, p) =>
  q
    .insertInto('mail_addresses')
    .values({ user_id: p.userId, generation: 1 })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((row) => ({
        generation: row('mail_addresses.generation', '+', 1),
        is_off: 0,
      })),
    ),
)

const noteReader = statement<{ keyId: number }>()((q, p) =>
  q
    .updateTable('api_keys')
    .set({ knows_mail_address: 1 })
    .where('id', '=', p.keyId)
    .where('knows_mail_address', '=', 0)
    .returning('id'),
)
const forgetReaders = statement<{ userId: number }>()((q, p) =>
  q.updateTable('api_keys').set({ knows_mail_address: 0 }).where('user_id', '=', p.userId),
)

/** The secret word in the user's address; undefined until the user requests an address, also after it was ended. */
export async function findAddressSecret(db: Db, userId: number): Promise<string | undefined> {
  const row = await db.first(generation, { userId })
  if (row === undefined) return undefined
  return addressSecretFor(row.secret ?? (await readSecret(db, SECRET)), { userId, generation: row.generation })
}

export async function createAddressSecret(db: Db, userId: number): Promise<string> {
  await db.all(first, { userId })
  return (await findAddressSecret(db, userId)) as string
}

/** Mail to the old address is no longer accepted. */
export async function renewAddressSecret(db: Db, userId: number): Promise<string> {
  await db.all(renew, { userId })
  await db.all(forgetReaders, { userId })
  return (await findAddressSecret(db, userId)) as string
}

/** Returns false if the address was returned to the key before. */
export async function noteAddressRead(tx: Db, keyId: number): Promise<boolean> {
  return (await tx.first(noteReader, { keyId })) !== undefined
}

export async function isValidClaim(db: Db, { userId, word }: AddressClaim): Promise<boolean> {
  const right = await findAddressSecret(db, userId)
  return right !== undefined && timingSafeEqual(Buffer.from(right), Buffer.from(word))
}
