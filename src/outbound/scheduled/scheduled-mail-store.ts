import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { Flag } from '../../platform/database/tables.ts'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import { timeNow } from '../../platform/time/clock.ts'
import type { MailedSchedule, ScheduledMail } from './scheduled-mail.ts'

const searches = sql`select scheduled_mail_searches.search_id, saved_searches.name as search, scheduled_mail_searches.title,
  scheduled_mail_searches.is_mail_per_bug from scheduled_mail_searches
  inner join saved_searches on saved_searches.id = scheduled_mail_searches.search_id
  where scheduled_mail_searches.mail_id = scheduled_mails.id order by scheduled_mail_searches.id`
const times = sql`select scheduled_mail_times.day, scheduled_mail_times.time, scheduled_mail_times.to_user_id,
  scheduled_mail_times.to_group_id, scheduled_mail_times.next_at, receivers.login, groups.name from scheduled_mail_times
  left join users as receivers on receivers.id = scheduled_mail_times.to_user_id
  left join groups on groups.id = scheduled_mail_times.to_group_id
  where scheduled_mail_times.mail_id = scheduled_mails.id order by scheduled_mail_times.id`

const shown = (d: Dialect) => ({
  searches: d.jsonObjectsOf(searches, ['search_id', 'search', 'title', 'is_mail_per_bug']),
  times: d.jsonObjectsOf(times, ['day', 'time', 'to_user_id', 'to_group_id', 'next_at', 'login', 'name']),
})

const ofUser = statement<{ userId: number; id: number }>()((q, p, d) =>
  q
    .selectFrom('scheduled_mails')
    .innerJoin('users', 'users.id', 'scheduled_mails.user_id')
    .selectAll('scheduled_mails')
    .select('users.login as owner')
    .select([shown(d).searches.as('searches'), shown(d).times.as('times')])
    .where((mail) => mail.or([mail('scheduled_mails.user_id', '=', p.userId), mail('scheduled_mails.id', '=', p.id)]))
    .orderBy('scheduled_mails.id'),
)

/** No user and no mail has this id. */
const NONE = 0

export async function listScheduledMails(db: Db, userId: number): Promise<ScheduledMail[]> {
  return (await db.all(ofUser, { userId, id: NONE })).map(mailIn)
}

export async function findScheduledMail(db: Db, id: number): Promise<ScheduledMail | undefined> {
  const [row] = await db.all(ofUser, { userId: NONE, id })
  return row && mailIn(row)
}

interface TimeRow {
  day: string
  time: string
  to_user_id: number | null
  to_group_id: number | null
  next_at: string
  login: string | null
  name: string | null
}

function mailIn(row: (typeof ofUser)['row']): ScheduledMail {
  const mailed = JSON.parse(row.searches) as {
    search_id: number
    search: string
    title: string
    is_mail_per_bug: Flag
  }[]
  return {
    id: row.id,
    ownerId: row.user_id,
    owner: row.owner,
    subject: row.subject,
    body: row.body,
    isSentEmpty: row.is_sent_empty === 1,
    searches: mailed.map(({ search_id, search, title, is_mail_per_bug }) => ({
      searchId: search_id,
      search,
      title,
      isMailPerBug: is_mail_per_bug === 1,
    })),
    schedules: (JSON.parse(row.times) as TimeRow[]).map(scheduleIn),
  }
}

function scheduleIn({ day, time, to_user_id, to_group_id, next_at, login, name }: TimeRow): MailedSchedule {
  const to =
    to_user_id === null
      ? { groupId: to_group_id ?? NONE, group: name ?? '' }
      : { userId: to_user_id, login: login ?? '' }
  return { day, time, to, nextAt: next_at }
}

export type ScheduledMailEdit = Pick<ScheduledMail, 'subject' | 'body' | 'isSentEmpty' | 'searches' | 'schedules'>

const insert = statement<{
  userId: number
  keyId: number | null
  subject: string
  body: string
  isSentEmpty: Flag
}>()((q, p) =>
  q
    .insertInto('scheduled_mails')
    .values({ user_id: p.userId, subject: p.subject, body: p.body, is_sent_empty: p.isSentEmpty, key_id: p.keyId })
    .returning('id'),
)
const update = statement<{ id: number; subject: string; body: string; isSentEmpty: Flag }>()((q, p) =>
  q
    .updateTable('scheduled_mails')
    .set({ subject: p.subject, body: p.body, is_sent_empty: p.isSentEmpty })
    .where('id', '=', p.id),
)
const setKey = statement<{ id: number; keyId: number }>()((q, p) =>
  q.updateTable('scheduled_mails').set({ key_id: p.keyId }).where('id', '=', p.id),
)
const remove = statement<{ id: number }>()((q, p) => q.deleteFrom('scheduled_mails').where('id', '=', p.id))
const clearSearches = statement<{ id: number }>()((q, p) =>
  q.deleteFrom('scheduled_mail_searches').where('mail_id', '=', p.id),
)
const clearTimes = statement<{ id: number }>()((q, p) =>
  q.deleteFrom('scheduled_mail_times').where('mail_id', '=', p.id),
)
const addSearch = statement<{ mailId: number; searchId: number; title: string; isMailPerBug: Flag }>()((q, p) =>
  q
    .insertInto('scheduled_mail_searches')
    .values({ mail_id: p.mailId, search_id: p.searchId, title: p.title, is_mail_per_bug: p.isMailPerBug }),
)
const addTime = statement<{
  mailId: number
  day: string
  time: string
  userId: number | null
  groupId: number | null
  nextAt: string
}>()((q, p) =>
  q.insertInto('scheduled_mail_times').values({
    mail_id: p.mailId,
    day: p.day,
    time: p.time,
    to_user_id: p.userId,
    to_group_id: p.groupId,
    next_at: p.nextAt,
  }),
)

/** The owner, and the API key in use. */
interface MailMaker {
  id: number
  keyId: number | null
}

export async function insertScheduledMail(
  tx: Db,
  { id: userId, keyId }: MailMaker,
  requested: ScheduledMailEdit,
): Promise<number> {
  const { subject, body, isSentEmpty } = requested
  const row = await tx.first(insert, { userId, keyId, subject, body, isSentEmpty: isSentEmpty ? 1 : 0 })
  await writeParts(tx, row?.id as number, requested)
  return row?.id as number
}

export async function updateScheduledMail(tx: Db, id: number, keyId: number | null, requested: ScheduledMailEdit) {
  const { subject, body, isSentEmpty } = requested
  await tx.all(update, { id, subject, body, isSentEmpty: isSentEmpty ? 1 : 0 })
  if (keyId !== null) await tx.all(setKey, { id, keyId })
  await tx.all(clearSearches, { id })
  await tx.all(clearTimes, { id })
  await writeParts(tx, id, requested)
}

async function writeParts(tx: Db, mailId: number, { searches, schedules }: ScheduledMailEdit) {
  for (const { searchId, title, isMailPerBug } of searches)
    await tx.all(addSearch, { mailId, searchId, title, isMailPerBug: isMailPerBug ? 1 : 0 })
  for (const { day, time, to, nextAt } of schedules) {
    const [userId, groupId] = 'userId' in to ? [to.userId, null] : [null, to.groupId]
    await tx.all(addTime, { mailId, day, time, userId, groupId, nextAt })
  }
}

export async function deleteScheduledMail(tx: Db, id: number) {
  await tx.all(remove, { id })
}

const due = statement<{ now: string; most: number }>()((q, p, d) =>
  q
    .selectFrom('scheduled_mail_times')
    .selectAll()
    .where('next_at', '<=', p.now)
    .orderBy('next_at')
    .limit(p.most)
    .modifyEnd(d.locked()),
)
const postpone = statement<{ id: number; nextAt: string }>()((q, p) =>
  q.updateTable('scheduled_mail_times').set({ next_at: p.nextAt }).where('id', '=', p.id),
)

/** Due schedules, locked until the transaction ends. */
export function lockDueTimes(tx: Db, most: number) {
  return tx.all(due, { now: timeNow(), most })
}

export async function postponeTime(tx: Db, id: number, nextAt: string) {
  await tx.all(postpone, { id, nextAt })
}

const members = statement<{ groups: string }>()((q, p, d) =>
  q
    .selectFrom('user_group_grants')
    .innerJoin('users', 'users.id', 'user_group_grants.user_id')
    .select('users.id')
    .distinct()
    .where('user_group_grants.group_id', 'in', d.integersIn(p.groups))
    .where('user_group_grants.right', '=', 'member')
    .where('users.disabled_text', '=', ''),
)

/** All direct members of any of the groups. */
export async function listMembers(db: Db, groupIds: ReadonlySet<number>): Promise<number[]> {
  return (await db.all(members, { groups: JSON.stringify([...groupIds]) })).map(({ id }) => id)
}
