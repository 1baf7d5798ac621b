import type { CallContext } from '../../../access/call.ts'
import type { SignedIn } from '../../../access/caller.ts'
import { viewerOf } from '../../../access/visibility/visible-bugs.ts'
import { listAfter } from '../../../bugs/editing/list-after.ts'
import { idsOfRefs, requireVisibleBugs } from '../../../bugs/values/bug-refs.ts'
import { recordAudit } from '../../../changes/audit.ts'
import { changesBetween } from '../../../changes/changes-between.ts'
import { getUsersByLogins } from '../../../people/users/user-store.ts'
import type { Db } from '../../../platform/database/db.ts'
import { errors } from '../../../platform/errors.ts'
import type { ListChange } from '../../../platform/wire/params.ts'
import { type MailHabits, presentHabits, readHabits } from './mail-habits.ts'
import type { Choice } from './mail-preference.ts'
import { type MailForm, saveChoices, saveIgnored, saveMailForm, saveWatched } from './mail-preference-store.ts'

/** The owner of the preferences. */
export interface Owner {
  id: number
  login: string
}

export interface WantedHabits {
  choices: readonly Choice[]
  form: Partial<MailForm>
  watched: ListChange | undefined
  ignored: ListChange | undefined
}

type Changing = Pick<CallContext, 'db' | 'settings'> & { caller: SignedIn }

/** Changes mail preferences. If one value is refused, none is changed. */
export function changeMailHabits(changing: Changing, owner: Owner, wanted: WantedHabits): Promise<MailHabits> {
  return changing.db.transaction(async (tx) => {
    const before = await readHabits(tx, owner.id)
    await saveChoices(tx, owner.id, wanted.choices)
    await saveMailForm(tx, owner.id, { ...before.form, ...wanted.form })
    if (wanted.watched !== undefined)
      await saveWatched(tx, owner.id, await watchedAfter(tx, owner, before, wanted.watched))
    if (wanted.ignored !== undefined)
      await saveIgnored(tx, owner.id, await ignoredAfter(tx, changing, before, wanted.ignored))
    const after = await readHabits(tx, owner.id)
    if (changing.caller.id !== owner.id)
      await recordAudit(
        tx,
        { who: changing.caller.id, class: 'User', objectId: owner.id },
        changesBetween(inWords(before), inWords(after)),
      )
    return after
  }, 'accounts')
}

async function watchedAfter(tx: Db, owner: Owner, before: MailHabits, wanted: ListChange): Promise<number[]> {
  const named = async (logins: readonly string[]) => (logins.length === 0 ? [] : await getUsersByLogins(tx, logins))
  const after = listAfter<Owner>(before.watched, {
    add: await named(wanted.add),
    remove: await named(wanted.remove),
    set: wanted.set && (await named(wanted.set)),
  })
  if (after.some(({ id }) => id === owner.id))
    throw errors.bad_value({ name: 'watched_users', value: owner.login, right: 'you cannot watch yourself' })
  return after.map(({ id }) => id)
}

/** Users must see a bug to add it to the list of ignored bugs; bugs already on the list may stay. */
async function ignoredAfter(tx: Db, { caller, settings }: Changing, before: MailHabits, wanted: ListChange) {
  const known = new Set(before.ignored)
  const added = wanted.set ?? wanted.add
  const ids = await idsOfRefs(tx, [...added, ...wanted.remove])
  const isNew = (ref: string) => !known.has(ids.get(ref) ?? 0)
  await requireVisibleBugs(tx, settings, viewerOf(caller), added.filter(isNew))
  const numbered = (refs: readonly string[]) => refs.flatMap((ref) => ids.get(ref) ?? []).map((id) => ({ id }))
  const after = listAfter(
    before.ignored.map((id) => ({ id })),
    { add: numbered(wanted.add), remove: numbered(wanted.remove), set: wanted.set && numbered(wanted.set) },
  )
  return after.map(({ id }) => id)
}

/** For the audit log: one entry per preference. */
function inWords(habits: MailHabits): Record<string, string | boolean> {
  const { preferences, watched_users, ignored_bugs, email_format, new_prefix } = presentHabits(habits)
  const chosen = Object.entries(preferences).flatMap(([role, events]) =>
    Object.entries(events).map(([event, isWanted]) => [`mail.${role}.${event}`, isWanted] as const),
  )
  return {
    ...Object.fromEntries(chosen),
    'mail.watched_users': watched_users.join(', '),
    'mail.ignored_bugs': ignored_bugs.join(', '),
    'mail.email_format': email_format,
    'mail.new_prefix': new_prefix,
  }
}
