import type { Db } from '../../../platform/database/db.ts'
import { ALL_ROWS } from '../../../platform/database/statements/all-rows.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { digest } from '../../../platform/secrets/secrets.ts'
import { timeNow } from '../../../platform/time/clock.ts'

/** The access that a user has given to a client: an API key whose secret is renewed. */
export interface NewGrant {
  userId: number
  clientId: number
  resource: string
  scopes: string
  /** What the owner sees of it. */
  description: string
  secret: string
  expiresAt: string
  grantEndsAt: string
}

const insertKey = statement<Omit<NewGrant, 'secret'> & { digest: string; at: string }>()((q, p) =>
  q
    .insertInto('api_keys')
    .values({
      user_id: p.userId,
      digest: p.digest,
      description: p.description,
      scopes: p.scopes,
      created_at: p.at,
      expires_at: p.expiresAt,
      client_id: p.clientId,
      resource: p.resource,
      grant_ends_at: p.grantEndsAt,
    })
    .returning('id'),
)

export async function insertGrant(tx: Db, { secret, ...grant }: NewGrant): Promise<number> {
  const row = await tx.first(insertKey, { ...grant, digest: digest(secret), at: timeNow() })
  return row?.id as number
}

const renew = statement<{ id: number; digest: string; scopes: string; expiresAt: string; grantEndsAt: string }>()(
  (q, p) =>
    q
      .updateTable('api_keys')
      .set({ digest: p.digest, scopes: p.scopes, expires_at: p.expiresAt, grant_ends_at: p.grantEndsAt })
      .where('id', '=', p.id)
      .where('revoked_at', 'is', null)
      .returning('id'),
)

interface RenewedGrant {
  id: number
  secret: string
  scopes: string
  expiresAt: string
  grantEndsAt: string
}

/** The access token before no longer works. False if the grant has ended meanwhile. */
export async function renewGrant(tx: Db, { secret, ...grant }: RenewedGrant): Promise<boolean> {
  return (await tx.first(renew, { ...grant, digest: digest(secret) })) !== undefined
}

interface NewRefreshToken {
  token: string
  keyId: number
  scopes: string
  expiresAt: string
}

const insertRefresh = statement<Omit<NewRefreshToken, 'token'> & { digest: string; at: string }>()((q, p) =>
  q.insertInto('oauth_refresh_tokens').values({
    digest: p.digest,
    key_id: p.keyId,
    scopes: p.scopes,
    created_at: p.at,
    expires_at: p.expiresAt,
  }),
)
const forgetMore = statement<{ keyId: number; most: number; all: number }>()((q, p) =>
  q
    .deleteFrom('oauth_refresh_tokens')
    .where('digest', 'in', (older) =>
      older
        .selectFrom('oauth_refresh_tokens')
        .select('digest')
        .where('key_id', '=', p.keyId)
        .where('used_at', 'is not', null)
        .orderBy('created_at', 'desc')
        .orderBy('digest')
        .limit(p.all)
        .offset(p.most),
    ),
)

/** So many used ones are kept for each grant, to notice if one is used again. */
const MOST_USED = 100

export async function insertRefreshToken(tx: Db, { token, ...rest }: NewRefreshToken) {
  await tx.all(forgetMore, { keyId: rest.keyId, most: MOST_USED, all: ALL_ROWS })
  await tx.all(insertRefresh, { ...rest, digest: digest(token), at: timeNow() })
}

export interface RefreshTokenRow {
  key_id: number
  scopes: string
  expires_at: string
  used_at: string | null
  user_id: number
  client_id: number | null
  resource: string | null
  revoked_at: string | null
  begun_at: string
  disabled_text: string
}

const findRefresh = statement<{ digest: string }>()((q, p) =>
  q
    .selectFrom('oauth_refresh_tokens as token')
    .innerJoin('api_keys as key', 'key.id', 'token.key_id')
    .innerJoin('users', 'users.id', 'key.user_id')
    .select(['token.key_id', 'token.scopes', 'token.expires_at', 'token.used_at'])
    .select(['key.user_id', 'key.client_id', 'key.resource', 'key.revoked_at', 'key.created_at as begun_at'])
    .select('users.disabled_text')
    .where('token.digest', '=', p.digest),
)

export function findRefreshToken(db: Db, token: string): Promise<RefreshTokenRow | undefined> {
  return db.first(findRefresh, { digest: digest(token) })
}

const takeRefresh = statement<{ digest: string; now: string }>()((q, p) =>
  q
    .updateTable('oauth_refresh_tokens')
    .set({ used_at: p.now })
    .where('digest', '=', p.digest)
    .where('used_at', 'is', null)
    .returning('key_id'),
)

/** False if the token was used before: of two requests with one token, one gets true. */
export async function useRefreshToken(tx: Db, token: string): Promise<boolean> {
  return (await tx.first(takeRefresh, { digest: digest(token), now: timeNow() })) !== undefined
}

const byAccessToken = statement<{ digest: string }>()((q, p) =>
  q
    .selectFrom('api_keys')
    .select(['id', 'client_id'])
    .where('digest', '=', p.digest)
    .where('resource', 'is not', null)
    .where('revoked_at', 'is', null),
)

/** The grant that an access token belongs to, also one that has expired. */
export function findGrantOfAccessToken(
  db: Db,
  token: string,
): Promise<{ id: number; client_id: number | null } | undefined> {
  return db.first(byAccessToken, { digest: digest(token) })
}

const grantsOfClient = statement<{ clientId: number; at: string }>()((q, p) =>
  q
    .updateTable('api_keys')
    .set({ revoked_at: p.at })
    .where('client_id', '=', p.clientId)
    .where('revoked_at', 'is', null)
    .returning('id'),
)
const revokeOne = statement<{ id: number; at: string }>()((q, p) =>
  q
    .updateTable('api_keys')
    .set({ revoked_at: p.at })
    .where('id', '=', p.id)
    .where('revoked_at', 'is', null)
    .returning('id'),
)

/** Revokes the keys; what was made with them is ended by the caller. Returns their ids. */
export async function revokeGrantsOfClient(tx: Db, clientId: number): Promise<number[]> {
  return (await tx.all(grantsOfClient, { clientId, at: timeNow() })).map(({ id }) => id)
}

export async function revokeGrant(tx: Db, id: number): Promise<number[]> {
  return (await tx.all(revokeOne, { id, at: timeNow() })).map((it) => it.id)
}
