import { kind } from './kind.ts'
import { quoted } from './shown.ts'

/** 300-505: authentication, rights and accounts. */
export const loginErrors = {
  wrong_credentials: kind(300, () => 'The login name or the password is wrong.'),
  account_disabled: kind(301, (it: { reason: string }) => `This account is disabled: ${it.reason}`),
  scope_required: kind(
    304,
    (it: { scope: string; hint?: string }) =>
      `You are not allowed to do this: this API key lacks the scope ${it.scope}${it.hint ?? ''}.`,
  ),
  key_expires: kind(
    304,
    (it: { expires: string | null; hint: string }) =>
      `You are not allowed to do this: this API key expires at ${it.expires}${it.hint}.`,
  ),
  group_required: kind(
    304,
    (it: { groups: readonly string[] }) =>
      `You are not allowed to do this: it needs membership in ${it.groups.join(' or ')}.`,
  ),
  not_allowed: kind(304, (it: { need: string }) => `You are not allowed to do this: ${it.need}.`),
  user_not_visible: kind(304, (it: { ref: string }) => `You are not allowed to see the user ${quoted(it.ref)}.`),
  attachment_is_private: kind(304, (it: { id: number }) => `Attachment ${it.id} is private.`),
  group_not_blessable: kind(304, (it: { ref: string }) => `You cannot change who is in the group ${quoted(it.ref)}.`),
  password_too_simple: kind(305, (it: { right: string }) => `The password is too simple: ${it.right}.`),
  api_key_invalid: kind(306, () => 'The API key is unknown, revoked or expired. Create a new one.'),
  token_invalid: kind(307, () => 'The token is invalid or has expired. Log in again to get a new one.'),
  proof_needed: kind(
    308,
    (it: { minutes: number }) =>
      `This needs your password again, because you sent it more than ${it.minutes} minutes ago: send it, a code or the answer of a passkey with POST /rest/session/proof, then try again.`,
    { status: 401 },
  ),
  link_invalid: kind(309, () => 'This link is unknown, was used already or has expired. Request a new one.', {
    status: 400,
  }),
  code_needed: kind(
    310,
    () =>
      'This account has a second factor. Log in with GET /rest/login and send a code, or a recovery code, as totp; or use an API key. Passkeys work only on the pages.',
    { status: 401 },
  ),
  code_wrong: kind(311, () => 'The code is wrong, has expired or was used already.', { status: 401 }),
  factor_required: kind(
    312,
    () =>
      'Your account needs a second factor: add an app with POST /rest/factor/totp, or an app or a passkey on the settings page.',
    { status: 401 },
  ),
  provider_only: kind(
    313,
    (it: { title: string }) => `Passwords and passkeys are not used for this account: log in through ${it.title}.`,
    { status: 401 },
  ),
  provider_refused: kind(
    314,
    (it: { title: string; why: string }) => `You could not be logged in through ${it.title}: ${it.why}.`,
    { status: 401 },
  ),
  passkey_refused: kind(
    315,
    () =>
      'The passkey was not accepted: it is not known here, was not unlocked, or its answer does not belong to this request or came too late. Try again, or log in in another way.',
    { status: 401 },
  ),
  passkey_not_added: kind(
    315,
    () =>
      'The passkey was not added. An account uses it already, or it responded too late or to another request: try again, or use another passkey.',
    { status: 401 },
  ),
  passkeys_unavailable: kind(
    316,
    (it: { address: string }) =>
      `Passkeys work only at an https address with a host name, or at http://localhost. The address of this server is ${it.address}: set LACEWING_BASE_URL.`,
    { status: 400 },
  ),
  oauth_client_unknown: kind(
    317,
    () =>
      'The program that asks for access is not registered here, or is no longer. Remove the tracker in the program, and add it again.',
    { status: 404 },
  ),
  oauth_redirect_unknown: kind(
    317,
    () =>
      'The program that asks for access wants the answer at an address that it has not registered. It gets none: this may be an attempt to steal it.',
    { status: 400 },
  ),
  oauth_request_wrong: kind(
    317,
    (it: { error: string }) => `The program that asks for access has sent a wrong request (${it.error}).`,
    { status: 400 },
  ),
  login_required: kind(
    410,
    () => 'You must log in before you can do this: send an API key in the header X-TRACKER-API-KEY, for example.',
  ),
  login_unread: kind(
    410,
    () =>
      'You must log in before you can do this. Credentials in a body that is over the limits are not read: send them in a header.',
  ),
  account_exists: kind(
    500,
    (it: { login: string }) => `There is an account with the login name ${quoted(it.login)} already.`,
    { about: { field: 'email' } },
  ),
  nick_taken: kind(
    500,
    (it: { nick: string }) => `Another account has the nick ${quoted(it.nick)} or one that looks like it.`,
    {
      about: { field: 'nick' },
    },
  ),
  bad_login_name: kind(
    501,
    (it: { login: string; right: string }) => `${quoted(it.login)} cannot be a login name: ${it.right}.`,
    { about: { field: 'email' } },
  ),
  joining_off: kind(501, () => 'Users cannot create accounts here: ask an administrator for one.'),
  bad_cc_address: kind(
    501,
    (it: { address: string }) =>
      `${quoted(it.address)} is not an email address: cc_list may contain only email addresses.`,
    { about: { field: 'cc_list' } },
  ),
  password_too_short: kind(
    502,
    (it: { least: number }) => `The password is too short: it must have at least ${it.least} characters.`,
  ),
  no_such_user_to_copy: kind(
    504,
    (it: { login: string }) => `There is no user ${quoted(it.login)} who could be on a CC list.`,
  ),
  user_kept_out: kind(
    504,
    (it: { login: string }) =>
      `${quoted(it.login)} cannot have a role in the bug: they may not see its product, or may not change bugs in it.`,
  ),
  no_such_changer: kind(
    504,
    (it: { login: string }) => `There is no user ${quoted(it.login)} to look for in the history.`,
  ),
  users_need_login: kind(505, () => 'You must log in to look up users by id or by matching.'),
}
