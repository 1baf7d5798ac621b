import type { Db } from '../../platform/database/db.ts'
import { digest } from '../../platform/secrets/secrets.ts'
import { insertStep, type StepKind, takeStep } from '../sessions/sign-in-step-store.ts'

/** What the answer to a challenge is good for. */
export type PasskeyPurpose = Extract<StepKind, `passkey_${string}`>

/** Who may answer a challenge: a user, or null for any, and only in the session with this token. */
export interface ChallengeOwner {
  userId: number | null
  token: string | undefined
}

export const CHALLENGE_MINUTES = 5

interface Content {
  session: string
}

/** A random text that a passkey must sign. Only its digest is stored. */
export async function createChallenge(
  db: Db,
  purpose: PasskeyPurpose,
  { userId, token }: ChallengeOwner,
): Promise<string> {
  const content: Content = { session: sessionOf(token) }
  return encoded(await insertStep(db, purpose, userId, content, CHALLENGE_MINUTES))
}

/**
 * Each challenge is taken once, also by an answer that is wrong. Undefined if it was made for something else, in another session or too long
 * ago.
 */
export async function takeChallenge(
  db: Db,
  purpose: PasskeyPurpose,
  challenge: string,
  token: string | undefined,
): Promise<{ userId: number | null } | undefined> {
  const step = await takeStep<Content>(db, purpose, Buffer.from(challenge, 'base64url').toString())
  return step?.content.session === sessionOf(token) ? { userId: step.userId } : undefined
}

function sessionOf(token: string | undefined) {
  return token === undefined ? '' : digest(token)
}

function encoded(word: string) {
  return Buffer.from(word).toString('base64url')
}
