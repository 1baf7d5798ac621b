import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { changeBug } from './change-bug.ts'
import { fileBug } from './file-bug.ts'
import type { World } from './world.ts'

/** Those in which a job means that mail is being made or sent. */
const QUEUES = ['mail', 'account mail', 'bulk mail', 'bulk recipients']

/** Waits until no mail is left to send, except undeliverable mail. Enough after a change that makes no event. */
export async function mailSent(world: World, milliseconds = 90_000) {
  const ends = Date.now() + milliseconds
  for (;;) {
    const waiting = await world.db.query((q) =>
      q.selectFrom('jobs').select('id').where('queue', 'in', QUEUES).where('died_at', 'is', null),
    )
    if (waiting.length === 0) return
    if (Date.now() > ends) throw new Error(`Mail is still waiting: ${waiting.length} jobs`)
    await wait(20)
  }
}

const sentinels = new WeakMap<World, number>()

/** Waits until all events up to now are delivered or given up. */
export async function mailSettled(world: World, milliseconds = 90_000) {
  const bug =
    sentinels.get(world) ?? (await fileBug(world.ada, { summary: 'sentinel', assigned_to: 'uma@lacewing.test' }))
  sentinels.set(world, bug)
  await changeBug(world.ada, bug, { comment: { body: 'the last of all' } })
  const [last] = await world.db.query((q) => q.selectFrom('outbox').select(sql<number>`max(id)`.as('id')))
  const ends = Date.now() + milliseconds
  for (;;) {
    const [place] = await world.db.query((q) => q.selectFrom('consumers').select('position').where('name', '=', 'mail'))
    const waiting = await world.db.query((q) =>
      q.selectFrom('jobs').select('id').where('queue', 'in', QUEUES).where('died_at', 'is', null),
    )
    const [newest] = await world.db.query((q) =>
      q
        .selectFrom('outbox')
        .select(sql<number | null>`coalesce(position, id)`.as('position'))
        .where('id', '=', last?.id ?? 0),
    )
    const isPlanned = newest?.position != null && (place?.position ?? 0) >= newest.position
    if (isPlanned && waiting.length === 0) return
    if (Date.now() > ends) throw new Error(`Mail is still waiting: ${waiting.length} jobs, planned: ${isPlanned}`)
    await wait(20)
  }
}
