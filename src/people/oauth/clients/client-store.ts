import type { Selectable } from 'kysely'
import type { Db } from '../../../platform/database/db.ts'
import { ALL_ROWS } from '../../../platform/database/statements/all-rows.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import type { Database } from '../../../platform/database/tables.ts'
import { secondsAgo, timeNow } from '../../../platform/time/clock.ts'

type ClientRow = Selectable<Database['oauth_clients']>

/** How a client proves who it is, where it exchanges codes and tokens. */
export type AuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post'

export interface OAuthClient {
  id: number
  key: string
  name: string
  redirectUris: readonly string[]
  authMethod: AuthMethod
  secretDigest: string | null
}

const COLUMNS = ['id', 'client_key', 'name', 'redirect_uris', 'auth_method', 'secret_digest'] as const

const byKey = statement<{ key: string }>()((q, p) =>
  q.selectFrom('oauth_clients').select(COLUMNS).where('client_key', '=', p.key),
)

export async function findClient(db: Db, key: string): Promise<OAuthClient | undefined> {
  const row = await db.first(byKey, { key })
  return row && clientIn(row)
}

function clientIn(row: Pick<ClientRow, (typeof COLUMNS)[number]>): OAuthClient {
  return {
    id: row.id,
    key: row.client_key,
    name: row.name,
    redirectUris: JSON.parse(row.redirect_uris),
    authMethod: row.auth_method as AuthMethod,
    secretDigest: row.secret_digest,
  }
}

export interface NewClient extends Omit<OAuthClient, 'id'> {
  /** That registered it; empty if an administrator did. */
  network: string
  isByHand: boolean
}

const insert = statement<{
  key: string
  name: string
  redirectUris: string
  authMethod: string
  secretDigest: string | null
  network: string
  isByHand: 0 | 1
  at: string
}>()((q, p) =>
  q
    .insertInto('oauth_clients')
    .values({
      client_key: p.key,
      name: p.name,
      redirect_uris: p.redirectUris,
      auth_method: p.authMethod,
      secret_digest: p.secretDigest,
      network: p.network,
      is_registered_by_hand: p.isByHand,
      created_at: p.at,
    })
    .returning('id'),
)

export async function insertClient(tx: Db, { redirectUris, isByHand, ...client }: NewClient): Promise<number> {
  const row = await tx.first(insert, {
    ...client,
    redirectUris: JSON.stringify(redirectUris),
    isByHand: isByHand ? 1 : 0,
    at: timeNow(),
  })
  return row?.id as number
}

const lastDay = statement<{ network: string; since: string }>()((q, p) =>
  q
    .selectFrom('oauth_clients')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('network', '=', p.network)
    .where('created_at', '>', p.since),
)

const DAY_SECONDS = 86_400

export async function countClientsOfLastDay(tx: Db, network: string): Promise<number> {
  return Number((await tx.first(lastDay, { network, since: secondsAgo(DAY_SECONDS) }))?.count ?? 0)
}

const deleteUnused = statement<{ before: string }>()((q, p) =>
  q
    .deleteFrom('oauth_clients')
    .where('used_at', 'is', null)
    .where('is_registered_by_hand', '=', 0)
    .where('created_at', '<', p.before),
)
const deleteMore = statement<{ most: number; all: number }>()((q, p) =>
  q
    .deleteFrom('oauth_clients')
    .where('id', 'in', (older) =>
      older
        .selectFrom('oauth_clients')
        .select('id')
        .where('used_at', 'is', null)
        .where('is_registered_by_hand', '=', 0)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(p.all)
        .offset(p.most),
    ),
)
const deleteAbandoned = statement<{ before: string; now: string }>()((q, p) =>
  q
    .deleteFrom('oauth_clients')
    .where('used_at', '<', p.before)
    .where('is_registered_by_hand', '=', 0)
    .where('id', 'not in', (living) =>
      living
        .selectFrom('api_keys')
        .select((row) => row.ref('client_id').$notNull().as('client_id'))
        .where('client_id', 'is not', null)
        .where('revoked_at', 'is', null)
        .where('grant_ends_at', '>', p.now),
    ),
)

/** So many that no user has given access are kept, for a day. */
const MOST_UNUSED = 500
/** Others are kept for so long after they last had access. */
const KEPT_DAYS = 90

/** Removes clients that nobody has given access, and those that have had none for long. Those that administrators made stay. */
export async function forgetClients(tx: Db, room: number = 0) {
  await tx.all(deleteUnused, { before: secondsAgo(DAY_SECONDS) })
  await tx.all(deleteMore, { most: MOST_UNUSED - room, all: ALL_ROWS })
  await tx.all(deleteAbandoned, { before: secondsAgo(KEPT_DAYS * DAY_SECONDS), now: timeNow() })
}

const use = statement<{ id: number; at: string }>()((q, p) =>
  q.updateTable('oauth_clients').set({ used_at: p.at }).where('id', '=', p.id),
)

export async function noteClientUsed(tx: Db, id: number) {
  await tx.all(use, { id, at: timeNow() })
}

const remove = statement<{ id: number }>()((q, p) => q.deleteFrom('oauth_clients').where('id', '=', p.id))

/** Its keys must be revoked before: without their client they could not be distinguished from others. */
export async function deleteClient(tx: Db, id: number) {
  await tx.all(remove, { id })
}

export interface ListedClient {
  id: number
  client_key: string
  name: string
  redirect_uris: string
  auth_method: string
  network: string
  is_registered_by_hand: number
  created_at: string
  used_at: string | null
  users: number | null
}

const LISTED = [
  'id',
  'client_key',
  'name',
  'redirect_uris',
  'auth_method',
  'network',
  'is_registered_by_hand',
  'created_at',
  'used_at',
] as const

const list = statement<{ now: string; limit: number; offset: number }>()((q, p) =>
  q
    .selectFrom('oauth_clients')
    .select(LISTED)
    .select((row) =>
      row
        .selectFrom('api_keys')
        .select((key) => key.fn.count<number>('api_keys.user_id').distinct().as('users'))
        .whereRef('api_keys.client_id', '=', 'oauth_clients.id')
        .where('api_keys.revoked_at', 'is', null)
        .where('api_keys.grant_ends_at', '>', p.now)
        .as('users'),
    )
    .orderBy('id', 'desc')
    .limit(p.limit)
    .offset(p.offset),
)
const count = statement<object>()((q) =>
  q.selectFrom('oauth_clients').select((row) => row.fn.countAll<number>().as('count')),
)

/** The newest first, and how many there are. */
export async function listClients(db: Db, part: { limit: number; offset: number }) {
  const clients: ListedClient[] = await db.all(list, { ...part, now: timeNow() })
  return { clients, total: Number((await db.first(count, {}))?.count ?? 0) }
}

const byId = statement<{ id: number }>()((q, p) =>
  q.selectFrom('oauth_clients').select(['id', 'name']).where('id', '=', p.id),
)

export function findClientById(db: Db, id: number): Promise<{ id: number; name: string } | undefined> {
  return db.first(byId, { id })
}
