import { Type } from '@sinclair/typebox'
import { siteNameIn } from '../../../shared/look.ts'
import { type CallContext, call } from '../../access/call.ts'
import { requireGroup, requireLogin } from '../../access/caller.ts'
import { requireRecentProof } from '../../access/recent-proof.ts'
import { errors } from '../../platform/errors.ts'
import { readListPage } from '../../platform/wire/list-page.ts'
import { Deleted } from '../../platform/wire/openapi/schemas.ts'
import { documentedAsRequired, flag, integer, required, text, texts } from '../../platform/wire/params.ts'
import { requireOwnPage } from '../sessions/sign-in.ts'
import { type AuthorizationParams, isWrong, readAuthorization } from './authorization-request.ts'
import { looksLikeOurs } from './clients/client-name.ts'
import { listClients } from './clients/client-store.ts'
import { addClient, removeClient } from './clients/manage-clients.ts'
import { targetOf } from './clients/redirect-uri.ts'
import { AUTH_METHODS } from './clients/register-client.ts'
import { allowAccess } from './grants/allow-access.ts'
import { RESOURCES } from './resources.ts'
import { GRANTS, type GrantedScope, SCOPES_SUPPORTED } from './scopes.ts'

const resource = 'oauth'
const Time = Type.String({ format: 'date-time' })
const Scope = Type.Union(GRANTS.map(({ scope }) => Type.Literal(scope)))

/** As the program sends them with the browser (RFC 6749, 7636, 8707). */
const requestParams = {
  client_id: documentedAsRequired(text('The program, as it was registered.')),
  redirect_uri: documentedAsRequired(text('Where the answer goes: one of the addresses that were registered.')),
  response_type: documentedAsRequired(text('Must be code.')),
  code_challenge: documentedAsRequired(text('The SHA-256 of the secret of the program for this request.')),
  code_challenge_method: documentedAsRequired(text('Must be S256.')),
  scope: text('The scopes that the program wants, separated by spaces.'),
  state: text('Returned to the program as it is.'),
  resource: text('What the access is for: the address of /mcp, which is the default, or of /rest.'),
}

const getAuthorization = call({
  method: 'GET',
  path: '/oauth/authorization',
  resource,
  summary: 'Read the request of a program for access, before answering it.',
  about:
    'For the page that asks the user. The name of the program is what the program says, and proves nothing. With `fault`, the request cannot be allowed.',
  params: requestParams,
  answers: Type.Object(
    {
      client: Type.Object(
        {
          name: Type.String(),
          looks_like_ours: Type.Boolean({
            description: 'Whether the name looks as if it were a part of this tracker.',
          }),
          host: Type.String({ description: 'Where the answer goes.' }),
          is_local: Type.Boolean({ description: 'Whether that is a program on the computer of the browser.' }),
        },
        { additionalProperties: false },
      ),
      resource: Type.Union([...RESOURCES.map((name) => Type.Literal(name)), Type.Null()]),
      scopes: Type.Array(Scope, { description: 'What can be given, the safest first.' }),
      preselected: Type.Union([Scope, Type.Null()], { description: 'The safest that the program asked for.' }),
      days: Type.Integer({ description: 'After so many days the program has to ask again; 0 is never.' }),
      fault: Type.Optional(
        Type.Object(
          {
            error: Type.String(),
            description: Type.String(),
            url: Type.String({ description: 'Where the program learns of it.' }),
          },
          { additionalProperties: false },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  scope: 'read',
  async run(context) {
    requireLogin(context.caller)
    const { db, settings, baseUrl, params } = context
    const request = await readAuthorization(db, settings, baseUrl, params as AuthorizationParams)
    const { name } = request.client
    const client = {
      name,
      looks_like_ours: looksLikeOurs(name, siteNameIn({ site_name: settings.site_name })),
      ...target(request),
    }
    const days = settings.oauth_grant_days
    if (!isWrong(request)) return { client, ...offer(request), days }
    const { error, description, url } = request
    return { client, resource: null, scopes: [], preselected: null, days, fault: { error, description, url } }
  },
})

function target({ redirectUri }: { redirectUri: string }) {
  const { host, isLocal } = targetOf(redirectUri)
  return { host, is_local: isLocal }
}

function offer(request: { resource: string; offered: readonly GrantedScope[]; preselected: GrantedScope }) {
  return { resource: request.resource, scopes: request.offered, preselected: request.preselected }
}

const postAuthorization = call({
  method: 'POST',
  idempotency: 'attempts',
  path: '/oauth/authorization',
  resource,
  summary: 'Allow a program access, or refuse it.',
  about:
    'Only pages of this server can make this call, in a session. Returns the address at which the program gets the answer: a code that works once, for a minute, or the refusal.',
  params: {
    ...requestParams,
    allow: documentedAsRequired(flag('Whether the program gets access. Off by default.')),
    chosen_scope: text(`What it gets: one of ${SCOPES_SUPPORTED.join(', ')}, of those that are offered.`),
  },
  answers: Type.Object({ url: Type.String() }, { additionalProperties: false }),
  status: 201,
  scope: 'admin',
  async run(context) {
    requireOwnPage(context)
    if (requireLogin(context.caller).source !== 'token') throw errors.session_only()
    const { db, settings, baseUrl, params } = context
    const request = await readAuthorization(db, settings, baseUrl, params as AuthorizationParams)
    if (isWrong(request)) throw errors.oauth_request_wrong({ error: request.error })
    if (!params.allow)
      return { url: request.answer({ error: 'access_denied', error_description: 'The user refused access.' }) }
    requireRecentProof(context)
    return { url: request.answer({ code: await allowAccess(context, request, params.chosen_scope) }) }
  },
})

const ListedClient = Type.Object(
  {
    id: Type.Integer(),
    client_id: Type.String({ description: 'Its name in OAuth.' }),
    name: Type.String({ description: 'What it calls itself.' }),
    redirect_uris: Type.Array(Type.String()),
    auth_method: Type.String({ description: 'How it proves who it is; none for programs that cannot keep a secret.' }),
    registered_from: Type.Union([Type.String(), Type.Null()], {
      description: 'The network that registered it; null if an administrator did.',
    }),
    created_at: Time,
    last_used: Type.Union([Time, Type.Null()], { description: 'When it last got access or renewed it.' }),
    users: Type.Integer({ description: 'How many users it has access of.' }),
  },
  { title: 'OAuthClient', additionalProperties: false },
)

const MOST_LISTED = 1000

const getClients = call({
  method: 'GET',
  path: '/oauth_client',
  resource,
  summary: 'List the programs that may ask users for access.',
  about: 'For members of admin. The newest first.',
  params: {
    limit: integer(`Largest number of programs; 100 by default, at most ${MOST_LISTED}.`),
    offset: integer('Number of programs to skip.'),
  },
  answers: Type.Object({ clients: Type.Array(ListedClient), total: Type.Integer() }, { additionalProperties: false }),
  scope: 'admin',
  async run({ db, caller, params }) {
    requireGroup(caller, 'admin')
    const { clients, total } = await listClients(db, readListPage(params, { usual: 100, most: MOST_LISTED }))
    return {
      clients: clients.map((client) => ({
        id: client.id,
        client_id: client.client_key,
        name: client.name,
        redirect_uris: JSON.parse(client.redirect_uris),
        auth_method: client.auth_method,
        registered_from: client.is_registered_by_hand === 1 ? null : client.network,
        created_at: client.created_at,
        last_used: client.used_at,
        users: Number(client.users),
      })),
      total,
    }
  },
})

const postClient = call({
  method: 'POST',
  idempotency: 'once',
  path: '/oauth_client',
  resource,
  summary: 'Add a program that may ask users for access.',
  about: 'For members of admin. Programs add themselves while the parameter oauth_registration is on.',
  params: {
    name: required(text('What users see, at most 60 characters.')),
    redirect_uris: required(texts('Where answers may go: https, or http to the computer of the browser.', 10)),
    auth_method: text(`How it proves who it is: ${AUTH_METHODS.join(', ')}. By default none.`),
  },
  unknownParams: 'refused',
  answers: Type.Object(
    {
      id: Type.Integer(),
      client_id: Type.String(),
      client_secret: Type.Optional(Type.String({ description: 'It is returned only here.' })),
    },
    { additionalProperties: false },
  ),
  status: 201,
  scope: 'admin',
  run: (context) => addClient(administrator(context), context.params),
})

const deleteOne = call({
  method: 'DELETE',
  path: '/oauth_client/:id',
  pathParams: { id: 'Id of a program.' },
  resource,
  summary: 'End a program: all access that it has, and its registration.',
  about: 'For members of admin. What was made with its access ends too.',
  params: {},
  answers: Deleted,
  scope: 'admin',
  run: (context) => removeClient(administrator(context), context.path.id ?? ''),
})

function administrator<Context extends CallContext>(context: Context): Context {
  requireGroup(context.caller, 'admin')
  requireRecentProof(context)
  return context
}

export const oauthRoutes = [getAuthorization, postAuthorization, getClients, postClient, deleteOne] as const
