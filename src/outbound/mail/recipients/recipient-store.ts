import { sql } from 'kysely'
import { numberOfReason, type ReasonName } from '../../../../shared/reasons.ts'
import { bugsUnfiltered } from '../../../access/visibility/visible-bugs.ts'
import type { Db } from '../../../platform/database/db.ts'
import type { Builder } from '../../../platform/database/statements/builder.ts'
import { type Placeholders, statement } from '../../../platform/database/statements/statement.ts'
import { statementFamily } from '../../../platform/database/statements/statement-family.ts'
import type { Flag } from '../../../platform/database/tables.ts'
import type { Dialect } from '../../../platform/dialects/dialect.ts'
import { fold } from '../../../platform/text/fold.ts'
import type { EventPeople } from '../../events/event.ts'
import type { Role } from '../preferences/mail-preference.ts'
import type { Place } from './followed-places.ts'

/** A bug whose users may get mail, with a key that identifies it in the result. */
export interface RecipientQuery {
  key: number
  bugId: number
  people: EventPeople
  /** Users, by login, who have just lost a role. */
  lost: readonly { role: Role; login: string }[]
  /** Users, by id, whom the event mentions. */
  mentioned: readonly number[]
  /** It reaches nobody else. */
  isOnlyMention?: true
  /** What it is in or has just left, where that is watched. */
  places: readonly Place[]
}

/** A possible recipient, once for each reason. */
export interface InvolvedRow {
  key: number
  user_id: number
  login: string
  /** The number of the reason; see shared/reasons.ts. */
  reason: number
  watched_login: string | null
  /** Their mail preferences, as JSON text. */
  choices: string
}

/** For whom recipients are looked for: the mail leaves out those who get none at all. */
export type Channel = 'mail' | 'inbox'

/** Whose mail is of interest, when it is not that of all. */
export interface Only {
  userIds: readonly number[]
  /** Who else may have a role because of which it reaches them; without it, anyone. */
  people?: ReadonlySet<number>
}

interface Looked {
  watchingAll: readonly string[]
  channel?: Channel
  only?: Only
}

/**
 * Users whom bugs and their events reach, with the reasons: a role in the bug, a vote for it, one that was just lost, a mention, watching
 * such a user or a place of the bug, or watching all bugs. Users who ignore the bug are left out. Logins that watch all bugs are folded.
 */
export async function listInvolved(
  db: Db,
  subjects: readonly RecipientQuery[],
  { watchingAll, channel = 'mail', only }: Looked,
): Promise<InvolvedRow[]> {
  const parts = subjects.flatMap(partsIn)
  const lost = subjects.flatMap(({ key, bugId, lost }) =>
    lost.map(({ role, login }) => ({ key, bug_id: bugId, reason: numberOfReason(role), login_key: fold(login) })),
  )
  const places = subjects.flatMap(({ key, bugId, places }) => places.map((place) => ({ ...place, key, bug_id: bugId })))
  const { people } = only ?? {}
  return db.all(involved(only !== undefined), {
    subjects: JSON.stringify(
      subjects.flatMap(({ key, bugId, isOnlyMention }) => (isOnlyMention ? [] : [{ key, bug_id: bugId }])),
    ),
    people: JSON.stringify(people === undefined ? parts : parts.filter(({ user_id }) => people.has(user_id))),
    lost: JSON.stringify(lost),
    places: JSON.stringify(places),
    withoutMail: channel === 'mail' ? 0 : 1,
    watchingAll: JSON.stringify(watchingAll),
    only: JSON.stringify(only?.userIds ?? []),
  })
}

function partsIn({ key, bugId, people, mentioned, isOnlyMention }: RecipientQuery) {
  const as = (reason: ReasonName, user_id: number) => ({ key, bug_id: bugId, user_id, reason: numberOfReason(reason) })
  if (isOnlyMention) return mentioned.map((id) => as('mentioned', id))
  return [
    as('assigned_to', people.assignedTo),
    ...(people.qaContact === null ? [] : [as('qa_contact', people.qaContact)]),
    as('reporter', people.creator),
    ...people.cc.map((id) => as('cc', id)),
    ...mentioned.map((id) => as('mentioned', id)),
  ]
}

interface Params {
  subjects: string
  people: string
  lost: string
  places: string
  withoutMail: Flag
  watchingAll: string
  only: string
}

interface RecipientRole {
  key: number
  bug_id: number
  user_id: number
  reason: number
}

const involved = statementFamily(String, (isLimited: boolean) =>
  statement<Params>()((q, p, d) => {
    const ids = { key: 'integer', bug_id: 'integer' } as const
    const subjects = d.recordsIn(p.subjects, ids)
    const people = d.recordsIn(p.people, { ...ids, user_id: 'integer', reason: 'integer' })
    const lost = d.recordsIn(p.lost, { ...ids, login_key: 'text', reason: 'integer' })
    return q
      .with('involved', () =>
        q
          .selectFrom(people.$castTo<RecipientRole>().as('people'))
          .select(['key', 'bug_id', 'user_id', 'reason'])
          .unionAll(
            q
              .selectFrom(lost.$castTo<RecipientRole & { login_key: string }>().as('lost'))
              .innerJoin('users', 'users.login_key', 'lost.login_key')
              .select(['lost.key', 'lost.bug_id', 'users.id as user_id', 'lost.reason']),
          )
          .unionAll(
            q
              .selectFrom(subjects.$castTo<Pick<RecipientRole, 'key' | 'bug_id'>>().as('voted'))
              .innerJoin('bug_votes', 'bug_votes.bug_id', 'voted.bug_id')
              .select(['voted.key', 'voted.bug_id', 'bug_votes.user_id'])
              .select(sql<number>`${sql.lit(numberOfReason('voter'))}`.as('reason')),
          ),
      )
      .with('watching', () => watchersOf(q, p, d, isLimited))
      .with('recipients', (known) =>
        known
          .selectFrom('involved')
          .select(['key', 'bug_id', 'user_id', 'reason', sql<number | null>`null`.as('watched_id')])
          .unionAll(
            known
              .selectFrom('involved')
              .innerJoin('watched_users', 'watched_users.watched_id', 'involved.user_id')
              .where('involved.reason', '<>', sql.lit(numberOfReason('mentioned')))
              .select(['key', 'bug_id', 'watched_users.watcher_id as user_id', 'reason', 'watched_users.watched_id']),
          )
          .unionAll(
            known
              .selectFrom('watching')
              .select(['key', 'bug_id', 'user_id', 'reason', sql<number | null>`null`.as('watched_id')]),
          )
          .unionAll(
            known
              .selectFrom(subjects.$castTo<Pick<RecipientRole, 'key' | 'bug_id'>>().as('subjects'))
              .innerJoin('users', (join) => join.on('users.login_key', 'in', d.textsIn(p.watchingAll)))
              .select(['subjects.key', 'subjects.bug_id', 'users.id as user_id'])
              .select([
                sql<number>`${sql.lit(numberOfReason('global_watcher'))}`.as('reason'),
                sql<number | null>`null`.as('watched_id'),
              ]),
          ),
      )
      .selectFrom('recipients')
      .innerJoin('users', 'users.id', 'recipients.user_id')
      .leftJoin('users as watched', 'watched.id', 'recipients.watched_id')
      .distinct()
      .select([
        'recipients.key',
        'recipients.user_id',
        'users.login',
        'recipients.reason',
        'watched.login as watched_login',
      ])
      .select(d.jsonObjectsOf(CHOICES, ['relationship', 'event', 'is_wanted']).as('choices'))
      .where(
        sql<boolean>`((${p.withoutMail} = 0 and users.email_enabled = 1) or (${p.withoutMail} = 1 and users.disabled_text = ''))`,
      )
      .where(sql<boolean>`not exists (select 1 from ignored_bugs
      where ignored_bugs.bug_id = recipients.bug_id and ignored_bugs.user_id = recipients.user_id)`)
      .$if(isLimited, (rows) => rows.where('recipients.user_id', 'in', d.integersIn(p.only)))
      .orderBy('recipients.key')
      .orderBy('recipients.user_id')
      .orderBy('recipients.reason')
      .orderBy('watched.login')
  }),
)

const PLACE = {
  key: 'integer',
  bug_id: 'integer',
  component_id: 'integer',
  product_id: 'integer',
  keyword_id: 'integer',
} as const

/** The users who watch the places. */
function watchersOf(q: Builder, p: Placeholders<Params>, d: Dialect, isLimited: boolean) {
  const by = (column: keyof Place, reason: ReasonName) =>
    q
      .selectFrom(d.recordsIn(p.places, PLACE).$castTo<Place & { key: number; bug_id: number }>().as('places'))
      .innerJoin('watches', (join) => join.onRef(`watches.${column}`, '=', `places.${column}`))
      .select(['places.key', 'places.bug_id', 'watches.user_id'])
      .select(sql<number>`${sql.lit(numberOfReason(reason))}`.as('reason'))
      .$if(isLimited, (rows) => rows.where('watches.user_id', 'in', d.integersIn(p.only)))
  return by('component_id', 'watched_component')
    .unionAll(by('product_id', 'watched_product'))
    .unionAll(by('keyword_id', 'watched_keyword'))
}

const CHOICES = sql`select relationship, event, is_wanted from mail_choices where mail_choices.user_id = recipients.user_id
  order by relationship, event`

const WHY = 'Mail goes to all users with a role in the bug; what each of them may see is checked before it is sent.'

const peopleOf = statement<{ ids: string }>()((q, p, d) =>
  bugsUnfiltered(q, WHY)
    .select(['bugs.id', 'bugs.assigned_to_id', 'bugs.qa_contact_id', 'bugs.creator_id'])
    .select(
      d.jsonListOf(sql`select user_id as value from bug_cc where bug_cc.bug_id = bugs.id order by user_id`).as('cc'),
    )
    .where('bugs.id', 'in', d.integersIn(p.ids)),
)

/** The users who have a role in the bugs now. */
export async function listPeopleOf(db: Db, bugIds: readonly number[]): Promise<Map<number, EventPeople>> {
  if (bugIds.length === 0) return new Map()
  const rows = await db.all(peopleOf, { ids: JSON.stringify(bugIds) })
  return new Map(
    rows.map((row) => [
      row.id,
      {
        assignedTo: row.assigned_to_id,
        qaContact: row.qa_contact_id,
        creator: row.creator_id,
        cc: JSON.parse(row.cc) as number[],
      },
    ]),
  )
}
