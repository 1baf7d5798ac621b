import { sessionLimits } from '../../access/authentication/session-lifetime.ts'
import { noteCredentialsEnded } from '../../access/live-credential.ts'
import { OWN_LIMITS } from '../../access/own-limits.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/db.ts'
import { ALL_ROWS } from '../../platform/database/statements/all-rows.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { Flag } from '../../platform/database/tables.ts'
import { digest, randomWord } from '../../platform/secrets/secrets.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { lockEnabledUser } from '../users/user-store.ts'

export interface NewSession {
  /** The only address it may be used from, or null for any. */
  address: string | null
  lastAddress: string
  device: string
  /** It can only be used to add a second factor. */
  mustAddFactor: boolean
  /** The provider of OpenID Connect that has opened it. */
  provider?: ProviderSession
  /** When the user was last asked for a password or a factor; now if it is missing. */
  provenAt?: string
}

export interface ProviderSession {
  provider: string
  subject: string
  session: string | null
}

const insert = statement<
  Omit<NewSession, 'mustAddFactor' | 'provider' | 'provenAt'> & {
    userId: number
    digest: string
    at: string
    provenAt: string
    mustAddFactor: Flag
    provider: string | null
    subject: string | null
    session: string | null
  }
>()((q, p) =>
  q.insertInto('login_tokens').values({
    user_id: p.userId,
    digest: p.digest,
    address: p.address,
    created_at: p.at,
    last_used_at: p.at,
    proven_at: p.provenAt,
    last_address: p.lastAddress,
    device: p.device,
    must_add_factor: p.mustAddFactor,
    provider: p.provider,
    provider_subject: p.subject,
    provider_session: p.session,
  }),
)
const forgetOver = statement<{ usedSince: string; createdSince: string }>()((q, p) =>
  q
    .deleteFrom('login_tokens')
    .where((row) => row.or([row('last_used_at', '<', p.usedSince), row('created_at', '<', p.createdSince)])),
)

const forgetUnused = statement<{ userId: number; most: number; all: number }>()((q, p) =>
  q
    .deleteFrom('login_tokens')
    .where('id', 'in', (older) =>
      older
        .selectFrom('login_tokens')
        .select('id')
        .where('user_id', '=', p.userId)
        .orderBy('last_used_at', 'desc')
        .orderBy('id', 'desc')
        .limit(p.all)
        .offset(p.most),
    ),
)

const TOKEN_LENGTH = 32

/** Creates a token and returns it; only its digest is stored. Also deletes the sessions that are over or too many. */
export async function insertToken(db: Db, settings: Settings, userId: number, session: NewSession): Promise<string> {
  const token = `${userId}-${randomWord(TOKEN_LENGTH)}`
  await db.transaction(async (tx) => {
    await lockEnabledUser(tx, userId)
    await tx.all(forgetOver, sessionLimits(settings))
    const mustAddFactor = session.mustAddFactor ? 1 : 0
    const { provider, provenAt, ...rest } = session
    const at = timeNow()
    await tx.all(insert, {
      ...rest,
      userId,
      digest: digest(token),
      at,
      provenAt: provenAt ?? at,
      mustAddFactor,
      provider: provider?.provider ?? null,
      subject: provider?.subject ?? null,
      session: provider?.session ?? null,
    })
    const unused = await tx.all(forgetUnused, { userId, most: OWN_LIMITS.sessions.most, all: ALL_ROWS })
    if (unused.length > 0) await noteCredentialsEnded(tx)
  })
  return token
}

const removeByDigest = statement<{ digest: string }>()((q, p) =>
  q.deleteFrom('login_tokens').where('digest', '=', p.digest),
)

export async function deleteToken(db: Db, token: string) {
  await db.all(removeByDigest, { digest: digest(token) })
  await noteCredentialsEnded(db)
}

const ofUser = statement<{ userId: number; usedSince: string; createdSince: string }>()((q, p) =>
  q
    .selectFrom('login_tokens')
    .select(['id', 'digest', 'address', 'created_at', 'last_used_at', 'device', 'last_address'])
    .where('user_id', '=', p.userId)
    .where('last_used_at', '>=', p.usedSince)
    .where('created_at', '>=', p.createdSince)
    .orderBy('id'),
)

export function listTokens(db: Db, settings: Settings, userId: number) {
  return db.all(ofUser, { userId, ...sessionLimits(settings) })
}

const removeOwn = statement<{ id: number; userId: number }>()((q, p) =>
  q.deleteFrom('login_tokens').where('id', '=', p.id).where('user_id', '=', p.userId).returning('id'),
)

export async function deleteOwnToken(db: Db, userId: number, id: number) {
  const isEnded = (await db.first(removeOwn, { id, userId })) !== undefined
  if (isEnded) await noteCredentialsEnded(db)
  return isEnded
}

const removeOthers = statement<{ userId: number; kept: string }>()((q, p) =>
  q.deleteFrom('login_tokens').where('user_id', '=', p.userId).where('digest', '!=', p.kept).returning('id'),
)

/** Ends all sessions of the user, except the one with this token. Returns how many. */
export async function deleteOtherTokens(db: Db, userId: number, keptToken: string | undefined): Promise<number> {
  const kept = keptToken === undefined ? '' : digest(keptToken)
  const ended = await db.all(removeOthers, { userId, kept })
  if (ended.length > 0) await noteCredentialsEnded(db)
  return ended.length
}

const prove = statement<{ digest: string; at: string }>()((q, p) =>
  q.updateTable('login_tokens').set({ proven_at: p.at }).where('digest', '=', p.digest),
)

/** The password was checked again in the session with this token. */
export async function noteProof(db: Db, token: string) {
  await db.all(prove, { digest: digest(token), at: timeNow() })
}
