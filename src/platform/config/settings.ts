import { isIP, isIPv6 } from 'node:net'
import { footerLinksIn } from '../../../shared/look.ts'
import { readLinkTemplates } from '../../../shared/text/link-templates.ts'
import { faultInPattern } from '../text/regexps.ts'
import { HIDDEN_SECRET } from './hidden.ts'
import { faultInMailServer, shownMailServer, storedMailServer } from './mail-server.ts'
import { faultInProviders, shownProviders, storedProviders } from './sign-in-providers.ts'

/**
 * The parameters that administrators change at run time, each with its kind, its default and who may read it. They are
 * stored as text, which the REST API returns, and read as typed values.
 */
const definitions = {
  // The installation
  maintainer: forAdministrators(
    mailAddress('', 'anyone', 'Mail address of the person who maintains this installation.'),
  ),
  urlbase: forAdministrators(
    webAddress('', 'signed-in', 'Public URL of this installation; if empty, LACEWING_BASE_URL is used.'),
  ),
  announcehtml: text('', 'anyone-by-name', 'A notice at the top of every page, shown as plain text.'),
  cookiepath: line('/', 'signed-in', 'Has no effect: no cookies are used. Kept for clients that read it.'),
  inbound_proxies: forAdministrators(
    addresses(
      '',
      'administrator',
      'Addresses or networks of the proxies in front of the server, whose X-Forwarded-For is trusted. Comma-separated.',
    ),
  ),
  rate_limit_anonymous: forAdministrators(
    count(
      600,
      'administrator',
      'Requests per minute from one address without login; 0 is no limit. Loopback is never limited.',
    ),
  ),
  rate_limit_anonymous_searches: forAdministrators(
    count(
      120,
      'administrator',
      'Searches, reports and graphs per minute from one address without login, counted apart from other requests; 0 is no limit. Loopback is never limited.',
    ),
  ),
  publish_sitemap: onOff(
    false,
    'administrator',
    'Search engines get the addresses of all public bugs at /sitemap.xml, which robots.txt names.',
  ),
  rate_limit_signed_in: forAdministrators(
    count(0, 'administrator', 'Requests per minute of one account, also from this machine; 0 is no limit.'),
  ),
  feed_listeners: forAdministrators(
    count(
      100,
      'administrator',
      'Simultaneous listeners to the feed per account, or per address without login; 0 is no limit. Anonymous callers on loopback are never limited.',
    ),
  ),
  allowbugdeletion: forAdministrators(
    onOff(
      false,
      'administrator',
      'Members of admin may delete bugs. Products and components may be deleted together with their bugs.',
    ),
  ),
  allowemailchange: onOff(true, 'signed-in', 'Users may change their own address.'),
  allowuserdeletion: onOff(
    false,
    'signed-in',
    'Users may close their own account, which removes who they are and keeps what they did.',
  ),
  last_visit_keep_days: count(10, 'administrator', 'Days for which visits to bugs are stored.'),
  keep_events_days: count(0, 'administrator', 'Days for which events are kept in the feed; 0 is forever.'),

  // Look
  site_name: siteName('', 'anyone-by-name', 'Name of this installation, at the top of every page; if empty, Lacewing.'),
  site_logo: picture(
    '',
    'anyone-by-name',
    'Logo at the top of every page: a small picture as data:image/…;base64,… of at most 8000 characters.',
  ),
  accent_color: color(
    '',
    'anyone-by-name',
    'Colour of links and buttons, such as #0b6a7d. It is made darker or lighter where text could not be read.',
  ),
  footer_links: footerLinks(
    '',
    'anyone-by-name',
    'Links at the foot of every page, such as imprint and privacy: on each line a title and an address. At most 10.',
  ),
  login_text: text('', 'anyone-by-name', 'Text on the page to log in, shown as plain text.'),

  // Attachments
  attachment_base: webAddress(
    '',
    'signed-in',
    'Has no effect: attachments are served under the URL of the installation. Kept for clients that read it.',
  ),
  allow_attachment_display: onOff(false, 'administrator', 'Browsers may show attachments instead of saving them.'),
  allow_attachment_deletion: onOff(false, 'administrator', 'Members of admin may delete the content of attachments.'),
  maxattachmentsize: count(1000, 'signed-in', 'Largest attachment, in KiB.'),
  maxlocalattachment: count(
    0,
    'signed-in',
    'Largest attachment, in MiB, for clients that read it; the larger of the two is the limit.',
  ),
  attachment_store: forAdministrators(
    choice(
      'local',
      ['local', 's3'],
      'administrator',
      'Where new attachments are stored: in the data folder (local), or in the S3-compatible store of the s3_ parameters (s3). Older ones stay where they are and can still be read.',
    ),
  ),
  s3_endpoint: forAdministrators(
    webAddress('', 'administrator', 'URL of the S3-compatible store, such as https://s3.example.com.'),
  ),
  s3_region: forAdministrators(line('us-east-1', 'administrator', 'Region that requests to the store are signed for.')),
  s3_bucket: forAdministrators(line('', 'administrator', 'Bucket in the store, which must exist.')),
  s3_access_key: forAdministrators(line('', 'administrator', 'Id of the key for the store.')),
  s3_secret_key: forAdministrators(
    secret('administrator', 'The secret key for the store. It is never returned or logged; only whether there is one.'),
  ),

  // Accounts
  requirelogin: forAdministrators(
    onOff(false, 'anyone', 'Every call needs a login, except the few that are needed to log in.'),
  ),
  webservice_email_filter: forAdministrators(
    onOff(false, 'administrator', 'Anonymous callers see addresses only up to the @.'),
  ),
  emailregexp: forAdministrators(
    pattern(
      "^[\\w.+\\-=']+@[\\w.\\-]+\\.[\\w\\-]+$",
      'administrator',
      'Regular expression that a login name must match.',
    ),
  ),
  emailregexpdesc: line(
    'It must be an e-mail address: a name, an @ and a domain with a dot.',
    'signed-in',
    'Description of emailregexp, for error messages.',
  ),
  emailsuffix: forAdministrators(suffix('', 'signed-in', 'Appended to login names to make mail addresses.')),
  createemailregexp: forAdministrators(
    pattern(
      '',
      'administrator',
      'Regular expression for the addresses with which users can create accounts themselves; if empty, only administrators create accounts.',
    ),
  ),
  account_link_hours: forAdministrators(
    count(
      24,
      'administrator',
      'Hours for which the links work that are mailed to users who join or who forgot their password.',
    ),
  ),
  invitation_days: forAdministrators(
    count(
      14,
      'administrator',
      'Days for which users can choose the first password of an account that an administrator created.',
    ),
  ),
  account_mails_per_address: forAdministrators(
    count(
      5,
      'administrator',
      'Links that are mailed to one address per day because its user wants to join or forgot a password.',
    ),
  ),
  account_mails_per_network: forAdministrators(
    count(
      30,
      'administrator',
      'Such links that one address, or one IPv6 network (/64), can request per day. Loopback is never limited.',
    ),
  ),
  new_account_days: forAdministrators(
    count(
      7,
      'administrator',
      'Days in which users who created their own account are limited by the next five parameters.',
    ),
  ),
  new_account_bugs: forAdministrators(
    count(10, 'administrator', 'Bugs that a new account can file per day; 0 is no limit.'),
  ),
  new_account_comments: forAdministrators(
    count(50, 'administrator', 'Comments that a new account can write per day; 0 is no limit.'),
  ),
  new_account_attachments: forAdministrators(
    count(10, 'administrator', 'Files that a new account can attach per day; 0 is no limit.'),
  ),
  new_account_mails: forAdministrators(
    count(
      200,
      'administrator',
      'Messages that the changes of a new account cause per day, to all recipients together; more are not sent, and the account can write no more on that day. 0 is no limit.',
    ),
  ),
  new_account_denied: forAdministrators(
    text('', 'administrator', 'Words, phrases and parts of addresses that new accounts cannot write, one per line.'),
  ),
  proposal_days: forAdministrators(
    count(30, 'administrator', 'Days after which a proposal of an API key with the scope propose expires; at least 1.'),
  ),
  proposals_open_per_key: forAdministrators(
    count(100, 'administrator', 'Open proposals that one API key can have; 0 is no limit.'),
  ),
  proposals_open_per_account: forAdministrators(
    count(200, 'administrator', 'Open proposals that all API keys of one account can have; 0 is no limit.'),
  ),
  proposals_hourly_per_key: forAdministrators(
    count(60, 'administrator', 'Proposals that one API key can make per hour; 0 is no limit.'),
  ),
  proposals_hourly_per_account: forAdministrators(
    count(120, 'administrator', 'Proposals that all API keys of one account can make per hour; 0 is no limit.'),
  ),
  password_length: forAdministrators(
    count(
      8,
      'signed-in',
      'Minimum length of a password that users choose for themselves. One that is set for them has at least 6 characters.',
    ),
  ),
  password_complexity: forAdministrators(
    choice(
      'no_constraints',
      ['no_constraints', 'mixed_letters', 'letters_numbers', 'letters_numbers_specialchars'],
      'signed-in',
      'What a password must contain, besides its minimum length.',
    ),
  ),
  rememberlogin: choice(
    'on',
    ['on', 'defaulton', 'defaultoff', 'off'],
    'signed-in',
    'Has no effect: there are no login cookies. Kept for clients that read it.',
  ),
  session_idle_days: forAdministrators(
    count(30, 'administrator', 'Days without use after which a session ends; 0 is never.'),
  ),
  session_days: forAdministrators(
    count(0, 'administrator', 'Days after which a session ends even if it is used; 0 is never.'),
  ),
  confirm_password_minutes: forAdministrators(
    count(
      30,
      'signed-in',
      'Minutes after a login in which a session may change passwords, keys, groups, rights and parameters; then the password is asked for again. 0 is always.',
    ),
  ),
  sign_in_providers: forAdministrators({
    about:
      'Providers of OpenID Connect through which users log in: a JSON list. Each has name, title, issuer and client_id, and may have client_secret (never returned), scopes, address_claim, trusts_addresses, domains, creates_accounts, is_only, is_disabled, groups_claim and groups.',
    kind: 'json',
    audience: 'administrator',
    defaultText: '',
    faultIn: faultInProviders,
    shown: shownProviders,
    merged: storedProviders,
    read: (value: string) => value,
  } as Definition<string>),
  factor_group: forAdministrators(
    group(
      '',
      'administrator',
      'Group whose members need a second factor to log in with a password; if empty, it is their choice. Their API keys and sessions go on working.',
    ),
  ),
  use_mcp: forAdministrators(
    onOff(
      true,
      'signed-in',
      'Programs that act for users reach the tracker at /mcp, with the rights and limits of their users. While this is off, there is nothing.',
    ),
  ),
  oauth_registration: forAdministrators(
    onOff(
      true,
      'administrator',
      'Programs may register themselves to ask users for access. While this is off, only administrators add them.',
    ),
  ),
  oauth_grant_days: forAdministrators(
    count(
      180,
      'administrator',
      'Days after which a program must ask a user for access again, although it has used it; 0 is never.',
    ),
  ),
  maxusermatches: count(1000, 'administrator', 'Maximum number of users that a match returns; 0 is no limit.'),
  usemenuforusers: onOff(
    false,
    'signed-in',
    'Has no effect here. Kept for user interfaces, which may offer users in a menu.',
  ),

  // Bugs
  commentonchange_resolution: onOff(false, 'signed-in', 'A change of resolution needs a comment.'),
  commentonduplicate: onOff(false, 'signed-in', 'Marking a duplicate needs a comment.'),
  collapsed_comment_tags: line('obsolete, spam', 'anyone-by-name', 'The pages fold comments with one of these tags.'),
  default_bug_type: line('defect', 'signed-in', 'Default type of a new bug.'),
  defaultopsys: line('All', 'signed-in', 'Default operating system of a new bug.'),
  defaultplatform: line('All', 'signed-in', 'Default platform of a new bug.'),
  defaultpriority: line('---', 'signed-in', 'Default priority of a new bug.'),
  defaultseverity: line('normal', 'signed-in', 'Default severity of a new bug.'),
  duplicate_or_move_bug_status: line('RESOLVED', 'signed-in', 'Status of a bug that was marked as a duplicate.'),
  letsubmitterchoosemilestone: onOff(
    true,
    'signed-in',
    'The page for filing a bug shows the milestone. Programs set it also while this is off.',
  ),
  letsubmitterchoosepriority: onOff(
    true,
    'signed-in',
    'Users who file a bug may choose the priority; otherwise it is defaultpriority, and the response says that it was ignored.',
  ),
  musthavemilestoneonaccept: onOff(false, 'signed-in', 'A bug needs a milestone before work on it starts.'),
  noresolveonopenblockers: onOff(
    false,
    'signed-in',
    'A bug cannot be resolved as FIXED while bugs that it depends on are open.',
  ),
  use_see_also: onOff(
    true,
    'named-or-signed-in',
    'Pages and mail show See Also. Programs read and write it also while this is off.',
  ),
  use_presence: onOff(
    true,
    'signed-in',
    'The page of a bug shows users who are logged in who else has it open, or writes in it. Users can hide themselves in their settings.',
  ),
  use_comment_reactions: onOff(
    true,
    'signed-in',
    'Users may react to comments with three fixed words. While this is off, reactions are not shown.',
  ),
  use_markdown: onOff(
    false,
    'signed-in',
    'New comments may be written in Markdown. While this is off, they are plain text. Older comments stay what they are.',
  ),
  link_templates: linkTemplates(
    '',
    'anyone-by-name',
    'Words in comments that become links: on each line a pattern and an address, such as CVE-{number}-{number} https://www.cve.org/CVERecord?id={0}. See docs/code.md.',
  ),
  useclassification: onOff(false, 'signed-in', 'Products are grouped into classifications.'),
  useqacontact: onOff(
    true,
    'named-or-signed-in',
    'Pages and mail show the QA contact, who may see and change the bug and gets mail about it. Programs read and write it also while this is off.',
  ),
  usestatuswhiteboard: onOff(
    true,
    'named-or-signed-in',
    'Pages and mail show the whiteboard. Programs read and write it also while this is off.',
  ),
  usetargetmilestone: onOff(
    true,
    'named-or-signed-in',
    'Pages and mail show the target milestone. Programs read and write it also while this is off.',
  ),

  // Groups
  chartgroup: group('editbugs', 'administrator', 'Group whose members may see charts.'),
  edit_comments_minutes: forAdministrators(
    count(0, 'administrator', 'For how many minutes after writing a comment its author may edit it; 0 is no limit.'),
  ),
  allow_global_initial_comment_editing: forAdministrators(
    onOff(
      true,
      'administrator',
      'Users with editbugs may edit the description of every bug, also if somebody else wrote it.',
    ),
  ),
  comment_taggers_group: group(
    'editbugs',
    'administrator',
    'Group whose members may tag comments; if empty, tags are off.',
  ),
  edit_comments_group: group(
    '',
    'administrator',
    'Group whose members may edit their own comments; if empty, every user may.',
  ),
  edit_comments_admins_group: group(
    'admin',
    'administrator',
    'Group whose members may edit all comments that they see, and hide earlier versions; if empty, no user may.',
  ),
  restrict_comments_enable_group: group(
    'editbugs',
    'administrator',
    'Group whose members may restrict the comments of a bug to users with editbugs; if empty, no user may.',
  ),
  debug_group: group(
    'admin',
    'administrator',
    'Has no effect: only members of admin see the SQL of a search. Kept for clients that read it.',
  ),
  insidergroup: group(
    '',
    'administrator',
    'Group whose members see private comments and attachments; if empty, no user does.',
  ),
  querysharegroup: group('editbugs', 'administrator', 'Group whose members may share searches; if empty, no user may.'),
  timetrackinggroup: group('editbugs', 'administrator', 'Group whose members see and set time fields.'),
  makeproductgroups: onOff(false, 'administrator', 'A new product gets a group of its own.'),
  or_groups: forAdministrators(
    onOff(false, 'administrator', 'Membership in one of a bug’s groups is enough to see it, instead of all.'),
  ),
  strict_isolation: forAdministrators(
    onOff(false, 'administrator', 'Users can get a role in a bug only if they may see and edit it.'),
  ),
  usevisibilitygroups: forAdministrators(
    onOff(false, 'administrator', 'Users see only members of groups that their own groups may see.'),
  ),

  // Search
  default_search_limit: count(
    500,
    'administrator',
    'Bugs on an HTML page of search results without a limit; 0 is max_search_results.',
  ),
  max_search_results: count(10_000, 'administrator', 'Maximum number of bugs that one search returns.'),
  search_allow_no_criteria: onOff(true, 'signed-in', 'A search without criteria is allowed and returns all bugs.'),

  // Operation
  backup_expected_hours: count(
    24,
    'administrator',
    'Hours after which the state of the installation warns if no further backup was seen; 0 is never.',
  ),
  slow_search_milliseconds: count(
    1000,
    'administrator',
    'A search that takes at least so long is listed for a day in the state of the installation; 0 lists none.',
  ),

  // Mail
  smtp_url: forAdministrators({
    about:
      'Mail server for outgoing mail, such as smtps://user:password@mail.example.com:465; LACEWING_SMTP_URL wins. User and password are never returned or logged. If empty, mail is stored as files.',
    kind: 'secret',
    audience: 'administrator',
    defaultText: '',
    faultIn: faultInMailServer,
    shown: shownMailServer,
    merged: storedMailServer,
    read: (value: string) => value,
  } as Definition<string>),
  mailfrom: forAdministrators(mailAddress('lacewing@localhost', 'signed-in', 'Sender address of mail.')),
  globalwatchers: forAdministrators(
    line('', 'administrator', 'Login names of users who get mail about every bug. Comma-separated.'),
  ),
  incoming_address: forAdministrators(
    mailAddress(
      '',
      'administrator',
      'Address for mail to the tracker, such as bugs@example.com; the mail server must pass on mail to bugs+…@example.com. If empty, the tracker accepts no mail.',
    ),
  ),
  keep_mail_days: count(
    30,
    'administrator',
    'Days for which messages are kept as files if no mail server is set; 0 is forever.',
  ),
  webhookgroup: group(
    '',
    'administrator',
    'Group whose members may have webhooks; if empty, every user may. Nothing is sent to webhooks of users who leave the group.',
  ),
  webhook_networks: forAdministrators(
    addresses(
      '',
      'administrator',
      'Addresses or networks that webhooks may be sent to although they are not public, such as 10.0.0.0/8. Comma-separated; * allows all.',
    ),
  ),
  nag_interval: count(
    7,
    'administrator',
    'Days after which users are reminded daily of requests that they have not answered; 0 is never.',
  ),
  reminders_enabled: onOff(true, 'administrator', 'Users may have themselves reminded of a bug on a day.'),
  reminders_group: group('', 'administrator', 'Group whose members may do so; if empty, all users.'),
  whinedays: count(7, 'administrator', 'Days after which assignees are reminded of unchanged bugs; 0 is never.'),
} as const satisfies Record<string, Definition<string | number | boolean>>

type Definitions = typeof definitions
export type SettingName = keyof Definitions
export type Settings = Readonly<{ [Name in SettingName]: ReturnType<Definitions[Name]['read']> }>

/**
 * `anyone-by-name`: callers who are not administrators get it only if they name it, because Bugzilla does not return it to them.
 * `named-or-signed-in`: likewise for anonymous callers.
 */
export type Audience = 'anyone' | 'anyone-by-name' | 'named-or-signed-in' | 'signed-in' | 'administrator'

/** How a value is entered: `line` is one line of text, `json` a list of objects. */
export type SettingKind = 'switch' | 'number' | 'choice' | 'group' | 'line' | 'text' | 'pattern' | 'secret' | 'json'

interface Definition<Value> {
  about: string
  kind: SettingKind
  /** The only values that it can have. */
  choices?: readonly string[]
  audience: Audience
  defaultText: string
  /** Whether only members of admin change it; otherwise members of tweakparams do. */
  isForAdministrators?: boolean
  /** Whether the value is the name of a group, which must exist. */
  isGroup?: boolean
  /** Whether the value is never shown. */
  isSecret?: boolean
  /** The value without its secrets. */
  shown?: (text: string) => string
  /** The value to store, given the stored one. */
  merged?: (text: string, before: string) => string
  /** What a value must be; undefined if the given value is valid. */
  faultIn: (value: string) => string | undefined
  read: (value: string) => Value
}

export const settingNames = Object.keys(definitions) as SettingName[]

export function definitionOf(name: string): Definition<string | number | boolean> | undefined {
  return Object.hasOwn(definitions, name) ? definitions[name as SettingName] : undefined
}

/** All settings: stored values, and defaults for the rest. */
export function settingsFrom(stored: ReadonlyMap<string, string>): Settings {
  const values = settingNames.map((name) => [
    name,
    definitions[name].read(stored.get(name) ?? definitions[name].defaultText),
  ])
  return Object.freeze(Object.fromEntries(values)) as Settings
}

/** The value as it may be shown in a response or a log. */
export function shownSetting(name: SettingName, text: string): string {
  const { shown, isSecret } = definitions[name] as Definition<unknown>
  if (shown !== undefined) return shown(text)
  return isSecret && text !== '' ? HIDDEN_SECRET : text
}

/** The value as it is stored and as the REST API returns it: always text. */
export function settingText(settings: Settings, name: SettingName): string {
  const value = settings[name]
  return typeof value === 'boolean' ? (value ? '1' : '0') : String(value)
}

/** Whether it is a boolean, which requests send in many forms and which is stored as 1 or 0. */
export function isOnOff(name: SettingName) {
  const { read, defaultText: shipped } = definitions[name]
  return typeof read(shipped) === 'boolean'
}

/** The stored text of a valid value, so that each value has one form. */
export function storedForm(name: SettingName, value: string): string {
  const number = definitions[name].read(value)
  return typeof number === 'number' ? String(number) : value
}

/**
 * A parameter that amounts to more rights than tweakparams: it decides how hard it is to get into an account, where links, mail, replies and
 * files go, who gets an account under which address, which addresses are believed, or who sees which bugs and users.
 */
function forAdministrators<Value>(definition: Definition<Value>): Definition<Value> {
  return { ...definition, isForAdministrators: true }
}

function onOff(shipped: boolean, audience: Audience, about: string): Definition<boolean> {
  const faultIn = (value: string) => (value === '1' || value === '0' ? undefined : 'it must be 1 or 0')
  return { about, kind: 'switch', audience, defaultText: shipped ? '1' : '0', faultIn, read: (value) => value === '1' }
}

function text(shipped: string, audience: Audience, about: string): Definition<string> {
  const faultIn = (value: string) => (value.length > 10_000 ? 'it must have at most 10000 characters' : undefined)
  return { about, kind: 'text', audience, defaultText: shipped, faultIn, read: (value) => value }
}

/** Used in mail headers and on pages, where a line break would be dangerous. */
function line(shipped: string, audience: Audience, about: string): Definition<string> {
  const faultIn = (value: string) =>
    value.length > 1000 || /[\p{Cc}\u2028\u2029]/u.test(value)
      ? 'it must be one line of at most 1000 characters'
      : undefined
  return { about, kind: 'line', audience, defaultText: shipped, faultIn, read: (value) => value }
}

function siteName(shipped: string, audience: Audience, about: string): Definition<string> {
  const { faultIn: faultInLine, ...rest } = line(shipped, audience, about)
  const faultIn = (value: string) => (value.length > 60 ? 'it must have at most 60 characters' : faultInLine(value))
  return { ...rest, faultIn }
}

/** Every page contains it, so it is short. In an image nothing runs and nothing is loaded. */
function picture(shipped: string, audience: Audience, about: string): Definition<string> {
  const faultIn = (value: string) =>
    value === '' ||
    (value.length <= 8000 && /^data:image\/(png|svg\+xml|webp|jpeg|gif);base64,[\w+/]+={0,2}$/.test(value))
      ? undefined
      : 'it must be data:image/png;base64,… (or svg+xml, webp, jpeg, gif) of at most 8000 characters, or empty'
  return { about, kind: 'text', audience, defaultText: shipped, faultIn, read: (value) => value }
}

function color(shipped: string, audience: Audience, about: string): Definition<string> {
  const faultIn = (value: string) =>
    /^(#[0-9a-f]{6})?$/i.test(value) ? undefined : 'it must be # and six digits, such as #0b6a7d, or empty'
  return { about, kind: 'line', audience, defaultText: shipped, faultIn, read: (value) => value }
}

function footerLinks(shipped: string, audience: Audience, about: string): Definition<string> {
  const faultIn = (value: string) =>
    value.length > 10_000 || footerLinksIn(value) === undefined
      ? 'each line must be a title and an address that begins with http://, https://, mailto: or /, and there may be 10'
      : undefined
  return { about, kind: 'text', audience, defaultText: shipped, faultIn, read: (value) => value }
}

function linkTemplates(shipped: string, audience: Audience, about: string): Definition<string> {
  const faultIn = (value: string) => {
    const read = value.length > 20_000 ? 'it is too long' : readLinkTemplates(value)
    return typeof read === 'string' ? read : undefined
  }
  return { about, kind: 'text', audience, defaultText: shipped, faultIn, read: (value) => value }
}

function mailAddress(shipped: string, audience: Audience, about: string): Definition<string> {
  const faultIn = (value: string) =>
    value === '' || /^[^\s@<>,;\p{Cc}]+@[^\s@<>,;\p{Cc}]+$/u.test(value)
      ? undefined
      : 'it must be a mail address, or empty'
  return { about, kind: 'line', audience, defaultText: shipped, faultIn, read: (value) => value }
}

function webAddress(shipped: string, audience: Audience, about: string): Definition<string> {
  const faultIn = (value: string) =>
    value === '' || (/^https?:\/\/[!-~]+$/i.test(value) && URL.canParse(value))
      ? undefined
      : 'it must begin with http:// or https://, or be empty'
  return { about, kind: 'line', audience, defaultText: shipped, faultIn, read: (value) => value }
}

function suffix(shipped: string, audience: Audience, about: string): Definition<string> {
  const faultIn = (value: string) =>
    /^[\w.@+-]{0,100}$/.test(value) ? undefined : 'it must be the end of a mail address, such as @example.com, or empty'
  return { about, kind: 'line', audience, defaultText: shipped, faultIn, read: (value) => value }
}

function count(shipped: number, audience: Audience, about: string): Definition<number> {
  const faultIn = (value: string) => (/^\d{1,9}$/.test(value) ? undefined : 'it must be a whole number, 0 or more')
  return { about, kind: 'number', audience, defaultText: String(shipped), faultIn, read: Number }
}

function choice(shipped: string, choices: readonly string[], audience: Audience, about: string): Definition<string> {
  const faultIn = (value: string) => (choices.includes(value) ? undefined : `it must be one of ${choices.join(', ')}`)
  return { about, kind: 'choice', choices, audience, defaultText: shipped, faultIn, read: (value) => value }
}

function secret(audience: Audience, about: string): Definition<string> {
  return { ...line('', audience, about), kind: 'secret', isSecret: true }
}

function group(shipped: string, audience: Audience, about: string): Definition<string> {
  return { ...line(shipped, audience, about), kind: 'group', isGroup: true }
}

function pattern(shipped: string, audience: Audience, about: string): Definition<string> {
  const faultIn = (value: string) =>
    faultInPattern(value) ? `it must be a regular expression (${faultInPattern(value)})` : undefined
  return { about, kind: 'pattern', audience, defaultText: shipped, faultIn, read: (value) => value }
}

function addresses(shipped: string, audience: Audience, about: string): Definition<string> {
  const isAddress = (it: string) => {
    const [address = '', bits, ...rest] = it.split('/')
    const most = isIPv6(address) ? 128 : 32
    return it === '*' || (isIP(address) > 0 && rest.length === 0 && (bits === undefined || isUpTo(most, bits)))
  }
  const isUpTo = (most: number, bits: string) => /^\d{1,3}$/.test(bits) && Number(bits) <= most
  const faultIn = (value: string) =>
    value.split(',').every((it) => it.trim() === '' || isAddress(it.trim()))
      ? undefined
      : 'it must be addresses or networks such as 10.0.0.0/8'
  return { about, kind: 'line', audience, defaultText: shipped, faultIn, read: (value) => value }
}
