import { sql } from 'kysely'
import { sessionLimits } from '../../access/authentication/session-lifetime.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/db.ts'
import { type Statement, statement } from '../../platform/database/statements/statement.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { CREDENTIAL_KINDS, type CredentialKind, type Ending } from './credential-kinds.ts'

/** Something that acts or listens for a user. */
export interface Credential {
  kind: CredentialKind
  id: number
  name: string
  created_at: string | null
  last_used: string | null
  /** The API key that made it, or changed it last. */
  key_id: number | null
  /** What a program may use that got its access with OAuth: mcp or rest; null for everything else. */
  resource: string | null
  /** The scopes of an API key and the events of a webhook, with commas; empty for other kinds. */
  allows: string
  expires_at: string | null
}

interface Wanted {
  userId: number
  now: string
  usedSince: string
  createdSince: string
}

const NO_TIME = sql<string | null>`cast(null as text)`
const NO_KEY = sql<number | null>`cast(null as integer)`
const NO_RESOURCE = NO_TIME.as('resource')
const NOTHING_ELSE = [sql<string>`cast('' as text)`.as('allows'), NO_TIME.as('expires_at'), NO_RESOURCE] as const

const sessions = statement<Wanted>()((q, p) =>
  q
    .selectFrom('login_tokens')
    .select(['id', 'device as name', 'created_at', 'last_used_at as last_used', NO_KEY.as('key_id')])
    .select(NOTHING_ELSE)
    .where('user_id', '=', p.userId)
    .where('last_used_at', '>=', p.usedSince)
    .where('created_at', '>=', p.createdSince),
)
const keys = statement<Wanted>()((q, p) =>
  q
    .selectFrom('api_keys')
    .select(['id', 'description as name', 'created_at', 'last_used_at as last_used', 'made_with_key_id as key_id'])
    .select(['scopes as allows', 'resource'])
    // The secret of a program ends soon, and is renewed until its access ends.
    .select((key) => key.fn.coalesce('grant_ends_at', 'expires_at').as('expires_at'))
    .where('user_id', '=', p.userId)
    .where('revoked_at', 'is', null)
    .where((key) =>
      key.or([
        key.and([key('expires_at', 'is', null), key('grant_ends_at', 'is', null)]),
        key(key.fn.coalesce('grant_ends_at', 'expires_at'), '>', p.now),
      ]),
    ),
)
const webhooks = statement<Wanted>()((q, p) =>
  q
    .selectFrom('webhooks')
    .select(['id', 'url as name', 'created_at', 'key_id', 'events as allows', 'expires_at', NO_RESOURCE])
    .select((hook) =>
      hook
        .selectFrom('webhook_deliveries')
        .select('webhook_deliveries.at')
        .whereRef('webhook_deliveries.webhook_id', '=', 'webhooks.id')
        .where('webhook_deliveries.outcome', '=', 'delivered')
        .orderBy('webhook_deliveries.id', 'desc')
        .limit(1)
        .as('last_used'),
    )
    .where('user_id', '=', p.userId),
)
const mailAddresses = statement<Wanted>()((q, p) =>
  q
    .selectFrom('mail_addresses')
    .select(['user_id as id', sql<string>`cast('' as text)`.as('name')])
    .select([NO_TIME.as('created_at'), NO_KEY.as('key_id'), ...NOTHING_ELSE])
    .select((address) =>
      address
        .selectFrom('incoming_messages')
        .select(sql<string | null>`max(incoming_messages.at)`.as('at'))
        .whereRef('incoming_messages.user_id', '=', 'mail_addresses.user_id')
        .as('last_used'),
    )
    .where('user_id', '=', p.userId)
    .where('is_off', '=', 0),
)
const scheduledMails = statement<Wanted>()((q, p) =>
  q
    .selectFrom('scheduled_mails')
    .select(['id', 'subject as name', NO_TIME.as('created_at'), NO_TIME.as('last_used'), 'key_id'])
    .select(NOTHING_ELSE)
    .where('user_id', '=', p.userId),
)
const accountLinks = statement<Wanted>()((q, p) =>
  q
    .selectFrom('account_links')
    .select(['id', 'login as name', 'asked_at as created_at', NO_TIME.as('last_used'), NO_KEY.as('key_id')])
    .select(NOTHING_ELSE)
    .where('user_id', '=', p.userId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', p.now),
)
const emailChanges = statement<Wanted>()((q, p) =>
  q
    .selectFrom('email_changes')
    .select(['id', 'login as name', 'asked_at as created_at', NO_TIME.as('last_used'), NO_KEY.as('key_id')])
    .select(NOTHING_ELSE)
    .where('user_id', '=', p.userId)
    .where('is_open', '=', 1),
)
const providers = statement<Wanted>()((q, p) =>
  q
    .selectFrom('identity_links')
    .select(['id', 'issuer as name', 'created_at', 'last_used_at as last_used', NO_KEY.as('key_id')])
    .select(NOTHING_ELSE)
    .where('user_id', '=', p.userId),
)
const factorsOf = (kind: 'passkey' | 'totp') =>
  statement<Wanted>()((q, p) =>
    q
      .selectFrom('second_factors')
      .select(['id', 'name', 'created_at', 'last_used_at as last_used', NO_KEY.as('key_id')])
      .select(NOTHING_ELSE)
      .where('user_id', '=', p.userId)
      .where('kind', '=', kind)
      .where('is_confirmed', '=', 1),
  )

/** One for each kind; the compiler refuses a kind without one. */
const LISTS: Readonly<Record<CredentialKind, Statement<Wanted, Omit<Credential, 'kind'>>>> = {
  session: sessions,
  api_key: keys,
  webhook: webhooks,
  mail_address: mailAddresses,
  scheduled_mail: scheduledMails,
  account_link: accountLinks,
  email_change: emailChanges,
  provider: providers,
  passkey: factorsOf('passkey'),
  totp: factorsOf('totp'),
}

/** All that acts or listens for the user, by kind and id. */
export async function listCredentials(db: Db, settings: Settings, userId: number): Promise<Credential[]> {
  const wanted = { userId, now: timeNow(), ...sessionLimits(settings) }
  const listed: Credential[] = []
  for (const [kind, list] of Object.entries(LISTS)) {
    const rows = await db.all(list, wanted)
    listed.push(
      ...rows.map((row) => ({ kind: kind as CredentialKind, ...row })).sort((one, other) => one.id - other.id),
    )
  }
  return listed
}

/** How many of each kind a reset of the password ends, besides what every new password ends. */
export async function countActing(db: Db, settings: Settings, userId: number): Promise<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const { kind } of await listCredentials(db, settings, userId)) {
    const endedBy: readonly Ending[] = CREDENTIAL_KINDS[kind].endedBy
    if (endedBy.includes('reset') && !endedBy.includes('password')) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return Object.fromEntries(counts)
}
