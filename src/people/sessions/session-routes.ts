import { Type } from '@sinclair/typebox'
import { knownDevice } from '../../access/authentication/known-device.ts'
import { cookieRemoved, sessionCookieFor } from '../../access/authentication/session-cookie.ts'
import { call } from '../../access/call.ts'
import { isSignedIn } from '../../access/caller.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { documentedAsRequired, flag, secret, text } from '../../platform/wire/params.ts'
import { deleteOtherSessions, deleteSession, getSessions } from './own-sessions.ts'
import { proofRoutes } from './proof-routes.ts'
import { deleteToken } from './session-store.ts'
import { openSession, provePassword, requireOwnPage, storeSession } from './sign-in.ts'

const resource = 'session'

const CODE = 'A code of the second factor, or a recovery code, if the account has a second factor.'

const login = call({
  method: 'GET',
  path: '/login',
  resource,
  summary: 'Log in and get a token.',
  about:
    'The token is valid until logout, or until the parameters session_idle_days and session_days end it. Programs should use API keys instead.',
  params: {
    login: documentedAsRequired(text('Login name.')),
    password: documentedAsRequired(text('Password.')),
    totp: secret(CODE),
    restrict_login: flag('The token can be used only from the address of this request.'),
  },
  answers: Type.Object({ id: Type.Integer(), token: Type.String() }, { additionalProperties: false }),
  scope: 'read',
  isOpen: true,
  readsCredentials: true,
  async run(context) {
    const { params, credentials } = context
    const user = await provePassword(context, params)
    const isRestricted = params.restrict_login ?? credentials.restrictsToAddress ?? false
    return { id: user.id, token: await openSession(context, user, isRestricted) }
  },
})

/** Cookies of Bugzilla that a browser may still have. */
const OLD_COOKIES = ['Bugzilla_login', 'Bugzilla_logincookie', 'Tracker_login', 'Tracker_logincookie']

const logout = call({
  method: 'GET',
  servesSetup: true,
  path: '/logout',
  resource,
  summary: 'Log out: invalidate a token.',
  about: 'An unknown token is not an error. The session of the pages ends with DELETE /rest/session only.',
  ignoresCookie: true,
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
  servesSetup: true,
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

const signIn = call({
  method: 'POST',
  idempotency: 'attempts',
  path: '/session',
  resource,
  summary: 'Sign in to the pages of this server.',
  about:
    'Stores the token of a new session in a cookie that scripts cannot read. Only pages of this server can make this call; programs get a token from `GET /rest/login` or use an API key.',
  params: {
    login: documentedAsRequired(text('Login name.')),
    password: documentedAsRequired(text('Password.')),
    totp: secret(CODE),
    is_kept: flag('The browser keeps the cookie when it is closed. Off by default.'),
  },
  answers: Type.Object({ id: Type.Integer() }, { additionalProperties: false }),
  status: 201,
  scope: 'write',
  isOpen: true,
  readsCredentials: true,
  async run(context) {
    const { db, params, baseUrl, cookies } = context
    requireOwnPage(context)
    const cookie = sessionCookieFor(baseUrl)
    const user = await provePassword(context, params, (login) => knownDevice(db, cookies, cookie, login))
    const token = await openSession(context, user, false)
    await storeSession(context, { login: user.login, token, isKept: params.is_kept ?? false })
    return { id: user.id }
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
  async run(context) {
    const { db, credentials, baseUrl, answerHeaders } = context
    requireOwnPage(context)
    if (credentials.token !== undefined) await deleteToken(db, credentials.token)
    answerHeaders['Set-Cookie'] = cookieRemoved(sessionCookieFor(baseUrl))
    return { result: null }
  },
})

export const sessionRoutes = [
  login,
  logout,
  validLogin,
  signIn,
  ...proofRoutes,
  getSessions,
  signOut,
  deleteOtherSessions,
  deleteSession,
] as const
