import { firstStart } from '../src/admin/first-start.ts'
import { buildApp } from '../src/app.ts'
import { assignEventPositions } from '../src/outbound/events/assign-event-positions.ts'
import { assignPositions, newestPosition } from '../src/outbound/events/outbox-store.ts'
import { type Config, WrongSetting } from '../src/platform/config/config.ts'
import type { Db } from '../src/platform/database/db.ts'
import { migrate } from '../src/platform/database/migrations/migrate.ts'
import { openDatabase } from '../src/platform/database/open-database.ts'
import { resetClock, setClock } from './movable-clock.ts'
import { type Person, setUp } from './set-up.ts'
import { Tracker } from './tracker.ts'
import { planYear } from './year.ts'

const YEAR = 365 * 24 * 3_600_000

/** The demo was stopped before it began to serve. */
export class Stopped extends Error {}

/**
 * Fills an empty database with a company and a year of its bugs, through the API of a server in this process, whose
 * clock is moved from step to step. Returns all users except the administrator. No mail is sent about the past.
 */
export async function makePast(config: Config, mustStop: () => boolean): Promise<Person[]> {
  const [to, from] = [Date.now(), Date.now() - YEAR]
  setClock(from)
  // Not synced: a demo that a power cut interrupts is simply created again.
  const db = openDatabase(config.databaseUrl, false, { after: undefined })
  try {
    await migrate(db)
    let isEmpty = false
    await firstStart(db, config, () => {
      isEmpty = true
    })
    if (!isEmpty) throw new WrongSetting('The database is not empty: the demo needs an empty one.')
    const app = buildApp(db, config, silent, (context) => assignEventPositions(context.db, context.log))
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const people = await live(new Tracker(address, config.admin.apiKey ?? ''), config, { from, to }, mustStop)
    await app.close()
    await givePasswords(db)
    await forgetMail(db)
    return people
  } finally {
    await db.close()
    resetClock()
  }
}

async function live(root: Tracker, { admin }: Config, year: { from: number; to: number }, mustStop: () => boolean) {
  const people = await setUp(root, admin.login ?? '')
  const trackers = new Map(people.map(({ login, apiKey }) => [login.split('@')[0], new Tracker(root.address, apiKey)]))
  for (const { at, who, act } of planYear(year.from, year.to)) {
    if (mustStop()) throw new Stopped()
    setClock(at)
    await act(trackers.get(who) as Tracker)
  }
  return people
}

/** All have the password of the administrator. To make a hash of it for each of them through the API takes several seconds. */
async function givePasswords(db: Db) {
  await db.query((q) =>
    q
      .updateTable('users')
      .set(({ selectFrom }) => ({
        password_hash: selectFrom('users as administrator').select('password_hash').where('administrator.id', '=', 1),
      }))
      .where('password_hash', 'is', null),
  )
}

/** Past events are in the feed, but cause no mail. */
async function forgetMail(db: Db) {
  while ((await assignPositions(db)) > 0);
  const position = await newestPosition(db)
  await db.query((q) => q.updateTable('consumers').set({ position }))
  for (const table of ['jobs', 'lanes'] as const) await db.query((q) => q.deleteFrom(table))
}

const silent = { info() {}, error: (event: string, facts?: object) => console.error(event, facts), async flush() {} }
