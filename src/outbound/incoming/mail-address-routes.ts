import { Type } from '@sinclair/typebox'
import { type CallContext, call } from '../../access/call.ts'
import { requireLogin, type SignedIn } from '../../access/caller.ts'
import { isSelf } from '../../people/users/user-targets.ts'
import { errors } from '../../platform/errors.ts'
import { addressWith } from './mail-address.ts'
import { createAddressSecret, renewAddressSecret } from './mail-address-store.ts'

const resource = 'mail_address'
const pathParams = { user: 'One’s own id or login name.' }

const OwnAddress = Type.Object(
  { address: Type.String({ description: 'Whoever knows it can write as you.' }) },
  { additionalProperties: false },
)

const getAddress = call({
  method: 'GET',
  path: '/user/:user/mail_address',
  pathParams,
  resource,
  summary: 'The address to which one sends mail to the tracker.',
  about:
    'A message to it becomes a bug, or a comment on the bug that its subject names as [Bug 42]. It is a secret like a key, so it is told only with credentials that may write, and do not end.',
  params: {},
  answers: OwnAddress,
  scope: 'write',
  run: (context) => ownAddress(context, (caller) => createAddressSecret(context.db, caller.id)),
})

const postAddress = call({
  method: 'POST',
  path: '/user/:user/mail_address',
  pathParams,
  resource,
  summary: 'Get another address.',
  about: 'Mail to the old one is no longer taken.',
  params: {},
  answers: OwnAddress,
  status: 201,
  scope: 'write',
  run: (context) => ownAddress(context, (caller) => renewAddressSecret(context.db, caller.id)),
})

async function ownAddress({ caller, path, settings }: CallContext, wordOf: (caller: SignedIn) => Promise<string>) {
  const self = requireLogin(caller)
  const ref = path.user ?? ''
  if (!isSelf(self, ref)) throw errors.not_allowed({ need: 'this address is somebody else’s' })
  if (self.expiresAt !== null) throw errors.not_allowed({ need: `the key in use ends at ${self.expiresAt}` })
  if (settings.incoming_address === '')
    throw errors.refused({ why: 'This tracker takes no mail: the parameter incoming_address is empty' })
  return { address: addressWith(settings.incoming_address, self.id, await wordOf(self)) }
}

export const mailAddressRoutes = [getAddress, postAddress]
