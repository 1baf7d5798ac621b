import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { timeNow } from '../../platform/time/clock.ts'

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

const endSession = statement<{ provider: string; session: string }>()((q, p) =>
  q
    .deleteFrom('login_tokens')
    .where('provider', '=', p.provider)
    .where('provider_session', '=', p.session)
    .returning('id'),
)
const endSubject = statement<{ provider: string; subject: string }>()((q, p) =>
  q
    .deleteFrom('login_tokens')
    .where('provider', '=', p.provider)
    .where('provider_subject', '=', p.subject)
    .returning('id'),
)

/** Ends the sessions that the provider has opened: one session, or all of a subject. */
export async function endProviderSessions(
  db: Db,
  provider: string,
  { subject, session }: { subject: string | null; session: string | null },
): Promise<number> {
  if (session !== null) return (await db.all(endSession, { provider, session })).length
  return subject === null ? 0 : (await db.all(endSubject, { provider, subject })).length
}
