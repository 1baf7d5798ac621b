import { noteCredentialsEnded } from '../../access/live-credential.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { digest } from '../../platform/secrets/secrets.ts'
import { timeNow } from '../../platform/time/clock.ts'
import type { EndedSessions } from './provider-client.ts'

interface Subject {
  issuer: string
  subject: string
}

const use = statement<Subject & { at: string }>()((q, p) =>
  q
    .updateTable('identity_links')
    .set({ last_used_at: p.at })
    .where('issuer', '=', p.issuer)
    .where('subject', '=', p.subject)
    .returning('user_id'),
)

/** The user who is linked with the subject of a provider. */
export async function useIdentityLink(tx: Db, { issuer, subject }: Subject): Promise<number | undefined> {
  return (await tx.first(use, { issuer, subject, at: timeNow() }))?.user_id
}

const insert = statement<Subject & { userId: number; at: string }>()((q, p) =>
  q.insertInto('identity_links').values({
    user_id: p.userId,
    issuer: p.issuer,
    subject: p.subject,
    created_at: p.at,
    last_used_at: p.at,
  }),
)

export async function insertIdentityLink(tx: Db, userId: number, { issuer, subject }: Subject) {
  await tx.all(insert, { userId, issuer, subject, at: timeNow() })
}

const ofUser = statement<{ userId: number; issuer: string }>()((q, p) =>
  q.selectFrom('identity_links').select('id').where('user_id', '=', p.userId).where('issuer', '=', p.issuer),
)

/** Whether the user is linked with any subject of the provider. */
export async function isLinked(tx: Db, userId: number, issuer: string): Promise<boolean> {
  return (await tx.first(ofUser, { userId, issuer })) !== undefined
}

export interface IdentityLink extends Subject {
  id: number
  created_at: string
  last_used_at: string
}

const allOfUser = statement<{ userId: number }>()((q, p) =>
  q
    .selectFrom('identity_links')
    .select(['id', 'issuer', 'subject', 'created_at', 'last_used_at'])
    .where('user_id', '=', p.userId)
    .orderBy('id'),
)

export function listIdentityLinks(db: Db, userId: number): Promise<IdentityLink[]> {
  return db.all(allOfUser, { userId })
}

const remove = statement<{ id: number }>()((q, p) => q.deleteFrom('identity_links').where('id', '=', p.id))

export async function deleteIdentityLink(tx: Db, id: number) {
  await tx.all(remove, { id })
}

const endOthers = statement<{ provider: string; subject: string; kept: string }>()((q, p) =>
  q
    .deleteFrom('login_tokens')
    .where('provider', '=', p.provider)
    .where('provider_subject', '=', p.subject)
    .where('digest', '!=', p.kept),
)

/** Ends the sessions that a subject of the provider has opened, except the one with `keptToken`. */
export async function endSessionsOfLink(
  tx: Db,
  { provider, subject }: { provider: string; subject: string },
  keptToken: string | undefined,
) {
  await tx.all(endOthers, { provider, subject, kept: keptToken === undefined ? '' : digest(keptToken) })
  await noteCredentialsEnded(tx)
}

const endSession = statement<{ provider: string; session: string; openedUntil: string }>()((q, p) =>
  q
    .deleteFrom('login_tokens')
    .where('provider', '=', p.provider)
    .where('provider_session', '=', p.session)
    .where('created_at', '<=', p.openedUntil)
    .returning('id'),
)
const endSubject = statement<{ provider: string; subject: string; openedUntil: string }>()((q, p) =>
  q
    .deleteFrom('login_tokens')
    .where('provider', '=', p.provider)
    .where('provider_subject', '=', p.subject)
    .where('created_at', '<=', p.openedUntil)
    .returning('id'),
)

/** Ends the sessions that the provider has opened: one session, or all of a subject. */
export async function endProviderSessions(
  db: Db,
  provider: string,
  { subject, session, openedUntil }: EndedSessions,
): Promise<number> {
  const ended =
    session !== null
      ? await db.all(endSession, { provider, session, openedUntil })
      : subject !== null
        ? await db.all(endSubject, { provider, subject, openedUntil })
        : []
  if (ended.length > 0) await noteCredentialsEnded(db)
  return ended.length
}
