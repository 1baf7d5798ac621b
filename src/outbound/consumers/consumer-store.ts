import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'

const add = statement<{ name: string; position: number }>()((q, p) =>
  q
    .insertInto('consumers')
    .values({ name: p.name, position: p.position, lease: '', leased_until: '' })
    .onConflict((conflict) => conflict.column('name').doNothing()),
)

/** A new consumer starts at the end of the feed, so that no mail is sent about old events. */
export async function addConsumer(db: Db, name: string, position: number) {
  await db.all(add, { name, position })
}

const find = statement<{ name: string; lease: string }>()((q, p, d) =>
  q
    .selectFrom('consumers')
    .select('position')
    .where('name', '=', p.name)
    .where((row) => row.or([row('lease', '=', p.lease), row('leased_until', '<', d.now())])),
)

/** The position of the consumer; undefined while another server has the lease. */
export async function findPosition(db: Db, name: string, lease: string): Promise<number | undefined> {
  return (await db.first(find, { name, lease }))?.position
}

const known = statement<{ name: string }>()((q, p) =>
  q.selectFrom('consumers').select('name').where('name', '=', p.name),
)

export async function isKnown(db: Db, name: string): Promise<boolean> {
  return (await db.first(known, { name })) !== undefined
}

/** Longer than a round should take. After a crash, other servers wait this long before they take over. */
const LEASE_SECONDS = 15

const lease = statement<{ name: string; lease: string }>()((q, p, d) =>
  q
    .updateTable('consumers')
    .set({ lease: p.lease, leased_until: d.secondsFromNow(LEASE_SECONDS) })
    .where('name', '=', p.name)
    .where((row) => row.or([row('lease', '=', p.lease), row('leased_until', '<', d.now())]))
    .returning('position'),
)

/** Takes or renews the lease. Returns undefined if another server has it. */
export async function leaseConsumer(db: Db, name: string, by: string): Promise<number | undefined> {
  return (await db.first(lease, { name, lease: by }))?.position
}

const move = statement<{ name: string; lease: string; from: number; to: number }>()((q, p, d) =>
  q
    .updateTable('consumers')
    .set({ position: p.to, leased_until: d.secondsFromNow(LEASE_SECONDS) })
    .where('name', '=', p.name)
    .where('lease', '=', p.lease)
    .where('position', '=', p.from)
    .returning('name'),
)

/** Returns false if another server has taken over in the meantime. The caller must then discard the jobs, too. */
export async function moveConsumer(tx: Db, name: string, by: string, from: number, to: number): Promise<boolean> {
  return (await tx.first(move, { name, lease: by, from, to })) !== undefined
}

const incrementSetAside = statement<{ name: string }>()((q, p) =>
  q
    .updateTable('consumers')
    .set((row) => ({ set_aside: row('set_aside', '+', 1) }))
    .where('name', '=', p.name),
)

/** Counts an event that is left out. */
export async function countSetAside(db: Db, name: string) {
  await db.all(incrementSetAside, { name })
}

const release = statement<{ name: string; lease: string }>()((q, p) =>
  q
    .updateTable('consumers')
    .set({ lease: '', leased_until: '' })
    .where('name', '=', p.name)
    .where('lease', '=', p.lease),
)

/** Releases the lease, so that another server can take over at once. */
export async function releaseConsumer(db: Db, name: string, by: string) {
  await db.all(release, { name, lease: by })
}
