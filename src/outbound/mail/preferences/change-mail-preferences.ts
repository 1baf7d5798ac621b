import { DIGEST_QUEUE, MAIL_QUEUE } from '../../../access/account-notice.ts'
import type { CallContext } from '../../../access/call.ts'
import type { SignedIn } from '../../../access/caller.ts'
import { requireOwnRoom } from '../../../access/own-limits.ts'
import { viewerOf } from '../../../access/visibility/visible-bugs.ts'
import { listAfter } from '../../../bugs/editing/list-after.ts'
import { idsOfRefs, requireVisibleBugs } from '../../../bugs/values/bug-refs.ts'
import { recordAudit } from '../../../changes/audit.ts'
import { changesBetween } from '../../../changes/changes-between.ts'
import { getUsersByLogins } from '../../../people/users/user-store.ts'
import type { Db } from '../../../platform/database/db.ts'
import { errors } from '../../../platform/errors.ts'
import type { ListChange } from '../../../platform/wire/params.ts'
import { endWaitsOf } from '../../jobs/waiting-jobs.ts'
import { requireQuietHoursEnd } from '../waiting/mail-times.ts'
import { saveMailTimes } from '../waiting/mail-times-store.ts'
import type { MailTimes } from '../waiting/send-time.ts'
import type { Choice } from './mail-preference.ts'
import { type MailForm, saveChoices, saveIgnored, saveMailForm, saveWatched } from './mail-preference-store.ts'
import { type MailSettings, presentMailSettings, readMailSettings } from './mail-settings.ts'

/** The owner of the preferences. */
export interface PreferencesOwner {
  id: number
  login: string
}

export interface RequestedMailSettings {
  choices: readonly Choice[]
  form: Partial<MailForm>
  watched: ListChange | undefined
  ignored: ListChange | undefined
  times: Partial<MailTimes>
}

type MailSettingsContext = Pick<CallContext, 'db' | 'settings'> & { caller: SignedIn }

/** Changes mail preferences. If one value is refused, none is changed. */
export function changeMailSettings(
  context: MailSettingsContext,
  owner: PreferencesOwner,
  requested: RequestedMailSettings,
): Promise<MailSettings> {
  return context.db.transaction(async (tx) => {
    const before = await readMailSettings(tx, owner.id)
    await saveChoices(tx, owner.id, requested.choices)
    await saveMailForm(tx, owner.id, { ...before.form, ...requested.form })
    if (Object.keys(requested.times).length > 0) {
      const times = { ...before.times, ...requested.times }
      requireQuietHoursEnd(times)
      await saveMailTimes(tx, owner.id, times)
      // Jobs that wait are asked again, by the new times.
      for (const queue of [MAIL_QUEUE, DIGEST_QUEUE]) await endWaitsOf(tx, queue, String(owner.id))
    }
    if (requested.watched !== undefined)
      await saveWatched(tx, owner.id, await watchedAfter(tx, owner, before, requested.watched))
    if (requested.ignored !== undefined)
      await saveIgnored(tx, owner.id, await ignoredAfter(tx, context, before, requested.ignored))
    const after = await readMailSettings(tx, owner.id)
    if (context.caller.id !== owner.id)
      await recordAudit(
        tx,
        { who: context.caller.id, class: 'User', objectId: owner.id },
        changesBetween(asAuditEntries(before), asAuditEntries(after)),
      )
    return after
  }, 'accounts')
}

async function watchedAfter(
  tx: Db,
  owner: PreferencesOwner,
  before: MailSettings,
  requested: ListChange,
): Promise<number[]> {
  const named = async (logins: readonly string[]) => (logins.length === 0 ? [] : await getUsersByLogins(tx, logins))
  const after = listAfter<PreferencesOwner>(before.watched, {
    add: await named(requested.add),
    remove: await named(requested.remove),
    set: requested.set && (await named(requested.set)),
  })
  if (after.some(({ id }) => id === owner.id))
    throw errors.bad_value({ name: 'watched_users', value: owner.login, right: 'you cannot watch yourself' })
  requireOwnRoom('watchedUsers', before.watched.length, after.length - before.watched.length)
  return after.map(({ id }) => id)
}

/** Users must see a bug to add it to the list of ignored bugs; bugs already on the list may stay. */
async function ignoredAfter(
  tx: Db,
  { caller, settings }: MailSettingsContext,
  before: MailSettings,
  requested: ListChange,
) {
  const known = new Set(before.ignored)
  const added = requested.set ?? requested.add
  const ids = await idsOfRefs(tx, [...added, ...requested.remove])
  const isNew = (ref: string) => !known.has(ids.get(ref) ?? 0)
  await requireVisibleBugs(tx, settings, viewerOf(caller), added.filter(isNew))
  const numbered = (refs: readonly string[]) => refs.flatMap((ref) => ids.get(ref) ?? []).map((id) => ({ id }))
  const after = listAfter(
    before.ignored.map((id) => ({ id })),
    { add: numbered(requested.add), remove: numbered(requested.remove), set: requested.set && numbered(requested.set) },
  )
  requireOwnRoom('ignoredBugs', before.ignored.length, after.length - before.ignored.length)
  return after.map(({ id }) => id)
}

/** For the audit log: one entry per preference. */
function asAuditEntries(mailSettings: MailSettings): Record<string, string | boolean> {
  const { preferences, watched_users, ignored_bugs, email_format, new_prefix, times } =
    presentMailSettings(mailSettings)
  const chosen = Object.entries(preferences).flatMap(([role, events]) =>
    Object.entries(events).map(([event, isWanted]) => [`mail.${role}.${event}`, isWanted] as const),
  )
  return {
    ...Object.fromEntries(chosen),
    ...Object.fromEntries(Object.entries(times).map(([name, value]) => [`mail.times.${name}`, String(value ?? '')])),
    'mail.watched_users': watched_users.join(', '),
    'mail.ignored_bugs': ignored_bugs.join(', '),
    'mail.email_format': email_format,
    'mail.new_prefix': new_prefix,
  }
}
