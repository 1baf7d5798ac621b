import { authenticate } from '../../access/authentication/authenticate.ts'
import type { CallContext } from '../../access/call.ts'
import { isSignedIn } from '../../access/caller.ts'
import { errors } from '../../platform/errors.ts'
import type { EventReader } from '../events/visible-events.ts'
import type { FeedReader } from './feed-round.ts'

export type FeedRequest = Pick<CallContext, 'db' | 'authenticator' | 'credentials' | 'address' | 'baseUrl'>

/** The caller is looked up anew each time: while they wait, the key may be revoked or a right lost. */
export function feedReader({ db, authenticator, credentials, address, baseUrl }: FeedRequest): FeedReader {
  return {
    key: JSON.stringify([credentials, address]),
    async read(): Promise<EventReader> {
      const origin = { peer: address, forwardedFor: undefined }
      const { caller, settings, catalogue } = await authenticate(authenticator, credentials, origin)
      if (settings.requirelogin && !isSignedIn(caller)) throw errors.login_required()
      if (!caller.scopes.has('read')) throw errors.scope_required({ scope: 'read' })
      return { db, caller, settings, catalogue, baseUrl }
    },
  }
}
