import { secondsAgo, timeNow } from '../time/clock.ts'
import type { Db } from './db.ts'
import { addJobs, type NewJob } from './new-jobs.ts'
import { statement } from './statements/statement.ts'

/**
 * After this time without a renewal, the server that began a chore is considered dead, and another one starts it again.
 */
const LEASE_SECONDS = 300

const claim = statement<{ name: string; day: string; now: string; dead: string }>()((q, p) =>
  q
    .insertInto('chores')
    .values({ name: p.name, on_day: p.day, begun_at: p.now, is_done: 0 })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ on_day: p.day, begun_at: p.now, is_done: 0 })
        .where((chore) =>
          chore.or([
            chore('chores.on_day', '<', p.day),
            chore.and([chore('chores.is_done', '=', 0), chore('chores.begun_at', '<', p.dead)]),
          ]),
        ),
    )
    .returning('name'),
)
const renew = statement<{ name: string; now: string }>()((q, p) =>
  q.updateTable('chores').set({ begun_at: p.now }).where('name', '=', p.name),
)
const finish = statement<{ name: string; day: string }>()((q, p) =>
  q.updateTable('chores').set({ is_done: 1 }).where('name', '=', p.name).where('on_day', '=', p.day),
)

/**
 * Does `work` once a day, however many servers there are: the first server to call does it. Long work calls `goesOn`
 * now and then. Interrupted work is started again, so it must be safe to repeat parts of it.
 */
export async function doOncePerDay(
  db: Db,
  name: string,
  day: string,
  work: (goesOn: () => Promise<void>) => Promise<void>,
): Promise<boolean> {
  const dead = secondsAgo(LEASE_SECONDS)
  if ((await db.first(claim, { name, day, now: timeNow(), dead })) === undefined) return false
  await work(async () => void (await db.all(renew, { name, now: timeNow() })))
  await db.all(finish, { name, day })
  return true
}

const doneOn = statement<{ name: string }>()((q, p) =>
  q.selectFrom('chores').select('on_day').where('name', '=', p.name),
)
const claimWhole = statement<{ name: string; day: string; now: string }>()((q, p) =>
  q
    .insertInto('chores')
    .values({ name: p.name, on_day: p.day, begun_at: p.now, is_done: 1 })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ on_day: p.day, begun_at: p.now, is_done: 1 })
        .where('chores.on_day', '<', p.day),
    )
    .returning('name'),
)

/**
 * Adds jobs once a day, however many servers there are: in the transaction that notes the day, so that a kill neither loses them nor
 * adds them twice.
 */
export async function addOncePerDay(db: Db, name: string, day: string, jobsOf: () => Promise<readonly NewJob[]>) {
  if (((await db.first(doneOn, { name }))?.on_day ?? '') >= day) return
  const jobs = await jobsOf()
  await db.transaction(async (tx) => {
    if ((await tx.first(claimWhole, { name, day, now: timeNow() })) !== undefined) await addJobs(tx, jobs)
  })
}

const write = statement<{ name: string; at: string; day: string }>()((q, p) =>
  q
    .insertInto('chores')
    .values({ name: p.name, on_day: p.day, begun_at: p.at, is_done: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ on_day: p.day, begun_at: p.at })),
)

/** Writes a row, to check that writing works. */
export async function writeTestRow(db: Db, at: string) {
  await db.all(write, { name: 'ready', at, day: at.slice(0, 10) })
}

const OVERLOAD = 'overload'

/** Notes that a server of the installation refuses requests because of too much load. */
export async function noteOverload(db: Db, at: string) {
  await db.all(write, { name: OVERLOAD, at, day: at.slice(0, 10) })
}

const begun = statement<{ name: string }>()((q, p) =>
  q.selectFrom('chores').select('begun_at').where('name', '=', p.name),
)

/** When a server last refused requests because of too much load, to the minute; undefined if none ever did. */
export async function findLastOverload(db: Db): Promise<string | undefined> {
  return (await db.first(begun, { name: OVERLOAD }))?.begun_at
}
