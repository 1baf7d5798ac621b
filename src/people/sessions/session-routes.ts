import { Type } from '@sinclair/typebox'
import { authenticate } from '../../access/authentication/authenticate.ts'
import { cookieRemoved, cookieWith, sessionCookieFor } from '../../access/authentication/session-cookie.ts'
import { type CallContext, call } from '../../access/call.ts'
import { isSignedIn, requireLogin } from '../../access/caller.ts'
import { errors } from '../../platform/errors.ts'
import { digest } from '../../platform/secrets/secrets.ts'
import { fold } from '../../platform/text/fold.ts'
import { documentedAsRequired, flag, text } from '../../platform/wire/params.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { deleteOwnToken, deleteToken, insertToken, listTokens } from './session-store.ts'

const resource = 'session'

interface PasswordRequest extends Pick<CallContext, 'authenticator' | 'credentials' | 'address'> {
  params: { login?: string | undefined; password?: string | undefined }
}

const login = call({
  method: 'GET',
  path: '/login',
  resource,
  summary: 'Log in and get a token.',
  about:
    'The token is valid until logout, or until it has not been used for thirty days. Programs should use API keys instead.',
  params: {
    login: documentedAsRequired(text('Login name.')),
    password: documentedAsRequired(text('Password.')),
    restrict_login: flag('The token can be used only from the address of this request.'),
  },
  answers: Type.Object({ id: Type.Integer(), token: Type.String() }, { additionalProperties: false }),
  scope: 'read',
  isOpen: true,
  readsCredentials: true,
  async run(request) {
    const { db, credentials, params, address } = request
    const id = await checkPassword(request)
    const isRestricted = params.restrict_login ?? credentials.restrictsToAddress ?? false
    return { id, token: await insertToken(db, id, isRestricted ? address : null) }
  },
})

/** Checks the login name and password of the parameters, or else of the headers, and answers the id of the account. */
async function checkPassword({ authenticator, credentials, params, address }: PasswordRequest): Promise<number> {
  const { login = params.login, password = params.password } = credentials
  if (login === undefined) throw errors.parameter_required({ name: 'login' })
  if (password === undefined) throw errors.parameter_required({ name: 'password' })
  // No account has an empty login or password, so the database is not read.
  if (login === '' || password === '') throw errors.wrong_credentials()
  const { caller } = await authenticate(authenticator, { login, password }, { peer: address, forwardedFor: undefined })
  return requireLogin(caller).id
}

/** Cookies of Bugzilla that a browser may still have. */
const OLD_COOKIES = ['Bugzilla_login', 'Bugzilla_logincookie', 'Tracker_login', 'Tracker_logincookie']

const logout = call({
  method: 'GET',
  path: '/logout',
  resource,
  summary: 'Log out: invalidate a token.',
  about: 'An unknown token is not an error.',
  params: { token: text('The token. It can also be sent in a header.') },
  answers: Type.Object({ result: Type.Null() }, { additionalProperties: false }),
  scope: 'read',
  takesDeadTokens: true,
  async run({ db, credentials, answerHeaders }) {
    if (credentials.token !== undefined) await deleteToken(db, credentials.token)
    answerHeaders['Set-Cookie'] = OLD_COOKIES.map((name) => `${name}=; Path=/; Max-Age=0; HttpOnly`)
    return { result: null }
  },
})

const validLogin = call({
  method: 'GET',
  path: '/valid_login',
  resource,
  summary: 'Check whether a token, or the API key in use, belongs to a login name.',
  params: { login: documentedAsRequired(text('Login name.')), token: text('The token to check.') },
  answers: Type.Boolean(),
  scope: 'read',
  takesDeadTokens: true,
  run({ caller, credentials, params }) {
    const login = params.login ?? credentials.login
    if (!login) throw errors.parameter_required({ name: 'login' })
    return isSignedIn(caller) && fold(caller.login) === fold(login.trim())
  },
})

const Session = Type.Object(
  {
    id: Type.Integer(),
    created_at: Type.String({ format: 'date-time' }),
    last_used: Type.String({ format: 'date-time' }),
    address: Type.Union([Type.String(), Type.Null()], { description: 'The only address it can be used from.' }),
    is_current: Type.Boolean({ description: 'Whether this request uses it.' }),
  },
  { title: 'Session', additionalProperties: false },
)

const getSessions = call({
  method: 'GET',
  path: '/session',
  resource,
  summary: 'List the caller’s login tokens.',
  about: 'The tokens themselves are not returned.',
  params: {},
  answers: Type.Object({ sessions: Type.Array(Session) }, { additionalProperties: false }),
  scope: 'read',
  async run({ db, caller, credentials }) {
    const current = credentials.token === undefined ? undefined : digest(credentials.token)
    const tokens = await listTokens(db, requireLogin(caller).id)
    return {
      sessions: tokens.map((token) => ({
        id: token.id,
        created_at: token.created_at,
        last_used: token.last_used_at,
        address: token.address,
        is_current: token.digest === current,
      })),
    }
  },
})

const deleteSession = call({
  method: 'DELETE',
  path: '/session/:id',
  pathParams: { id: 'Id of a session of the caller.' },
  resource,
  summary: 'End a session of the caller.',
  params: {},
  answers: Type.Object({ id: Type.Integer() }, { additionalProperties: false }),
  scope: 'write',
  async run({ db, caller, path }) {
    const { id: userId } = requireLogin(caller)
    const id = idIn(path.id ?? '') ?? 0
    if (!(await deleteOwnToken(db, userId, id))) throw errors.no_such_object({ what: 'session', ref: path.id ?? '' })
    return { id }
  },
})

const signIn = call({
  method: 'POST',
  path: '/session',
  resource,
  summary: 'Sign in to the pages of this server.',
  about:
    'Stores the token of a new session in a cookie that scripts cannot read. Only pages of this server can make this call; programs get a token from `GET /rest/login` or use an API key.',
  params: {
    login: documentedAsRequired(text('Login name.')),
    password: documentedAsRequired(text('Password.')),
    is_kept: flag('The browser keeps the cookie when it is closed. Off by default.'),
  },
  answers: Type.Object({ id: Type.Integer() }, { additionalProperties: false }),
  status: 201,
  scope: 'write',
  isOpen: true,
  readsCredentials: true,
  async run(request) {
    const { db, params, baseUrl, isFromOwnPage, answerHeaders } = request
    requireOwnPage(isFromOwnPage)
    const id = await checkPassword(request)
    const token = await insertToken(db, id, null)
    answerHeaders['Set-Cookie'] = cookieWith(sessionCookieFor(baseUrl), token, params.is_kept ?? false)
    return { id }
  },
})

const signOut = call({
  method: 'DELETE',
  path: '/session',
  resource,
  summary: 'Sign out of the pages of this server.',
  about: 'Ends the session of the cookie and removes the cookie. Only pages of this server can make this call.',
  params: {},
  answers: Type.Object({ result: Type.Null() }, { additionalProperties: false }),
  scope: 'write',
  isOpen: true,
  takesDeadTokens: true,
  async run({ db, credentials, baseUrl, isFromOwnPage, answerHeaders }) {
    requireOwnPage(isFromOwnPage)
    if (credentials.token !== undefined) await deleteToken(db, credentials.token)
    answerHeaders['Set-Cookie'] = cookieRemoved(sessionCookieFor(baseUrl))
    return { result: null }
  },
})

/** A page of another site must neither sign a person in under another name nor sign them out. */
function requireOwnPage(isFromOwnPage: boolean) {
  if (!isFromOwnPage) throw errors.not_allowed({ need: 'only the pages of this server can make this call' })
}

export const sessionRoutes = [login, logout, validLogin, signIn, getSessions, signOut, deleteSession]
