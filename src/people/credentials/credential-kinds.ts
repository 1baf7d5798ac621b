/** What can happen that ends something which acts or listens for a user. */
export type Ending = 'key_revoked' | 'password' | 'reset' | 'end_all' | 'disabled'

export const ENDINGS: Readonly<Record<Ending, string>> = {
  key_revoked: 'the API key that made it is revoked',
  password: 'new password',
  reset: 'new password by mail',
  end_all: '`DELETE /rest/user/(user)/credential`',
  disabled: 'account disabled',
}

/** Something that acts or listens for a user. */
interface ActingThing {
  title: string
  does: string
  endedBy: readonly Ending[]
  /** How else it ends. */
  also: string
}

/** The kinds of `GET /rest/user/(user)/credential`. test/outbound/credentials.test.ts checks what ends each. */
export const CREDENTIAL_KINDS = {
  session: {
    title: 'Session, login token',
    does: 'everything',
    endedBy: ['password', 'reset', 'end_all', 'disabled'],
    also: 'logout, `DELETE /rest/session/(id)`, `session_idle_days`, `session_days`, a new login name, logout at the provider that opened it',
  },
  api_key: {
    title: 'API key',
    does: 'what its scopes allow; that of a program that got it with OAuth only where it is for',
    endedBy: ['key_revoked', 'reset', 'end_all', 'disabled'],
    also: '`DELETE /rest/user/(user)/api_key/(id)`; for a program `POST /oauth/revoke`, `DELETE /rest/oauth_client/(id)`, a refresh token or a code that is used twice, 30 days without use, `oauth_grant_days`; its expiry date and that of the key that made it. A key that has widened it counts as its maker. It also ends when its maker loses a scope, as everything does that was made with it',
  },
  webhook: {
    title: 'Webhook',
    does: 'sends what the user may see',
    endedBy: ['key_revoked', 'reset', 'end_all', 'disabled'],
    also: '`DELETE /rest/webhook/(id)`, the expiry date of the key that made it, leaving the group `webhookgroup`',
  },
  mail_address: {
    title: 'Secret mail address',
    does: 'files and comments as the user',
    endedBy: ['key_revoked', 'reset', 'end_all', 'disabled'],
    also: '`DELETE /rest/user/(user)/mail_address`, `POST /rest/user/(user)/mail_address`, which makes another. Also a key that has only read the address ends it',
  },
  scheduled_mail: {
    title: 'Scheduled mail',
    does: 'sends mail in the name of the user, with what each recipient may see',
    endedBy: ['key_revoked', 'reset', 'end_all', 'disabled'],
    also: '`DELETE /rest/scheduled_mail/(id)`, an expiry date for the key that made it',
  },
  account_link: {
    title: 'Link to set a password',
    does: 'sets the password',
    endedBy: ['password', 'reset', 'end_all', 'disabled'],
    also: 'use, `account_link_hours`',
  },
  email_change: {
    title: 'Requested change of the address',
    does: 'changes the login name, with the code that was mailed',
    endedBy: ['password', 'reset', 'end_all', 'disabled'],
    also: 'use, a newer request, three days',
  },
  provider: {
    title: 'Link with a provider',
    does: 'opens sessions',
    endedBy: ['reset', 'end_all', 'disabled'],
    also: '`DELETE /rest/user/(user)/provider/(id)`. The link with a provider that the user must use stays; `DELETE /rest/user/(user)/credential` also keeps the last way to log in, and all links if an API key of the user sends it',
  },
  passkey: {
    title: 'Passkey',
    does: 'opens sessions, and is a second factor',
    endedBy: ['disabled'],
    also: '`DELETE /rest/factor/(id)`. It protects from others who read the mail of the user, so that no new password ends it',
  },
  totp: {
    title: 'Authenticator app, recovery codes',
    does: 'is a second factor',
    endedBy: ['disabled'],
    also: '`DELETE /rest/factor/(id)`, as for a passkey',
  },
} as const satisfies Record<string, ActingThing>

export type CredentialKind = keyof typeof CREDENTIAL_KINDS

/** What is not listed, because it ends by itself or gives nothing of its own. */
export const UNLISTED: readonly ActingThing[] = [
  {
    title: 'Open event stream',
    does: 'reads events',
    endedBy: ['key_revoked', 'password', 'reset', 'end_all', 'disabled'],
    also: 'with the key or session that opened it, at once; within 20 seconds if that expires or a command ends it. No event is sent in between',
  },
  {
    title: 'Open proposal',
    does: 'is carried out when another user accepts it, in their name',
    endedBy: ['key_revoked', 'reset', 'end_all', 'disabled'],
    also: '`DELETE /rest/proposal/(id)`, `proposal_days`, a change of what it would change, the expiry date of its key, 30 days without use by the program that made it, `oauth_grant_days`. While its account is disabled it cannot be accepted',
  },
  {
    title: 'Response stored for an `Idempotency-Key`',
    does: 'is read again with credentials of the same limits',
    endedBy: [],
    also: 'a day',
  },
  {
    title: 'Steps of a login: challenges, flows',
    does: 'are a part of one login',
    endedBy: [],
    also: 'use, five or ten minutes',
  },
  {
    title: 'Code that a program exchanges for access',
    does: 'gives the program an API key, once, for a minute',
    endedBy: ['password', 'reset', 'end_all', 'disabled'],
    also: 'use, a minute, `DELETE /rest/oauth_client/(id)`',
  },
  {
    title: 'Cookie of a known browser',
    does: 'counts wrong passwords apart; opens nothing',
    endedBy: [],
    also: '',
  },
  {
    title: 'Shared saved search, series',
    does: 'show others a search, and counts of what everybody may see or its maker shares',
    endedBy: [],
    also: 'being deleted',
  },
]
