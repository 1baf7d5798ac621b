import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { digest } from '../../platform/secrets/secrets.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { idIn } from '../../platform/wire/reference.ts'
import type { ApiKey } from './api-key.ts'

const COLUMNS = [
  'id',
  'description',
  'scopes',
  'created_at',
  'expires_at',
  'revoked_at',
  'last_used_at',
  'resource',
  'grant_ends_at',
] as const

const ofUser = statement<{ userId: number }>()((q, p) =>
  q.selectFrom('api_keys').select(COLUMNS).where('user_id', '=', p.userId).orderBy('id'),
)
const oneOfUser = statement<{ userId: number; id: number }>()((q, p) =>
  q.selectFrom('api_keys').select(COLUMNS).where('user_id', '=', p.userId).where('id', '=', p.id),
)

export function listApiKeys(db: Db, userId: number): Promise<ApiKey[]> {
  return db.all(ofUser, { userId })
}

export async function getApiKey(db: Db, userId: number, ref: string): Promise<ApiKey> {
  const key = await db.first(oneOfUser, { userId, id: idIn(ref) ?? 0 })
  if (!key) throw errors.no_such_object({ what: 'API key', ref })
  return key
}

const insert = statement<{
  userId: number
  digest: string
  description: string
  scopes: string
  at: string
  expiresAt: string | null
  madeWithKeyId: number | null
}>()((q, p) =>
  q
    .insertInto('api_keys')
    .values({
      user_id: p.userId,
      digest: p.digest,
      description: p.description,
      scopes: p.scopes,
      created_at: p.at,
      expires_at: p.expiresAt,
      made_with_key_id: p.madeWithKeyId,
    })
    .returning('id'),
)

export interface NewApiKey {
  userId: number
  secret: string
  description: string
  scopes: string
  expiresAt: string | null
  /** The key in use when it was created, if one was. */
  madeWithKeyId?: number | null
}

export async function insertApiKey(tx: Db, { secret, madeWithKeyId = null, ...key }: NewApiKey): Promise<number> {
  const row = await tx.first(insert, { ...key, madeWithKeyId, digest: digest(secret), at: timeNow() })
  return row?.id as number
}

const update = statement<Pick<ApiKey, 'id' | 'description' | 'scopes' | 'expires_at' | 'revoked_at'>>()((q, p) =>
  q
    .updateTable('api_keys')
    .set({ description: p.description, scopes: p.scopes, expires_at: p.expires_at, revoked_at: p.revoked_at })
    .where('id', '=', p.id),
)

export async function updateApiKey(tx: Db, { id, description, scopes, expires_at, revoked_at }: ApiKey) {
  await tx.all(update, { id, description, scopes, expires_at, revoked_at })
}
