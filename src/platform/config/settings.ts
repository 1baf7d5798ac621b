import { isIP, isIPv6 } from 'node:net'
import { compilePattern, faultInPattern } from '../text/regexps.ts'

/**
 * The parameters that administrators change at run time: each with its kind, what it ships as and who may read it.
 * Kept as text, as the interface answers them; read as what they are.
 */
const definitions = {
  // The installation
  maintainer: mailAddress('', 'anyone', 'Address of the person who looks after this installation.'),
  urlbase: webAddress(
    '',
    'signed-in',
    'Where this installation is reached from outside; while empty, LACEWING_BASE_URL.',
  ),
  announcehtml: text(
    '',
    'administrator',
    'A notice at the top of the HTML pages that calls answer, shown as plain text.',
  ),
  cookiepath: line('/', 'signed-in', 'Has no effect: no cookies are used. Kept for clients that read it.'),
  inbound_proxies: addresses(
    '',
    'administrator',
    'Addresses or networks of the proxies in front of the server, whose X-Forwarded-For is believed. Comma-separated.',
  ),
  rate_limit_anonymous: count(
    600,
    'administrator',
    'Requests a minute from one address that is not logged in; 0 is no limit. Loopback is never limited.',
  ),
  rate_limit_signed_in: count(0, 'administrator', 'Requests a minute of one account; 0 is no limit.'),
  feed_listeners: count(
    100,
    'administrator',
    'Listeners to the feed at once of one account, or of one address that is not logged in; 0 is no limit. Strangers on loopback are never limited.',
  ),
  allowbugdeletion: onOff(
    false,
    'administrator',
    'Members of admin may delete bugs, and products and components that have bugs may be deleted, with the bugs.',
  ),
  allowemailchange: onOff(true, 'signed-in', 'People may change their own address.'),
  allowuserdeletion: onOff(
    false,
    'administrator',
    'Has no effect: accounts cannot be deleted, only disabled. Kept for clients that read it.',
  ),
  last_visit_keep_days: count(10, 'administrator', 'Days for which visits to bugs are remembered.'),
  keep_events_days: count(0, 'administrator', 'Days for which the feed goes back; 0 is for ever.'),

  // Attachments
  attachment_base: webAddress(
    '',
    'signed-in',
    'Has no effect: attachments are served under the address of the installation. Kept for clients that read it.',
  ),
  allow_attachment_display: onOff(false, 'administrator', 'Browsers may show attachments instead of saving them.'),
  allow_attachment_deletion: onOff(false, 'administrator', 'Members of admin may delete the content of attachments.'),
  maxattachmentsize: count(1000, 'signed-in', 'Largest attachment, in KiB.'),
  maxlocalattachment: count(
    0,
    'signed-in',
    'The same in MiB, for clients that read it; the larger of the two is the limit.',
  ),
  attachment_store: choice(
    'local',
    ['local', 's3'],
    'administrator',
    'Where the contents of new attachments go: the data folder, or the S3-compatible store of the next five. Older ones stay where they are, and are found there.',
  ),
  s3_endpoint: webAddress('', 'administrator', 'Address of the S3-compatible store, such as https://s3.example.com.'),
  s3_region: line('us-east-1', 'administrator', 'Region that requests to the store are signed for.'),
  s3_bucket: line('', 'administrator', 'Bucket in the store, which must exist.'),
  s3_access_key: line('', 'administrator', 'Id of the key for the store.'),
  s3_secret_key: secret(
    'administrator',
    'The key itself. It is never told: what is answered and logged is only whether there is one.',
  ),

  // Accounts
  requirelogin: onOff(false, 'anyone', 'Every call needs a login, but for the few that tell how to log in.'),
  webservice_email_filter: onOff(false, 'administrator', 'Strangers see addresses only up to the @.'),
  emailregexp: pattern("^[\\w.+\\-=']+@[\\w.\\-]+\\.[\\w\\-]+$", 'administrator', 'What a login name must look like.'),
  emailregexpdesc: line(
    'It must be an e-mail address: a name, an @ and a domain with a dot.',
    'signed-in',
    'The same in words.',
  ),
  emailsuffix: suffix('', 'signed-in', 'Added to login names to make addresses of them.'),
  createemailregexp: pattern(
    '.*',
    'administrator',
    'Has no effect: people cannot make an account themselves. Kept for clients that read it.',
  ),
  password_complexity: choice(
    'no_constraints',
    ['no_constraints', 'mixed_letters', 'letters_numbers', 'letters_numbers_specialchars'],
    'signed-in',
    'What a password must have besides its length.',
  ),
  rememberlogin: choice(
    'on',
    ['on', 'defaulton', 'defaultoff', 'off'],
    'signed-in',
    'Has no effect: there are no login cookies. Kept for clients that read it.',
  ),
  maxusermatches: count(1000, 'administrator', 'Most users that a match answers; 0 is no limit.'),
  usemenuforusers: onOff(
    false,
    'signed-in',
    'Has no effect here. Kept for user interfaces, which may let people be chosen from a menu.',
  ),

  // Bugs
  commentonchange_resolution: onOff(false, 'signed-in', 'A change of resolution needs a comment.'),
  commentonduplicate: onOff(false, 'signed-in', 'Marking a duplicate needs a comment.'),
  collapsed_comment_tags: line(
    'obsolete, spam',
    'administrator',
    'Has no effect here. Kept for user interfaces, which may fold comments with these tags.',
  ),
  defaultopsys: line('All', 'signed-in', 'Operating system of a bug that names none.'),
  defaultplatform: line('All', 'signed-in', 'Platform of a bug that names none.'),
  defaultpriority: line('---', 'signed-in', 'Priority of a bug that names none.'),
  defaultseverity: line('normal', 'signed-in', 'Severity of a bug that names none.'),
  duplicate_or_move_bug_status: line('RESOLVED', 'signed-in', 'Status of a bug that was marked as a duplicate.'),
  letsubmitterchoosemilestone: onOff(
    true,
    'signed-in',
    'Users who file a bug may choose the milestone; otherwise it is the default milestone of the product.',
  ),
  letsubmitterchoosepriority: onOff(true, 'signed-in', 'Whoever files a bug may choose the priority.'),
  musthavemilestoneonaccept: onOff(false, 'signed-in', 'A bug needs a milestone before work on it starts.'),
  noresolveonopenblockers: onOff(false, 'signed-in', 'A bug cannot be FIXED while bugs that it depends on are open.'),
  use_see_also: onOff(
    true,
    'signed-in',
    'Bugs have a See Also field. While it is off, nothing in it changes, and what is there stays.',
  ),
  useclassification: onOff(false, 'signed-in', 'Products are gathered into classifications.'),
  useqacontact: onOff(true, 'signed-in', 'Bugs have a QA contact.'),
  usestatuswhiteboard: onOff(
    true,
    'signed-in',
    'Bugs have a whiteboard. While it is off, nothing in it changes, and what is there stays.',
  ),
  usetargetmilestone: onOff(
    true,
    'signed-in',
    'Bugs have a target milestone. While it is off, new bugs get the default one of their product, and it changes only when a bug moves.',
  ),

  // Groups
  chartgroup: group('editbugs', 'administrator', 'Who may see charts.'),
  comment_taggers_group: group('editbugs', 'administrator', 'Who may tag comments; empty switches tags off.'),
  debug_group: group(
    'admin',
    'administrator',
    'Has no effect: nobody is shown how a search is run. Kept for clients that read it.',
  ),
  insidergroup: group('', 'administrator', 'Who sees private comments and attachments; empty is nobody.'),
  querysharegroup: group('editbugs', 'administrator', 'Who may share searches.'),
  timetrackinggroup: group('editbugs', 'administrator', 'Who sees and sets time fields.'),
  makeproductgroups: onOff(false, 'administrator', 'A new product gets a group of its own.'),
  or_groups: onOff(false, 'administrator', 'One of a bug’s groups is enough to see it, instead of all.'),
  strict_isolation: onOff(false, 'administrator', 'Nobody gets a role on a bug that they could not see or edit.'),
  usevisibilitygroups: onOff(false, 'administrator', 'People see only members of groups that their groups may see.'),

  // Search
  default_search_limit: count(
    500,
    'administrator',
    'Bugs on an HTML page of search results for which no limit is given; 0 is max_search_results.',
  ),
  max_search_results: count(10_000, 'administrator', 'Most bugs that one search answers.'),
  search_allow_no_criteria: onOff(true, 'signed-in', 'A search may ask for everything.'),

  // Mail
  mailfrom: mailAddress('lacewing@localhost', 'signed-in', 'Sender of the mail.'),
  globalwatchers: line('', 'administrator', 'Logins that get mail about every bug. Comma-separated.'),
  incoming_address: mailAddress(
    '',
    'administrator',
    'Address at which mail to the tracker arrives, such as bugs@example.com; a mail server hands on whatever comes for bugs+…@example.com. Empty is none.',
  ),
  keep_mail_days: count(
    30,
    'administrator',
    'Days for which messages are kept as files where no mail server is set; 0 is for ever.',
  ),
  webhookgroup: group(
    '',
    'administrator',
    'Who may have webhooks; empty is everybody. Webhooks of users who leave the group are sent nothing.',
  ),
  webhook_networks: addresses(
    '',
    'administrator',
    'Addresses or networks that webhooks may be sent to although they are not public, such as 10.0.0.0/8. Comma-separated; * is all of them.',
  ),
  whinedays: count(7, 'administrator', 'Days after which people are reminded of untouched bugs; 0 is never.'),
} as const satisfies Record<string, Definition<string | number | boolean>>

type Definitions = typeof definitions
export type SettingName = keyof Definitions
export type Settings = Readonly<{ [Name in SettingName]: ReturnType<Definitions[Name]['read']> }>

export type Audience = 'anyone' | 'signed-in' | 'administrator'

interface Definition<Value> {
  about: string
  audience: Audience
  shipped: string
  /** Whether it holds the name of a group, which then must exist. */
  isGroup?: boolean
  /** Whether nobody is ever told what it is. */
  isSecret?: boolean
  /** What a value must be, when the given one is not that. */
  faultIn: (value: string) => string | undefined
  read: (value: string) => Value
}

export const settingNames = Object.keys(definitions) as SettingName[]

export function definitionOf(name: string): Definition<string | number | boolean> | undefined {
  return Object.hasOwn(definitions, name) ? definitions[name as SettingName] : undefined
}

/** All settings: what is stored, and for the rest what ships. */
export function settingsFrom(stored: ReadonlyMap<string, string>): Settings {
  const values = settingNames.map((name) => [
    name,
    definitions[name].read(stored.get(name) ?? definitions[name].shipped),
  ])
  return Object.freeze(Object.fromEntries(values)) as Settings
}

/** Stands for a secret that there is. Whoever gives it back changes nothing. */
export const HIDDEN = '********'

/** As anybody may be told it, in an answer or in a log. */
export function shownSetting(name: SettingName, text: string): string {
  return definitionOf(name)?.isSecret && text !== '' ? HIDDEN : text
}

/** As it is stored and the interface answers it: always text. */
export function settingText(settings: Settings, name: SettingName): string {
  const value = settings[name]
  return typeof value === 'boolean' ? (value ? '1' : '0') : String(value)
}

/** Whether it is a yes or no, which comes in in many forms and is stored as 1 or 0. */
export function isOnOff(name: SettingName) {
  const { read, shipped } = definitions[name]
  return typeof read(shipped) === 'boolean'
}

/** The text that is stored for a value without a fault, so that one value has one form. */
export function storedForm(name: SettingName, value: string): string {
  const number = definitions[name].read(value)
  return typeof number === 'number' ? String(number) : value
}

function onOff(shipped: boolean, audience: Audience, about: string): Definition<boolean> {
  const faultIn = (value: string) => (value === '1' || value === '0' ? undefined : 'it must be 1 or 0')
  return { about, audience, shipped: shipped ? '1' : '0', faultIn, read: (value) => value === '1' }
}

function text(shipped: string, audience: Audience, about: string): Definition<string> {
  const faultIn = (value: string) => (value.length > 10_000 ? 'it must have at most 10000 characters' : undefined)
  return { about, audience, shipped, faultIn, read: (value) => value }
}

/** Stands in mail headers and on pages, where a line break would begin something else. */
function line(shipped: string, audience: Audience, about: string): Definition<string> {
  const faultIn = (value: string) =>
    value.length > 1000 || /[\p{Cc}\u2028\u2029]/u.test(value)
      ? 'it must be one line of at most 1000 characters'
      : undefined
  return { about, audience, shipped, faultIn, read: (value) => value }
}

function mailAddress(shipped: string, audience: Audience, about: string): Definition<string> {
  const faultIn = (value: string) =>
    value === '' || /^[^\s@<>,;\p{Cc}]+@[^\s@<>,;\p{Cc}]+$/u.test(value)
      ? undefined
      : 'it must be a mail address, or empty'
  return { about, audience, shipped, faultIn, read: (value) => value }
}

function webAddress(shipped: string, audience: Audience, about: string): Definition<string> {
  const faultIn = (value: string) =>
    value === '' || (/^https?:\/\/[!-~]+$/i.test(value) && URL.canParse(value))
      ? undefined
      : 'it must begin with http:// or https://, or be empty'
  return { about, audience, shipped, faultIn, read: (value) => value }
}

function suffix(shipped: string, audience: Audience, about: string): Definition<string> {
  const faultIn = (value: string) =>
    /^[\w.@+-]{0,100}$/.test(value) ? undefined : 'it must be the end of a mail address, such as @example.com, or empty'
  return { about, audience, shipped, faultIn, read: (value) => value }
}

function count(shipped: number, audience: Audience, about: string): Definition<number> {
  const faultIn = (value: string) => (/^\d{1,9}$/.test(value) ? undefined : 'it must be a whole number, 0 or more')
  return { about, audience, shipped: String(shipped), faultIn, read: Number }
}

function choice(shipped: string, choices: readonly string[], audience: Audience, about: string): Definition<string> {
  const faultIn = (value: string) => (choices.includes(value) ? undefined : `it must be one of ${choices.join(', ')}`)
  return { about, audience, shipped, faultIn, read: (value) => value }
}

function secret(audience: Audience, about: string): Definition<string> {
  return { ...line('', audience, about), isSecret: true }
}

function group(shipped: string, audience: Audience, about: string): Definition<string> {
  return { ...line(shipped, audience, about), isGroup: true }
}

function pattern(shipped: string, audience: Audience, about: string): Definition<string> {
  compilePattern(shipped)
  const faultIn = (value: string) =>
    faultInPattern(value) ? `it must be a regular expression (${faultInPattern(value)})` : undefined
  return { about, audience, shipped, faultIn, read: (value) => value }
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
  return { about, audience, shipped, faultIn, read: (value) => value }
}
