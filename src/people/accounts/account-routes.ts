import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { providersIn } from '../../platform/config/sign-in-providers.ts'
import { flag, required, secret, text } from '../../platform/wire/params.ts'
import { Ended } from '../credentials/credential-routes.ts'
import { countActing } from '../credentials/credential-store.ts'
import { passkeySiteAt } from '../passkeys/passkey-site.ts'
import { passwordRules } from '../users/password-rules.ts'
import { emailOf, requireLoginName } from '../users/user.ts'
import { requestLink, requireMayJoin } from './request-link.ts'
import { confirmLink, getOpenLink } from './use-link.ts'

const resource = 'account'

/** The user has no account or cannot log in, so that all of these are for anonymous callers. */
const FOR_ANYONE = { resource, isOpen: true, ignoresCredentials: true } as const

const getRules = call({
  ...FOR_ANYONE,
  method: 'GET',
  path: '/account/rules',
  summary: 'Get the rules for new accounts and passwords.',
  about: 'To be shown before a password is typed.',
  params: {},
  answers: Type.Object(
    {
      can_join: Type.Boolean({ description: 'Whether users can create accounts themselves.' }),
      link_hours: Type.Integer({ description: 'Hours for which a link in a mail works.' }),
      providers: Type.Array(
        Type.Object({ name: Type.String(), title: Type.String() }, { additionalProperties: false }),
        {
          description: 'Providers of OpenID Connect through which users can log in.',
        },
      ),
      passkeys: Type.Boolean({
        description: 'Whether passkeys work at the address of this server, which needs https or localhost.',
      }),
      password: Type.Object(
        {
          shortest: Type.Integer(),
          longest: Type.Integer(),
          complexity: Type.String({ description: 'The parameter password_complexity.' }),
          rules: Type.Array(Type.String(), { description: 'All rules in words.' }),
        },
        { additionalProperties: false },
      ),
    },
    { additionalProperties: false },
  ),
  scope: 'read',
  run: ({ settings, baseUrl }) => ({
    can_join: settings.createemailregexp !== '',
    link_hours: settings.account_link_hours,
    providers: providersIn(settings.sign_in_providers)
      .filter(({ is_disabled }) => !is_disabled)
      .map(({ name, title }) => ({ name, title })),
    passkeys: passkeySiteAt(baseUrl) !== undefined,
    password: passwordRules(settings),
  }),
})

const Requested = Type.Object(
  {
    email: Type.String({ description: 'The address that the mail is sent to.' }),
    link_hours: Type.Integer({ description: 'Hours for which the link in the mail works.' }),
  },
  { additionalProperties: false },
)

const postAccount = call({
  ...FOR_ANYONE,
  method: 'POST',
  idempotency: 'attempts',
  path: '/account',
  summary: 'Request an account.',
  about:
    'Sends a mail with a link that creates the account. The parameter createemailregexp decides which addresses may join. The response is the same if there is an account already; the mail then says so.',
  params: { email: required(text('Login name and address of the new user.')) },
  answers: Requested,
  status: 202,
  scope: 'write',
  async run({ db, settings, params, address }) {
    const login = requireMayJoin(params.email, settings)
    await requestLink(db, settings, { kind: 'join', login, address })
    return { email: emailOf({ login }, settings), link_hours: settings.account_link_hours }
  },
})

const postPassword = call({
  ...FOR_ANYONE,
  method: 'POST',
  idempotency: 'attempts',
  path: '/account/password',
  summary: 'Request a new password.',
  about:
    'Sends a mail with a link that sets a new password. The response is the same if there is no such account; then no mail is sent.',
  params: { login: required(text('Login name.')) },
  answers: Requested,
  status: 202,
  scope: 'write',
  async run({ db, settings, params, address }) {
    const login = requireLoginName(params.login, settings)
    await requestLink(db, settings, { kind: 'password', login, address })
    return { email: emailOf({ login }, settings), link_hours: settings.account_link_hours }
  },
})

const token = required(secret('The token at the end of the link, after the #.'))

const postLink = call({
  ...FOR_ANYONE,
  method: 'POST',
  idempotency: 'reads',
  path: '/account/link',
  summary: 'Get what a link from a mail is for.',
  about: 'A POST, so that the token is not part of an address, which servers log.',
  params: { token },
  answers: Type.Object(
    {
      kind: Type.Union([Type.Literal('join'), Type.Literal('invite'), Type.Literal('password')], {
        description: 'join creates an account, invite sets its first password, password sets a new one.',
      }),
      login: Type.String(),
      real_name: Type.String(),
      expires_at: Type.String({ format: 'date-time' }),
      acting: Type.Record(Type.String(), Type.Integer(), {
        description: 'For a new password: how many of each kind act for the user, and end with it by default.',
      }),
    },
    { additionalProperties: false },
  ),
  scope: 'write',
  async run({ db, settings, params }) {
    const { link, user } = await getOpenLink(db, params.token)
    const { kind, expires_at } = link
    const acting = user === undefined || kind !== 'password' ? {} : await countActing(db, settings, user.id)
    return { kind, login: user?.login ?? link.login, real_name: user?.real_name ?? '', expires_at, acting }
  },
})

const postConfirm = call({
  ...FOR_ANYONE,
  method: 'POST',
  idempotency: 'attempts',
  path: '/account/confirm',
  summary: 'Use a link from a mail: create the account, or set its password.',
  about:
    'A link works once. A new password ends all sessions of the user, and after a forgotten password everything else that acts for the user, except second factors. The user then logs in as usual.',
  params: {
    token,
    password: required(secret('The password of the account. Leading and trailing spaces are removed.')),
    full_name: text('Real name, for a new account or an invitation.'),
    keep_credentials: flag(
      'After a forgotten password: API keys, webhooks and whatever else acts for the user go on. By default all of it ends.',
    ),
  },
  answers: Type.Object({ id: Type.Integer(), login: Type.String(), ended: Ended }, { additionalProperties: false }),
  status: 201,
  scope: 'write',
  run: ({ db, settings, params: { token, password, full_name: fullName, keep_credentials: keepsOthers = false } }) =>
    confirmLink(db, settings, { token, password, fullName, keepsOthers }),
})

export const accountRoutes = [getRules, postAccount, postPassword, postLink, postConfirm] as const
