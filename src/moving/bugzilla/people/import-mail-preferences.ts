import { isMailOnByDefault } from '../../../../shared/mail-preferences.ts'
import {
  CASES,
  EVENTS,
  FLAG_EVENTS,
  ROLES,
  type Role,
  type RoleChoice,
  roleChoices,
  roles,
} from '../../../outbound/mail/preferences/mail-preference.ts'
import { DEFAULT_FORM } from '../../../outbound/mail/preferences/mail-preference-store.ts'
import type { ConfigurationTransaction } from '../../../platform/database/db.ts'
import { insertRows, type NewRow } from '../../../platform/database/insert-rows.ts'
import { type ImportContext, numberOf, stagedText } from '../import-context.ts'
import type { PartOfUsers, UserLookup } from './user-lookup.ts'

const FLAGS_ROLE = 100
const GLOBAL_WATCHERS_ROLE = 5
const NUMBERS = { ...EVENTS, ...CASES }

/** In Bugzilla a row means yes. Here only differences from the default are stored. */
export async function importMailChoices(
  { staging, journal }: ImportContext,
  tx: ConfigurationTransaction,
  lookup: UserLookup,
  { after, last }: PartOfUsers,
) {
  if (!staging.dumpTables().has('email_setting')) return
  // Without its extension for votes, Bugzilla has no choices of voters: theirs are the defaults.
  const voter = staging.all('select 1 as there from email_setting where relationship = ? limit 1', ROLES.voter)
  const known = roles.filter((role) => role !== 'voter' || voter.length > 0)
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
    else if (role === GLOBAL_WATCHERS_ROLE)
      journal.leftOut('email_setting', 'global watchers have no preferences here; kept in the file')
    else if (!isKnownChoice(role, event))
      journal.refuse('email_setting', `${user} ${role} ${event}`, 'there is no such role or event here', row)
    else {
      chosen.get(user)?.add(`${role} ${event}`)
      journal.made('email_setting')
    }
  }
  const rows = [...chosen].flatMap(([user, rowsOfUser]) =>
    choicesToStore(known, (role, event) => rowsOfUser.has(`${role} ${event}`)).map((choice) => ({
      user_id: user,
      ...choice,
    })),
  )
  await insertRows(tx, 'mail_choices', rows)
}

function isKnownChoice(role: number, event: number) {
  if (role === FLAGS_ROLE) return Object.values<number>(FLAG_EVENTS).includes(event)
  return Object.values<number>(ROLES).includes(role) && Object.values<number>(NUMBERS).includes(event)
}

type MailChoice = Omit<NewRow<'mail_choices'>, 'user_id'>

function choicesToStore(known: readonly Role[], isWanted: (role: number, event: number) => boolean): MailChoice[] {
  const ofRole = (role: Role, what: RoleChoice): MailChoice[] => {
    const wanted = isWanted(ROLES[role], NUMBERS[what])
    if (wanted === isMailOnByDefault(role, what)) return []
    return [{ relationship: ROLES[role], event: NUMBERS[what], is_wanted: wanted ? 1 : 0 }]
  }
  // Bugzilla has no mentions: mail about them is on, as by default.
  const { mentioned: _, ...ofBugzilla } = FLAG_EVENTS
  const ofFlags = Object.values(ofBugzilla).flatMap((event): MailChoice[] =>
    isWanted(FLAGS_ROLE, event) ? [] : [{ relationship: FLAGS_ROLE, event, is_wanted: 0 }],
  )
  return [...known.flatMap((role) => roleChoices.flatMap((what) => ofRole(role, what))), ...ofFlags]
}

interface MailFormNames {
  email_format: string
  bugmail_new_prefix: string
}

/** What users get who have chosen nothing. */
export function defaultForms({ staging }: ImportContext): MailFormNames {
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

export async function importMailForms(
  context: ImportContext,
  tx: ConfigurationTransaction,
  lookup: UserLookup,
  { after, last }: PartOfUsers,
  defaults: MailFormNames,
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
    .map(
      ([user, form]): NewRow<'mail_forms'> => ({
        user_id: user,
        is_html: form.email_format === 'html' ? 1 : 0,
        has_new_prefix: form.bugmail_new_prefix === 'on' ? 1 : 0,
      }),
    )
    .filter((row) => row.is_html !== DEFAULT_FORM.is_html || row.has_new_prefix !== DEFAULT_FORM.has_new_prefix)
  await insertRows(tx, 'mail_forms', rows)
}
