import { kind } from './kind.ts'

/** 32000: accounts, groups and what belongs to a user. */
export const accountRefusals = {
  locked_out: kind(
    32000,
    (it: { until: string }) => `Too many failed attempts: this account is locked for your address until ${it.until}.`,
  ),
  logout_token_wrong: kind(32000, () => 'The logout token is not valid.', { status: 400 }),
  new_account_limit: kind(
    32000,
    (it: { limit: string; most: number; subject: string }) =>
      `Your account is new: in its first days it can write ${it.most} ${it.subject} per day. Try again tomorrow.`,
    { status: 429, shows: ['limit'] },
  ),
  new_account_denied: kind(
    32000,
    () => 'Your account is new, and the text contains words or links that new accounts cannot write here.',
  ),
  no_administrator_left: kind(
    32000,
    () => 'This would leave no enabled account in the group admin: add another member first.',
  ),
  own_limit: kind(
    32000,
    (it: { limit: string; most: number; subject: string; remedy: string }) =>
      `A user can have at most ${it.most} ${it.subject}: ${it.remedy}.`,
    { shows: ['limit'] },
  ),
  session_only: kind(32000, () => 'This call is only for sessions.'),
  proof_for_sessions_only: kind(32000, () => 'This call is only for sessions: an API key is not asked for a password.'),
  account_without_passkey: kind(32000, () => 'This account has no passkey that works at this address.'),
  no_passkey_of_yours: kind(32000, () => 'Your account has no passkey that works at this address.'),
  last_factor_kept: kind(
    32000,
    () => 'Your account needs a second factor: add another one before you remove the last.',
  ),
  recovery_codes_need_factor: kind(32000, () => 'Recovery codes are only for accounts with a second factor.'),
  last_login_method_kept: kind(
    32000,
    () => 'You could no longer log in: set a password or link another provider first.',
  ),
  email_changed_too_often: kind(
    32000,
    (it: { most: number }) => `A change of the address can be requested ${it.most} times a day: try again later.`,
    { about: { field: 'email' } },
  ),
  nick_changed_too_often: kind(
    32000,
    (it: { most: number; days: number }) =>
      `You can choose ${it.most} nicks in ${it.days} days: choose one that you had, or try again later.`,
    { about: { field: 'nick' } },
  ),
  api_key_revoked: kind(32000, () => 'A revoked key cannot be used again: create a new one.'),
  system_group_fixed: kind(
    32000,
    (it: { group: string }) => `${it.group} is a system group: only its user_regexp and icon_url can be changed.`,
  ),
  system_group_kept: kind(32000, (it: { group: string }) => `${it.group} is a system group, which cannot be deleted.`),
  group_in_parameter: kind(
    32000,
    (it: { group: string; setting: string }) =>
      `The group ${it.group} is the value of the parameter ${it.setting}: change the parameter first.`,
  ),
  group_has_members: kind(
    32000,
    (it: { group: string }) => `The group ${it.group} still has direct members: remove them first.`,
  ),
  group_in_use: kind(
    32000,
    (it: { group: string }) =>
      `The group ${it.group} is still used by a flag type, a product or a bug: change that first.`,
  ),
  admin_rights_kept: kind(32000, () => 'The group admin has every right in every group: its rights cannot be removed.'),
  incoming_mail_off: kind(32000, () => 'This tracker does not accept mail: the parameter incoming_address is empty.'),
  webhook_off: kind(32000, () => 'The webhook is off: set is_active first.'),
  event_not_stored: kind(
    32000,
    (it: { position: number }) => `Event ${it.position} is no longer stored, so it cannot be sent again.`,
  ),
}
