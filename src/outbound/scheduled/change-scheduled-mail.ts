import type { CallContext } from '../../access/call.ts'
import { isIn, requireGroup, type SignedIn } from '../../access/caller.ts'
import { requireLiveCredential } from '../../access/live-credential.ts'
import { requireOwnRoom } from '../../access/own-limits.ts'
import { requireGroupStillExists } from '../../people/groups/group-store.ts'
import { findSavedSearch, findSearchNamed } from '../../people/saved-searches/saved-search-store.ts'
import { getTarget } from '../../people/users/user-targets.ts'
import { errors } from '../../platform/errors.ts'
import { sameAs } from '../../platform/text/fold.ts'
import { isOneLine } from '../../platform/text/one-line.ts'
import { readFlag, readText } from '../../platform/wire/params.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { isDay, isTime, nextTime, RIGHT_DAY, RIGHT_TIME } from './schedule.ts'
import type { MailedSchedule, MailedSearch, ScheduledMail } from './scheduled-mail.ts'
import {
  deleteScheduledMail,
  findScheduledMail,
  insertScheduledMail,
  listScheduledMails,
  type ScheduledMailEdit,
  updateScheduledMail,
} from './scheduled-mail-store.ts'

type ScheduledMailContext = Pick<CallContext, 'db' | 'caller' | 'settings' | 'groups' | 'credentials'>

export interface RequestedScheduledMail {
  subject: string | undefined
  body: string | undefined
  mail_if_no_bugs: boolean | undefined
  searches: unknown
  schedules: unknown
}

export const SCHEDULING_GROUP = 'bz_canusewhines'
export const SCHEDULING_FOR_OTHERS_GROUP = 'bz_canusewhineatothers'

export const MOST_PARTS = 20
const LONGEST_SUBJECT = 128
const LONGEST_BODY = 10_000

const EMPTY: ScheduledMailEdit = { subject: '', body: '', isSentEmpty: false, searches: [], schedules: [] }

export async function createScheduledMail(
  context: ScheduledMailContext,
  requested: RequestedScheduledMail,
): Promise<number> {
  const owner = requireLasting(requireGroup(context.caller, SCHEDULING_GROUP))
  return context.db.transaction(async (tx) => {
    await requireLiveCredential(tx, context)
    requireOwnRoom('scheduledMails', (await listScheduledMails(tx, owner.id)).length)
    return insertScheduledMail(tx, owner, await changedMail({ ...context, db: tx }, owner, EMPTY, requested))
  }, 'accounts')
}

export async function changeScheduledMail(
  context: ScheduledMailContext,
  ref: string,
  requested: RequestedScheduledMail,
): Promise<ScheduledMail> {
  const owner = requireLasting(requireGroup(context.caller, SCHEDULING_GROUP))
  return context.db.transaction(async (tx) => {
    await requireLiveCredential(tx, context)
    const before = await getOwnScheduledMail({ db: tx }, owner, ref)
    await updateScheduledMail(
      tx,
      before.id,
      owner.keyId,
      await changedMail({ ...context, db: tx }, owner, before, requested),
    )
    return getOwnScheduledMail({ db: tx }, owner, ref)
  }, 'accounts')
}

/** A scheduled mail does not expire, so it is not made with a key that does. */
function requireLasting(owner: SignedIn): SignedIn {
  if (owner.expiresAt === null) return owner
  throw errors.key_expires({
    expires: owner.expiresAt,
    hint: '; scheduled mails are only for credentials that do not expire',
  })
}

export async function removeScheduledMail(
  context: ScheduledMailContext,
  owner: SignedIn,
  ref: string,
): Promise<ScheduledMail> {
  return context.db.transaction(async (tx) => {
    const mail = await getOwnScheduledMail({ db: tx }, owner, ref)
    await deleteScheduledMail(tx, mail.id)
    return mail
  }, 'accounts')
}

/** The mails of other users are reported as missing. */
export async function getOwnScheduledMail(
  { db }: Pick<CallContext, 'db'>,
  owner: SignedIn,
  ref: string,
): Promise<ScheduledMail> {
  const mail = await findScheduledMail(db, idIn(ref) ?? 0)
  if (mail === undefined || mail.ownerId !== owner.id) throw errors.no_such_object({ what: 'scheduled mail', ref })
  return mail
}

async function changedMail(
  context: ScheduledMailContext,
  owner: SignedIn,
  before: ScheduledMailEdit,
  requested: RequestedScheduledMail,
): Promise<ScheduledMailEdit> {
  const subject = (requested.subject ?? before.subject).trim()
  const body = (requested.body ?? before.body).trim()
  if (subject === '') throw errors.parameter_required({ name: 'subject' })
  if (!isOneLine(subject) || subject.length > LONGEST_SUBJECT)
    throw errors.bad_value({
      name: 'subject',
      value: subject,
      right: `it must be one line of at most ${LONGEST_SUBJECT} characters`,
    })
  if (body.length > LONGEST_BODY) throw errors.text_too_long({ name: 'body', most: LONGEST_BODY })
  const edit = {
    subject,
    body,
    isSentEmpty: requested.mail_if_no_bugs ?? before.isSentEmpty,
    searches:
      requested.searches === undefined
        ? before.searches
        : await eachOf('searches', requested.searches, (it) => searchFrom(context, owner, it)),
    schedules:
      requested.schedules === undefined
        ? before.schedules
        : await eachOf('schedules', requested.schedules, (it) => scheduleFrom(context, owner, it)),
  }
  if (edit.searches.length === 0) throw errors.parameter_required({ name: 'searches' })
  if (edit.schedules.length === 0) throw errors.parameter_required({ name: 'schedules' })
  return edit
}

type Parts = Readonly<Record<string, unknown>>

async function eachOf<Item>(name: string, input: unknown, read: (parts: Parts) => Promise<Item>): Promise<Item[]> {
  const isObject = (it: unknown): it is Parts => typeof it === 'object' && it !== null && !Array.isArray(it)
  if (!Array.isArray(input) || !input.every(isObject))
    throw errors.bad_value({ name, value: input, right: 'it must be a list of objects' })
  const items: Item[] = []
  for (const parts of input) items.push(await read(parts))
  return items
}

/** The owner's saved searches, by name or id. */
async function searchFrom({ db }: ScheduledMailContext, owner: SignedIn, parts: Parts): Promise<MailedSearch> {
  const ref = readText('searches.search', parts.search ?? '')
  const id = idIn(ref)
  const found =
    (await findSearchNamed(db, owner.id, ref)) ??
    (id === undefined ? undefined : await findSavedSearch(db, id, 'search'))
  if (found === undefined || found.owner_id !== owner.id) throw errors.no_such_object({ what: 'saved search', ref })
  const title = readText('searches.title', parts.title ?? '').trim()
  if (!isOneLine(title) || title.length > LONGEST_SUBJECT)
    throw errors.bad_value({
      name: 'searches.title',
      value: title,
      right: `it must be one line of at most ${LONGEST_SUBJECT} characters`,
    })
  const isMailPerBug = readFlag('searches.one_mail_per_bug', parts.one_mail_per_bug ?? false)
  return { searchId: found.id, search: found.name, title: title || found.name, isMailPerBug }
}

async function scheduleFrom(context: ScheduledMailContext, owner: SignedIn, parts: Parts): Promise<MailedSchedule> {
  const day = readText('schedules.day', parts.day ?? 'All')
  const time = readText('schedules.time', parts.time ?? '')
  if (!isDay(day)) throw errors.bad_value({ name: 'schedules.day', value: day, right: RIGHT_DAY })
  if (!isTime(time)) throw errors.bad_value({ name: 'schedules.time', value: time, right: RIGHT_TIME })
  return { day, time, to: await receiverFrom(context, owner, parts), nextAt: nextTime({ day, time }, Date.now()) }
}

/** The owner, unless a user or a group is named. */
async function receiverFrom(
  { db, groups }: ScheduledMailContext,
  owner: SignedIn,
  { user, group }: Parts,
): Promise<MailedSchedule['to']> {
  if (group !== undefined && group !== null) {
    requireMayForOthers(owner)
    const name = readText('schedules.group', group)
    const isNamed = sameAs(name.trim())
    const found = [...groups.groups.values()].find((it) => isNamed(it.name))
    if (found === undefined || !owner.groups.ids.has(found.id)) throw errors.group_not_yours({ ref: name })
    await requireGroupStillExists(db, found)
    return { groupId: found.id, group: found.name }
  }
  const ref = user === undefined || user === null ? String(owner.id) : readText('schedules.user', user)
  const { id, login } = await getTarget(db, ref)
  if (id !== owner.id) requireMayForOthers(owner)
  return { userId: id, login }
}

function requireMayForOthers(owner: SignedIn) {
  if (!isIn(owner, SCHEDULING_FOR_OTHERS_GROUP))
    throw errors.not_allowed({ need: `scheduling mail for others needs membership in ${SCHEDULING_FOR_OTHERS_GROUP}` })
}
