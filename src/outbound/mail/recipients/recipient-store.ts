import { sql } from 'kysely'
import { bugsWhoeverAsks } from '../../../access/visible-bugs.ts'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { Flag } from '../../../platform/database/tables.ts'
import { fold } from '../../../platform/fold.ts'
import { ROLES, type Role } from '../preferences/mail-preference.ts'

/** A bug whose people are to be found, under a number by which they are told apart. */
export interface Subject {
  key: number
  bugId: number
  /** Who just had a role, by login, and has it no more. */
  lost: readonly { role: Role; login: string }[]
}

/** Somebody who has to do with a bug, once for each reason. */
export interface InvolvedRow {
  key: number
  user_id: number
  login: string
  /** See ROLES; WATCHES_ALL for those who watch everything. */
  role: number
  watched_login: string | null
  /** What they chose, as JSON text. */
  choices: string
}

export const WATCHES_ALL = 5

/**
 * Who has to do with bugs: assignee, QA contact, reporter and the CC list, whoever just was one of them, those who watch these people,
 * and those who watch everything. Without people who get no mail at all, or want none about that bug.
 */
export function listInvolved(
  db: Db,
  subjects: readonly Subject[],
  usesQaContact: boolean,
  watchingAll: readonly string[],
): Promise<InvolvedRow[]> {
  const lost = subjects.flatMap(({ key, bugId, lost }) =>
    lost.map(({ role, login }) => ({ key, bug_id: bugId, role: ROLES[role], login_key: fold(login) })),
  )
  return db.all(involved, {
    subjects: JSON.stringify(subjects.map(({ key, bugId }) => ({ key, bug_id: bugId }))),
    lost: JSON.stringify(lost),
    usesQaContact: usesQaContact ? 1 : 0,
    watchingAll: JSON.stringify(watchingAll.map(fold)),
  })
}

interface Params {
  subjects: string
  lost: string
  usesQaContact: Flag
  watchingAll: string
}

const WHY = 'Mail goes to whoever has to do with a bug; what each of them may see of it is found out before it is sent.'

const involved = statement<Params>()((q, p, d) => {
  const subjects = sql<{
    key: number
    bug_id: number
  }>`${d.recordsIn(p.subjects, { key: 'integer', bug_id: 'integer' })}`
  const lost = d.recordsIn(p.lost, { key: 'integer', bug_id: 'integer', role: 'integer', login_key: 'text' })
  const bugs = () =>
    bugsWhoeverAsks(q, WHY).innerJoin(subjects.as('subjects'), (join) =>
      join.onRef('subjects.bug_id' as 'bugs.id', '=', 'bugs.id'),
    )
  const withRole = (role: Role, person: 'bugs.assigned_to_id' | 'bugs.qa_contact_id' | 'bugs.creator_id') =>
    bugs().select([
      sql<number>`subjects.key`.as('key'),
      'bugs.id as bug_id',
      sql<number>`${sql.ref(person)}`.as('user_id'),
      sql<number>`${sql.lit(ROLES[role])}`.as('role'),
    ])
  return q
    .with('involved', () =>
      withRole('assigned_to', 'bugs.assigned_to_id')
        .unionAll(
          withRole('qa_contact', 'bugs.qa_contact_id').where(sql<boolean>`cast(${p.usesQaContact} as integer) = 1`),
        )
        .unionAll(withRole('reporter', 'bugs.creator_id'))
        .unionAll(
          q
            .selectFrom(subjects.as('subjects'))
            .innerJoin('bug_cc', (join) => join.on(sql<boolean>`bug_cc.bug_id = subjects.bug_id`))
            .select([
              sql<number>`subjects.key`.as('key'),
              'bug_cc.bug_id',
              'bug_cc.user_id',
              sql<number>`${sql.lit(ROLES.cc)}`.as('role'),
            ]),
        )
        .unionAll(
          q
            .selectFrom('users')
            .innerJoin(sql<object>`${lost}`.as('lost'), (join) =>
              join.on(sql<boolean>`lost.login_key = users.login_key`),
            )
            .select([
              sql<number>`lost.key`.as('key'),
              sql<number>`lost.bug_id`.as('bug_id'),
              'users.id as user_id',
              sql<number>`lost.role`.as('role'),
            ]),
        ),
    )
    .with('told', (known) =>
      known
        .selectFrom('involved')
        .select(['key', 'bug_id', 'user_id', 'role', sql<number | null>`null`.as('watched_id')])
        .where('user_id', 'is not', null)
        .unionAll(
          known
            .selectFrom('involved')
            .innerJoin('watched_users', 'watched_users.watched_id', 'involved.user_id')
            .select(['key', 'bug_id', 'watched_users.watcher_id as user_id', 'role', 'watched_users.watched_id']),
        )
        .unionAll(
          known
            .selectFrom(subjects.as('subjects'))
            .innerJoin('users', (join) => join.on('users.login_key', 'in', d.textsIn(p.watchingAll)))
            .select([
              sql<number>`subjects.key`.as('key'),
              sql<number>`subjects.bug_id`.as('bug_id'),
              'users.id as user_id',
              sql<number>`${sql.lit(WATCHES_ALL)}`.as('role'),
              sql<number | null>`null`.as('watched_id'),
            ]),
        ),
    )
    .selectFrom('told')
    .innerJoin('users', 'users.id', 'told.user_id')
    .leftJoin('users as watched', 'watched.id', 'told.watched_id')
    .distinct()
    .select(['told.key', 'told.user_id', 'users.login', 'told.role', 'watched.login as watched_login'])
    .select(
      d
        .jsonObjectsOf(
          sql`select relationship, event, is_wanted from mail_choices where mail_choices.user_id = told.user_id
            order by relationship, event`,
          ['relationship', 'event', 'is_wanted'],
        )
        .as('choices'),
    )
    .where('users.email_enabled', '=', 1)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('ignored_bugs')
            .select('ignored_bugs.bug_id')
            .whereRef('ignored_bugs.bug_id', '=', 'told.bug_id')
            .whereRef('ignored_bugs.user_id', '=', 'told.user_id'),
        ),
      ),
    )
    .orderBy('told.key')
    .orderBy('told.user_id')
    .orderBy('told.role')
    .orderBy('watched.login')
})
