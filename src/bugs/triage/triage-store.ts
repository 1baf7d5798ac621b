import { sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { bugsUnfiltered, bugsVisibleTo, viewerOf } from '../../access/visibility/visible-bugs.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { BugTransaction, Db, LimitedDb } from '../../platform/database/db.ts'
import { ALL_ROWS } from '../../platform/database/statements/all-rows.ts'
import { statement } from '../../platform/database/statements/statement.ts'

export type DecisionKind = 'accepted' | 'asked' | 'duplicate' | 'declined' | 'snoozed'
export const DECISIONS: readonly DecisionKind[] = ['accepted', 'asked', 'duplicate', 'declined', 'snoozed']

export const MOST_DECISIONS = 10_000
export const MOST_SNOOZES = 500
const MOST_SETTLED = 1000

export interface Decision {
  id: number
  bug_id: number
  user_id: number
  login: string
  real_name: string
  kind: string
  at: string
  waited: number
  until: string | null
}

const PERSON = ['users.login', 'users.real_name'] as const

const snoozes = statement<{ queue: number; now: string }>()((q, p) =>
  q
    .selectFrom('triage_snoozes')
    .innerJoin('users', 'users.id', 'triage_snoozes.user_id')
    .select(['triage_snoozes.bug_id', 'triage_snoozes.user_id', 'triage_snoozes.until', ...PERSON])
    .where('queue_id', '=', p.queue)
    .where('until', '>', p.now)
    .orderBy('until'),
)
const snooze = statement<{ queue: number; bug: number; user: number; until: string }>()((q, p) =>
  q
    .insertInto('triage_snoozes')
    .values({ queue_id: p.queue, bug_id: p.bug, user_id: p.user, until: p.until })
    .onConflict((conflict) =>
      conflict.columns(['queue_id', 'bug_id']).doUpdateSet({ user_id: p.user, until: p.until }),
    ),
)
const wake = statement<{ queue: number; bug: number }>()((q, p) =>
  q.deleteFrom('triage_snoozes').where('queue_id', '=', p.queue).where('bug_id', '=', p.bug),
)
const wakeOver = statement<{ queue: number; now: string }>()((q, p) =>
  q.deleteFrom('triage_snoozes').where('queue_id', '=', p.queue).where('until', '<=', p.now),
)

/** The bugs that wait until a later time, the next one first. */
export function listSnoozes(db: Db, queue: number, now: string) {
  return db.all(snoozes, { queue, now })
}

export async function saveSnooze(
  tx: BugTransaction,
  it: { queue: number; bug: number; user: number; until: string; now: string },
) {
  await tx.all(wakeOver, it)
  await tx.all(snooze, it)
}

export async function endSnooze(tx: BugTransaction, queue: number, bug: number) {
  await tx.all(wake, { queue, bug })
}

const lastDecision = statement<{ queue: number; bug: number }>()((q, p) =>
  q
    .selectFrom('triage_decisions')
    .select(['at', 'until'])
    .where('queue_id', '=', p.queue)
    .where('bug_id', '=', p.bug)
    .orderBy('id', 'desc')
    .limit(1),
)
const filed = statement<{ bug: number }>()((q, p) => q.selectFrom('bugs').select('created_at').where('id', '=', p.bug))

/** Since when the bug waits: since it was filed, or came back after the last decision about it. */
export async function waitingSince(tx: Db, queue: number, bug: number): Promise<string> {
  const before = await tx.first(lastDecision, { queue, bug })
  return before?.until ?? before?.at ?? (await tx.first(filed, { bug }))?.created_at ?? ''
}

interface NewDecision {
  queue: number
  bug: number
  user: number
  kind: DecisionKind
  at: string
  waited: number
  until: string | null
}

const insert = statement<NewDecision>()((q, p) =>
  q
    .insertInto('triage_decisions')
    .values({
      queue_id: p.queue,
      bug_id: p.bug,
      user_id: p.user,
      kind: p.kind,
      at: p.at,
      waited: p.waited,
      until: p.until,
    })
    .returning('id'),
)
const forget = statement<{ queue: number; most: number; all: number }>()((q, p) =>
  q
    .deleteFrom('triage_decisions')
    .where('id', 'in', (older) =>
      older
        .selectFrom('triage_decisions')
        .select('id')
        .where('queue_id', '=', p.queue)
        .orderBy('id', 'desc')
        .limit(p.all)
        .offset(p.most),
    ),
)
const own = statement<{ queue: number; id: number; user: number; since: string }>()((q, p) =>
  q
    .deleteFrom('triage_decisions')
    .where('queue_id', '=', p.queue)
    .where('id', '=', p.id)
    .where('user_id', '=', p.user)
    .where('at', '>=', p.since)
    .returning(['id', 'bug_id', 'kind']),
)

/** Records the decision. Those before the last ones of the queue are forgotten. */
export async function insertDecision(tx: BugTransaction, decision: NewDecision): Promise<number> {
  const id = (await tx.first(insert, decision))?.id as number
  await tx.all(forget, { queue: decision.queue, most: MOST_DECISIONS, all: ALL_ROWS })
  return id
}

const settled = statement<{ queue: number; most: number }>()((q, p) =>
  q
    .selectFrom('triage_decisions')
    .innerJoin(
      bugsUnfiltered(q, 'Only their numbers are left out of a search with the rights of its reader.')
        .select(['bugs.id', 'bugs.changed_at'])
        .as('decided'),
      'decided.id',
      'triage_decisions.bug_id',
    )
    .select('triage_decisions.bug_id')
    .where('triage_decisions.queue_id', '=', p.queue)
    .where('triage_decisions.kind', '<>', 'snoozed')
    .whereRef('triage_decisions.at', '>=', 'decided.changed_at')
    .orderBy('triage_decisions.id', 'desc')
    .limit(p.most),
)

/** The bugs that have not changed since something was decided about them, the last ones. */
export async function listSettled(db: Db, queue: number): Promise<number[]> {
  return (await db.all(settled, { queue, most: MOST_SETTLED })).map(({ bug_id }) => bug_id)
}

/** Returns it if it was a decision of that user since that time. */
export function deleteOwnDecision(tx: BugTransaction, it: { queue: number; id: number; user: number; since: string }) {
  return tx.first(own, it)
}

/** The decisions since that time about bugs that the reader may see, the newest first. */
export function readDecisions(
  db: LimitedDb,
  { caller, settings }: { caller: Caller; settings: Settings },
  queue: number,
  since: string,
  most: number,
): Promise<(Decision & { created_at: string })[]> {
  return db.querySlowly((q, d) =>
    bugsVisibleTo(q, d, settings, viewerOf(caller))
      .innerJoin('triage_decisions', 'triage_decisions.bug_id', 'bugs.id')
      .innerJoin('users', 'users.id', 'triage_decisions.user_id')
      .select([
        'triage_decisions.id',
        'triage_decisions.bug_id',
        'triage_decisions.user_id',
        'triage_decisions.kind',
        'triage_decisions.at',
        'triage_decisions.waited',
        'triage_decisions.until',
        'bugs.created_at',
        ...PERSON,
      ])
      .where('triage_decisions.queue_id', '=', queue)
      .where('triage_decisions.at', '>=', since)
      .orderBy('triage_decisions.id', 'desc')
      .limit(most),
  )
}

/** Whether a bug has no decision in the queue since that time. */
export function isUndecided(queue: number, since: string) {
  return sql<boolean>`not exists (select 1 from triage_decisions where triage_decisions.bug_id = bugs.id
    and triage_decisions.queue_id = ${queue} and triage_decisions.at >= ${since})`
}
