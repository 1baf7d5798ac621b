import { Type } from '@sinclair/typebox'
import { type CallContext, call } from '../../access/call.ts'
import { requireLogin, type SignedIn } from '../../access/caller.ts'
import { requireRecentProof } from '../../access/recent-proof.ts'
import { isSelf } from '../../people/users/user-targets.ts'
import { errors } from '../../platform/errors.ts'
import { incomingAddressOf } from './mail-address.ts'
import { endOwnAddress, readOwnAddress, replaceOwnAddress } from './own-mail-address.ts'

const resource = 'mail_address'
const pathParams = { user: 'The caller’s id or login name.' }

const OwnAddress = Type.Object(
  { address: Type.String({ description: 'Anyone who knows this address can write as you.' }) },
  { additionalProperties: false },
)

const getAddress = call({
  method: 'GET',
  path: '/user/:user/mail_address',
  pathParams,
  resource,
  summary: 'Get the caller’s address for mail to the tracker.',
  ignoresCookie: true,
  about:
    'A message to it becomes a bug, or a comment on the bug that its subject names as [Bug 42]. The address is a secret like an API key, so it is returned only to credentials that may write and do not expire. It ends when an API key that has got it is revoked.',
  params: {},
  answers: OwnAddress,
  scope: 'write',
  run: (context) => ownAddress(context, (self) => readOwnAddress(context, self)),
})

const postAddress = call({
  method: 'POST',
  idempotency: 'once',
  path: '/user/:user/mail_address',
  pathParams,
  resource,
  summary: 'Replace the address.',
  about: 'Mail to the old address is no longer accepted.',
  params: {},
  answers: OwnAddress,
  status: 201,
  scope: 'write',
  run: (context) => ownAddress(context, (self) => replaceOwnAddress(context, self)),
})

const deleteAddress = call({
  method: 'DELETE',
  path: '/user/:user/mail_address',
  pathParams,
  resource,
  summary: 'End the address.',
  about: 'Mail to it is no longer accepted. The next request for an address creates another.',
  params: {},
  answers: Type.Object({ id: Type.Integer({ description: 'Id of the user.' }) }, { additionalProperties: false }),
  scope: 'write',
  async run(context) {
    const self = requireSelf(context)
    await endOwnAddress(context, self)
    return { id: self.id }
  },
})

function requireSelf({ caller, path }: Pick<CallContext, 'caller' | 'path'>): SignedIn {
  const self = requireLogin(caller)
  if (!isSelf(self, path.user ?? '')) throw errors.not_allowed({ need: 'this address belongs to another user' })
  return self
}

async function ownAddress({ caller, path, settings }: CallContext, wordOf: (caller: SignedIn) => Promise<string>) {
  const self = requireSelf({ caller, path })
  if (self.expiresAt !== null)
    throw errors.key_expires({
      expires: self.expiresAt,
      hint: '; the address is only for credentials that do not expire',
    })
  requireRecentProof({ caller, settings })
  if (settings.incoming_address === '') throw errors.incoming_mail_off()
  return { address: incomingAddressOf(settings.incoming_address, self.id, await wordOf(self)) }
}

export const mailAddressRoutes = [getAddress, postAddress, deleteAddress] as const
