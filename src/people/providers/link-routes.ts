import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { requireGroup, requireLogin, requireUnlimited } from '../../access/caller.ts'
import { withLiveCredential } from '../../access/live-credential.ts'
import { requireRecentProof } from '../../access/recent-proof.ts'
import { clampedId, idIn } from '../../platform/wire/reference.ts'
import { requireMayChangeFactors } from '../factors/factor-routes.ts'
import { getTarget, isSelf } from '../users/user-targets.ts'
import { listIdentityLinks } from './identity-store.ts'
import { presentLink, unlinkProvider } from './unlink-provider.ts'

const resource = 'provider'
const Time = Type.String({ format: 'date-time' })

const Link = Type.Object(
  {
    id: Type.Integer(),
    name: Type.Union([Type.String(), Type.Null()], {
      description: 'Name of the provider; null if the parameter sign_in_providers no longer has it.',
    }),
    title: Type.String(),
    issuer: Type.String(),
    subject: Type.String({ description: 'The id of the user at the provider.' }),
    created_at: Time,
    last_used: Time,
  },
  { title: 'ProviderLink', additionalProperties: false },
)

const getLinks = call({
  method: 'GET',
  path: '/user/:ref/provider',
  pathParams: { ref: 'Id or login name.' },
  resource,
  summary: 'List the providers of OpenID Connect that a user is linked with.',
  about: 'For the user, and for members of editusers.',
  params: {},
  answers: Type.Object({ links: Type.Array(Link) }, { additionalProperties: false }),
  scope: 'read',
  async run({ db, settings, caller, path }) {
    const signedIn = requireLogin(caller)
    if (!isSelf(signedIn, path.ref ?? '')) requireGroup(caller, 'editusers')
    const { id } = await getTarget(db, path.ref ?? '')
    return { links: (await listIdentityLinks(db, id)).map((link) => presentLink(link, settings)) }
  },
})

const deleteLink = call({
  method: 'DELETE',
  path: '/user/:ref/provider/:id',
  pathParams: { ref: 'Id or login name.', id: 'Id of the link, from the list.' },
  resource,
  summary: 'Remove the link of a user with a provider of OpenID Connect.',
  about:
    'For the user, unless it is the last way in which they can log in, and for members of editusers. The sessions that were opened through it end, and the user gets a mail.',
  params: {},
  answers: Type.Object({ id: Type.Integer() }, { additionalProperties: false }),
  scope: 'admin',
  run(context) {
    const { settings, caller, credentials, path } = context
    const editor = requireLogin(caller)
    const isOwn = isSelf(editor, path.ref ?? '')
    if (isOwn) requireMayChangeFactors(context)
    else {
      requireGroup(caller, 'editusers')
      requireUnlimited(caller, 'remove links with providers')
      requireRecentProof(context)
    }
    const id = clampedId(idIn(path.id ?? '') ?? 0)
    const token = isOwn ? credentials.token : undefined
    return withLiveCredential(context, 'configuration', (tx) =>
      unlinkProvider(tx, settings, { id: editor.id, token }, path.ref ?? '', id),
    )
  },
})

export const providerLinkRoutes = [getLinks, deleteLink] as const
