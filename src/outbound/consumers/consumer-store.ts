import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'

const add = statement<{ name: string; position: number }>()((q, p) =>
  q
    .insertInto('consumers')
    .values({ name: p.name, position: p.position, lease: '', leased_until: '' })
    .onConflict((conflict) => conflict.column('name').doNothing()),
)

/** Who is new begins where the feed ends: nobody wants mail about years ago. */
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

/** How far it has come; undefined while another server is at it. */
export async function findPosition(db: Db, name: string, lease: string): Promise<number | undefined> {
  return (await db.first(find, { name, lease }))?.position
}

const known = statement<{ name: string }>()((q, p) =>
  q.selectFrom('consumers').select('name').where('name', '=', p.name),
)

export async function isKnown(db: Db, name: string): Promise<boolean> {
  return (await db.first(known, { name })) !== undefined
}

/** Longer than a round should take. Until then, after a crash, nobody goes on. */
const LEASE_SECONDS = 15

const lease = statement<{ name: string; lease: string }>()((q, p, d) =>
  q
    .updateTable('consumers')
    .set({ lease: p.lease, leased_until: d.secondsFromNow(LEASE_SECONDS) })
    .where('name', '=', p.name)
    .where((row) => row.or([row('lease', '=', p.lease), row('leased_until', '<', d.now())]))
    .returning('position'),
)

/** Takes it over, or goes on with it. Undefined when another server was quicker. */
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

/** False when another server has taken over in the meantime: what goes with the move must then not be written either. */
export async function moveConsumer(tx: Db, name: string, by: string, from: number, to: number): Promise<boolean> {
  return (await tx.first(move, { name, lease: by, from, to })) !== undefined
}

const aside = statement<{ name: string }>()((q, p) =>
  q
    .updateTable('consumers')
    .set((row) => ({ set_aside: row('set_aside', '+', 1) }))
    .where('name', '=', p.name),
)

/** Counts an event that is left out. */
export async function countSetAside(db: Db, name: string) {
  await db.all(aside, { name })
}

const release = statement<{ name: string; lease: string }>()((q, p) =>
  q
    .updateTable('consumers')
    .set({ lease: '', leased_until: '' })
    .where('name', '=', p.name)
    .where('lease', '=', p.lease),
)

/** Lets another server go on at once. */
export async function releaseConsumer(db: Db, name: string, by: string) {
  await db.all(release, { name, lease: by })
}
