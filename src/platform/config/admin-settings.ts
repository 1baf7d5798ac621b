import type { SettingName } from './settings.ts'

/**
 * Parameters that only members of admin change, because they amount to more rights than tweakparams: they decide where links, replies and
 * files go, who gets an account under which address, which addresses are believed, and who sees which bugs and users.
 */
export const FOR_ADMINISTRATORS: readonly SettingName[] = [
  // How hard it is to get into an account, and for how long one stays in it.
  'confirm_password_minutes',
  'password_length',
  'password_complexity',
  'session_idle_days',
  'session_days',
  'account_link_hours',
  'invitation_days',
  'requirelogin',
  // How often something may be tried.
  'rate_limit_anonymous',
  'rate_limit_signed_in',
  'account_mails_per_address',
  'account_mails_per_network',
  // In whose name mail is sent, and who gets all of it.
  'mailfrom',
  'globalwatchers',
  'urlbase',
  'or_groups',
  'usevisibilitygroups',
  'sign_in_providers',
  // Mail about an account, with links that set its password, goes to its login name and this.
  'emailsuffix',
  // A login name decides by user_regexp which groups an account is in.
  'emailregexp',
  'createemailregexp',
  // The addresses by which attempts are counted and sessions are restricted.
  'inbound_proxies',
  // Files, also of hidden bugs, are sent to this store and read from it.
  'attachment_store',
  's3_endpoint',
  's3_region',
  's3_bucket',
  's3_access_key',
  's3_secret_key',
  // Replies are sent there, and their addresses are credentials.
  'incoming_address',
  'webhook_networks',
  // Products could be deleted together with bugs that the caller may not see.
  'allowbugdeletion',
]

export function isForAdministrators(name: SettingName) {
  return FOR_ADMINISTRATORS.includes(name)
}
