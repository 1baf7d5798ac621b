import { type TBoolean, Type } from '@sinclair/typebox'
import { type CallContext, call } from '../../../access/call.ts'
import { isIn, requireLogin, type SignedIn } from '../../../access/caller.ts'
import { getTarget, isSelf } from '../../../people/users/user-targets.ts'
import { errors } from '../../../platform/errors.ts'
import { anything, flag, listChange, MOST_ITEMS, readFlag, text } from '../../../platform/wire/params.ts'
import { MailTimesParams, MailTimesSchema, timesIn } from '../waiting/mail-times.ts'
import { changeMailSettings, type PreferencesOwner } from './change-mail-preferences.ts'
import {
  type Choice,
  choiceOf,
  type FlagEvent,
  flagChoiceOf,
  flagChoices,
  type Role,
  type RoleChoice,
  roleChoices,
  roles,
} from './mail-preference.ts'
import type { MailForm } from './mail-preference-store.ts'
import { HTML, presentMailSettings, readMailSettings, TEXT_ONLY } from './mail-settings.ts'

const resource = 'mail'
const strict = { additionalProperties: false }

function switches<Name extends string>(names: readonly Name[]) {
  return Type.Object(Object.fromEntries(names.map((name) => [name, Type.Boolean()])) as Record<Name, TBoolean>, strict)
}

const Preferences = Type.Object(
  {
    ...(Object.fromEntries(roles.map((role) => [role, switches(roleChoices)])) as Record<
      Role,
      ReturnType<typeof switches<RoleChoice>>
    >),
    flags: switches(flagChoices),
  },
  { title: 'MailPreferences', ...strict },
)

const MailSettingsSchema = Type.Object(
  {
    preferences: Preferences,
    email_format: Type.Union([Type.Literal(HTML), Type.Literal(TEXT_ONLY)]),
    new_prefix: Type.Boolean(),
    watched_users: Type.Array(Type.String()),
    watchers: Type.Array(Type.String()),
    ignored_bugs: Type.Array(Type.Integer()),
    times: MailTimesSchema,
  },
  { title: 'MailSettings', ...strict },
)

const mailPath = { user: 'Id or login name: the caller, or any user for members of admin.' }

const getPreferences = call({
  method: 'GET',
  path: '/user/:user/mail',
  pathParams: mailPath,
  resource,
  summary: 'Get mail preferences.',
  params: {},
  answers: MailSettingsSchema,
  scope: 'read',
  async run(context) {
    const { owner } = await requireMailSettingsOf(context)
    return presentMailSettings(await readMailSettings(context.db, owner.id))
  },
})

const putPreferences = call({
  method: 'PUT',
  path: '/user/:user/mail',
  pathParams: mailPath,
  resource,
  summary: 'Change mail preferences.',
  about: 'Preferences that are left out stay as they are. Returns the preferences after the change.',
  params: {
    preferences: anything(
      'true or false by role in the bug and event, such as {cc: {comment: false}}.',
      Type.Record(Type.String(), Type.Record(Type.String(), Type.Boolean(), { maxProperties: MOST_ITEMS }), {
        maxProperties: MOST_ITEMS,
      }),
    ),
    email_format: text('html, which is sent together with plain text, or text_only.'),
    new_prefix: flag('Whether the subject of mail about a new bug begins with New.'),
    watched_users: listChange('Login names of users whose mail the user also gets: add, remove, set.'),
    times: anything(
      'When mail about bugs is sent: see the fields above. What is left out stays as it is.',
      MailTimesParams,
    ),
    ignored_bugs: listChange('Bugs, by id or alias, about which the user gets no mail: add, remove, set.'),
  },
  unknownParams: 'refused',
  answers: MailSettingsSchema,
  scope: 'write',
  async run(context) {
    const { caller, owner } = await requireMailSettingsOf(context)
    const { preferences, email_format, new_prefix, watched_users, ignored_bugs, times } = context.params
    const form = { ...formatIn(email_format), ...(new_prefix !== undefined && { has_new_prefix: new_prefix ? 1 : 0 }) }
    const requested = { choices: choicesIn(preferences), form: form as Partial<MailForm> }
    const { db, settings } = context
    return presentMailSettings(
      await changeMailSettings({ db, settings, caller }, owner, {
        ...requested,
        watched: watched_users,
        ignored: ignored_bugs,
        times: timesIn(times),
      }),
    )
  },
})

/** Members of admin may manage every user's preferences. Others get the same error whether the user exists or not. */
async function requireMailSettingsOf(context: CallContext): Promise<{ caller: SignedIn; owner: PreferencesOwner }> {
  const caller = requireLogin(context.caller)
  const ref = context.path.user ?? ''
  if (isSelf(caller, ref)) return { caller, owner: caller }
  if (!isIn(caller, 'admin'))
    throw errors.not_allowed({
      need: 'these preferences belong to another user, and managing them needs membership in admin',
    })
  if (!caller.scopes.has('admin')) throw errors.scope_required({ scope: 'admin' })
  return { caller, owner: await getTarget(context.db, ref) }
}

function formatIn(input: string | undefined): Partial<MailForm> {
  if (input === undefined) return {}
  if (input !== HTML && input !== TEXT_ONLY)
    throw errors.bad_value({ name: 'email_format', value: input, right: `it must be ${HTML} or ${TEXT_ONLY}` })
  return { is_html: input === HTML ? 1 : 0 }
}

function choicesIn(input: unknown): Choice[] {
  if (input === undefined || input === null) return []
  return partsOf('preferences', input, [...roles, 'flags']).flatMap(([role, events]) =>
    role === 'flags'
      ? partsOf('preferences.flags', events, flagChoices).map(([what, isWanted]) =>
          flagChoiceOf(what as FlagEvent, readFlag(`preferences.flags.${what}`, isWanted)),
        )
      : partsOf(`preferences.${role}`, events, roleChoices).map(([what, isWanted]) =>
          choiceOf(role as Role, what as RoleChoice, readFlag(`preferences.${role}.${what}`, isWanted)),
        ),
  )
}

function partsOf(name: string, input: unknown, known: readonly string[]): [string, unknown][] {
  const right = `its parts are ${known.join(', ')}`
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw errors.bad_value({ name, value: input, right: `it must be an object: ${right}` })
  const unknown = Object.keys(input).find((part) => !known.includes(part))
  if (unknown !== undefined) throw errors.bad_value({ name, value: unknown, right })
  return Object.entries(input)
}

export const mailPreferenceRoutes = [getPreferences, putPreferences] as const
