import {
  CASES,
  EVENTS,
  FLAG_EVENTS,
  isOnByDefault,
  ROLES,
  type Role,
  type RoleChoice,
  roleChoices,
  roles,
} from '../../../outbound/mail/preferences/mail-preference.ts'
import { DEFAULT_FORM } from '../../../outbound/mail/preferences/mail-preference-store.ts'
import { SCOPES } from '../../../people/api-keys/api-key.ts'
import type { ConfigurationTransaction } from '../../../platform/database/db.ts'
import { insertRows } from '../../../platform/database/insert-rows.ts'
import { digest } from '../../../platform/secrets/secrets.ts'
import { flagOf, type ImportContext, isId, numberOf, positionIn, stagedText } from '../import-context.ts'
import type { StagedRow, Staging } from '../staging/staging.ts'

/** What belongs to users besides their accounts, for the users of one part. */
const USERS_AT_ONCE = 500

/** Groups, mail preferences and the format of mail, by user. */
export async function membershipsStep(context: ImportContext, lookup: UserLookup, onPart: (id: number) => void) {
  const { journal, staging } = context
  const forms = defaultForms(context)
  await journal.step(
    'memberships',
    async (tx, after) => {
      const users = staging.all(
        `select userid from profiles where typeof(userid) = 'integer' and userid > ? order by userid limit ?`,
        after,
        USERS_AT_ONCE,
      )
      const last = positionIn(users.at(-1)?.userid)
      if (last === undefined) return 'done'
      await importMemberships(context, tx, lookup, after, last)
      await importMailChoices(context, tx, lookup, after, last)
      await importMailForms(context, tx, lookup, forms, after, last)
      return users.length < USERS_AT_ONCE ? 'done' : last
    },
    onPart,
  )
}

export interface UserLookup {
  readonly users: ReadonlySet<number>
  readonly groups: ReadonlySet<number>
  /** Groups whose user_regexp cannot be used here. */
  readonly groupsWithoutRegexp: ReadonlySet<number>
  /** The user that stands for users without a usable number; undefined if no row needs it. */
  readonly unknownUser: number | undefined
}

async function importMemberships(
  { staging, journal }: ImportContext,
  tx: ConfigurationTransaction,
  lookup: UserLookup,
  after: number,
  last: number,
) {
  const grants = new Map<string, (string | number)[]>()
  const rows = staging.all('select * from user_group_map where user_id > ? and user_id <= ?', after, last)
  const isInherited = inheritanceOf(staging, rows)
  for (const row of rows) {
    const [user, group, grant] = [numberOf(row.user_id), numberOf(row.group_id), numberOf(row.grant_type) ?? 0]
    const key = `${stagedText(row.user_id)} in ${stagedText(row.group_id)}`
    if (user === undefined || group === undefined || !lookup.users.has(user) || !lookup.groups.has(group))
      journal.refuse('user_group_map', key, 'the user or the group does not exist', row)
    else if (grant === DERIVED && isInherited(user, group, flagOf(row.isbless)))
      journal.leftOut('user_group_map', 'inherited memberships are computed')
    else {
      const right = flagOf(row.isbless) === 1 ? 'bless' : 'member'
      if (grant === DERIVED)
        journal.note(
          'user_group_map',
          key,
          `no group that the user is in gives them this right (${right}); it is a direct one now`,
        )
      const source = grant === 2 && !lookup.groupsWithoutRegexp.has(group) ? 'regexp' : 'direct'
      const made = `${user} ${group} ${right} ${source}`
      if (grants.has(made)) journal.joined('user_group_map')
      else {
        grants.set(made, [user, group, right, source])
        journal.made('user_group_map')
      }
    }
  }
  await insertRows(tx, 'user_group_grants', ['user_id', 'group_id', 'right', 'source'], [...grants.values()])
}

const DERIVED = 1

/** Whether a user gets a right by being in another group, as it is computed here: rows of old releases may say more. */
function inheritanceOf(staging: Staging, memberships: readonly StagedRow[]) {
  const grants = staging.all('select member_id, grantor_id, grant_type from group_group_map')
  const targets = (type: number) => {
    const ofType = grants.filter((row) => numberOf(row.grant_type) === type)
    return Map.groupBy(ofType, (row) => numberOf(row.member_id) ?? 0)
  }
  const [members, blessers] = [targets(0), targets(1)]
  const reached = new Map<number, Set<number>>()
  for (const row of memberships) {
    const [user, group] = [numberOf(row.user_id) ?? 0, numberOf(row.group_id) ?? 0]
    if (numberOf(row.grant_type) === DERIVED || flagOf(row.isbless) === 1) continue
    const own = reached.get(user) ?? new Set<number>()
    reached.set(user, own.add(group))
  }
  for (const groups of reached.values())
    for (const group of groups) for (const row of members.get(group) ?? []) groups.add(numberOf(row.grantor_id) ?? 0)
  return (user: number, group: number, isBless: 0 | 1) => {
    const groups = reached.get(user)
    if (isBless === 0) return groups?.has(group) === true
    return [...(groups ?? [])].some((own) => blessers.get(own)?.some((row) => numberOf(row.grantor_id) === group))
  }
}

const FLAGS_ROLE = 100
const [VOTERS_ROLE, GLOBAL_WATCHERS_ROLE] = [4, 5]
const NUMBERS = { ...EVENTS, ...CASES }

/** In Bugzilla a row means yes. Here only differences from the default are stored. */
async function importMailChoices(
  { staging, journal }: ImportContext,
  tx: ConfigurationTransaction,
  lookup: UserLookup,
  after: number,
  last: number,
) {
  if (!staging.dumpTables().has('email_setting')) return
  const chosen = new Map<number, Set<string>>()
  const users = staging.all<{ userid: number }>(
    'select userid from profiles where userid > ? and userid <= ?',
    after,
    last,
  )
  for (const { userid } of users) if (lookup.users.has(userid)) chosen.set(userid, new Set())
  for (const row of staging.all('select * from email_setting where user_id > ? and user_id <= ?', after, last)) {
    const [user, role, event] = [
      numberOf(row.user_id) ?? 0,
      numberOf(row.relationship) ?? -1,
      numberOf(row.event) ?? -1,
    ]
    if (!chosen.has(user)) journal.refuse('email_setting', stagedText(row.user_id), 'the user does not exist', row)
    else if (role === VOTERS_ROLE || role === GLOBAL_WATCHERS_ROLE)
      journal.leftOut('email_setting', 'voters and global watchers have no preferences here; kept in the file')
    else if (!isKnownChoice(role, event))
      journal.refuse('email_setting', `${user} ${role} ${event}`, 'there is no such role or event here', row)
    else {
      chosen.get(user)?.add(`${role} ${event}`)
      journal.made('email_setting')
    }
  }
  const rows = [...chosen].flatMap(([user, rowsOfUser]) =>
    choicesToStore((role, event) => rowsOfUser.has(`${role} ${event}`)).map((choice) => [user, ...choice]),
  )
  await insertRows(tx, 'mail_choices', ['user_id', 'relationship', 'event', 'is_wanted'], rows)
}

function isKnownChoice(role: number, event: number) {
  if (role === FLAGS_ROLE) return Object.values<number>(FLAG_EVENTS).includes(event)
  return Object.values<number>(ROLES).includes(role) && Object.values<number>(NUMBERS).includes(event)
}

function choicesToStore(isWanted: (role: number, event: number) => boolean): [number, number, number][] {
  const ofRole = (role: Role, what: RoleChoice): [number, number, number][] => {
    const wanted = isWanted(ROLES[role], NUMBERS[what])
    return wanted === isOnByDefault(role, what) ? [] : [[ROLES[role], NUMBERS[what], wanted ? 1 : 0]]
  }
  const ofFlags = Object.values(FLAG_EVENTS).flatMap((event): [number, number, number][] =>
    isWanted(FLAGS_ROLE, event) ? [] : [[FLAGS_ROLE, event, 0]],
  )
  return [...roles.flatMap((role) => roleChoices.flatMap((what) => ofRole(role, what))), ...ofFlags]
}

interface MailFormNames {
  email_format: string
  bugmail_new_prefix: string
}

/** What users get who have chosen nothing. */
function defaultForms({ staging }: ImportContext): MailFormNames {
  const chosen = new Map(
    staging
      .all('select name, default_value from setting')
      .map((row) => [stagedText(row.name), stagedText(row.default_value)]),
  )
  return {
    email_format: chosen.get('email_format') ?? (DEFAULT_FORM.is_html === 1 ? 'html' : 'text_only'),
    bugmail_new_prefix: chosen.get('bugmail_new_prefix') ?? (DEFAULT_FORM.has_new_prefix === 1 ? 'on' : 'off'),
  }
}

async function importMailForms(
  context: ImportContext,
  tx: ConfigurationTransaction,
  lookup: UserLookup,
  defaults: MailFormNames,
  after: number,
  last: number,
) {
  const { staging, journal } = context
  const forms = new Map<number, MailFormNames>()
  const users = staging.all<{ userid: number }>(
    'select userid from profiles where userid > ? and userid <= ?',
    after,
    last,
  )
  for (const { userid } of users) if (lookup.users.has(userid)) forms.set(userid, { ...defaults })
  for (const row of staging.all('select * from profile_setting where user_id > ? and user_id <= ?', after, last)) {
    const form = forms.get(numberOf(row.user_id) ?? 0)
    const name = stagedText(row.setting_name)
    if (form === undefined) journal.refuse('profile_setting', stagedText(row.user_id), 'the user does not exist', row)
    else if (name === 'email_format' || name === 'bugmail_new_prefix') {
      form[name] = stagedText(row.setting_value)
      journal.made('profile_setting')
    } else journal.leftOut('profile_setting', 'these settings of the old pages do not exist here')
  }
  const rows = [...forms]
    .map(([user, form]) => [user, form.email_format === 'html' ? 1 : 0, form.bugmail_new_prefix === 'on' ? 1 : 0])
    .filter(([, isHtml, hasPrefix]) => isHtml !== DEFAULT_FORM.is_html || hasPrefix !== DEFAULT_FORM.has_new_prefix)
  await insertRows(tx, 'mail_forms', ['user_id', 'is_html', 'has_new_prefix'], rows as number[][])
}

/** The defaults of settings: those of the format of mail are used. */
function countSettings({ staging, journal }: ImportContext) {
  for (const { name } of staging.all('select name from setting'))
    if (name === 'email_format' || name === 'bugmail_new_prefix') journal.made('setting')
    else journal.leftOut('setting', 'these settings of the old pages do not exist here')
}

/** Watched users, and API keys, of which only digests are stored. */
export async function importWatchingAndKeys(
  context: ImportContext,
  tx: ConfigurationTransaction,
  lookup: UserLookup,
): Promise<'done'> {
  const { staging, journal, zone } = context
  countSettings(context)
  const watching = new Map<string, number[]>()
  for (const row of staging.all('select * from watch')) {
    const [watcher, watched] = [numberOf(row.watcher) ?? 0, numberOf(row.watched) ?? 0]
    const key = `${watcher} → ${watched}`
    if (!lookup.users.has(watcher) || !lookup.users.has(watched) || watcher === watched)
      journal.refuse('watch', key, 'a user does not exist, or watches themselves', row)
    else if (watching.has(key)) journal.joined('watch')
    else {
      watching.set(key, [watcher, watched])
      journal.made('watch')
    }
  }
  await insertRows(tx, 'watched_users', ['watcher_id', 'watched_id'], [...watching.values()])
  const keys = new Map<string, (string | number | null)[]>()
  for (const row of staging.all('select * from user_api_keys order by id')) {
    const [id, user, secret] = [numberOf(row.id), numberOf(row.user_id) ?? 0, stagedText(row.api_key)]
    if (!isId(id) || !lookup.users.has(user) || secret === '' || keys.has(secret)) {
      journal.refuse('user_api_keys', stagedText(row.id), 'the user does not exist, or the key is empty or there twice')
      continue
    }
    const revokedAt = flagOf(row.revoked) === 1 ? journal.begunAt : null
    const lastUsed = zone.toUtc(stagedText(row.last_used)) ?? null
    if (lastUsed === null && row.last_used !== null)
      journal.note('user_api_keys', id, 'the time of its last use is impossible; it has none now')
    keys.set(secret, [
      id,
      user,
      digest(secret),
      stagedText(row.description),
      SCOPES.join(','),
      journal.begunAt,
      null,
      revokedAt,
      lastUsed,
    ])
    journal.made('user_api_keys')
  }
  await insertRows(
    tx,
    'api_keys',
    ['id', 'user_id', 'digest', 'description', 'scopes', 'created_at', 'expires_at', 'revoked_at', 'last_used_at'],
    [...keys.values()],
  )
  return 'done'
}
