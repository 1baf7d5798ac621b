import type { CallContext } from '../../access/call.ts'
import type { SignInProvider } from '../../platform/config/sign-in-providers.ts'
import { digest } from '../../platform/secrets/secrets.ts'
import { requireSession } from '../sessions/proof-routes.ts'
import { noteProof } from '../sessions/session-store.ts'
import { useIdentityLink } from './identity-store.ts'
import type { Identity } from './provider-client.ts'
import { refusedByProvider } from './user-of-identity.ts'

/** A session whose user logs in at the provider again, in place of sending the password again. */
export interface ProofStep {
  /** Digest of the token: another session of the user is not proven. */
  session: string
  begunAt: number
}

/** How much the clock of the provider may be behind. */
const TOLERANCE_SECONDS = 60

export function beginProof(context: CallContext): ProofStep {
  const { token } = requireSession(context)
  return { session: digest(token), begunAt: Math.floor(Date.now() / 1000) }
}

/**
 * The provider must say that its user has logged in since the proof began. Otherwise a browser that was left alone would prove its user by
 * the session that it has at the provider.
 */
export async function finishProof(
  context: CallContext,
  provider: SignInProvider,
  identity: Identity,
  { session, begunAt }: ProofStep,
): Promise<{ id: number }> {
  const { user, token } = requireSession(context)
  if (digest(token) !== session) throw refusedByProvider(provider, 'another session has begun it')
  if ((await useIdentityLink(context.db, identity)) !== user.id)
    throw refusedByProvider(provider, 'the user who has logged in there is not linked with your account')
  if (identity.authenticatedAt === null)
    throw refusedByProvider(
      provider,
      'it does not say when you logged in there (auth_time): use your password instead, or ask an administrator',
    )
  if (identity.authenticatedAt < begunAt - TOLERANCE_SECONDS)
    throw refusedByProvider(provider, 'you have not logged in there again')
  await noteProof(context.db, token)
  return { id: user.id }
}
