import { requireOwnRoom } from '../../access/own-limits.ts'
import type { Db } from '../../platform/database/db.ts'
import { onUniqueViolation } from '../../platform/database/on-unique-violation.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { type Dashboard, type DashboardEdit, tilesIn, withQueriesChanged } from './dashboard.ts'

/** A dashboard in a list: its tiles may be long. */
export type ListedDashboard = Omit<Dashboard, 'tiles'>

const LISTED = [
  'dashboards.id',
  'dashboards.name',
  'dashboards.user_id as owner_id',
  'users.login as owner',
  'dashboards.version',
] as const

const ofUser = statement<{ userId: number }>()((q, p) =>
  q
    .selectFrom('dashboards')
    .innerJoin('users', 'users.id', 'dashboards.user_id')
    .select(LISTED)
    .where('dashboards.user_id', '=', p.userId)
    .orderBy('dashboards.name_key'),
)
const sharedWith = statement<{ userId: number; groups: string }>()((q, p, d) =>
  q
    .selectFrom('dashboards')
    .innerJoin('users', 'users.id', 'dashboards.user_id')
    .select(LISTED)
    .where('dashboards.id', 'in', (shared) =>
      shared.selectFrom('dashboard_groups').select('dashboard_id').where('group_id', 'in', d.integersIn(p.groups)),
    )
    .where('dashboards.user_id', '<>', p.userId)
    .orderBy('users.login_key')
    .orderBy('dashboards.name_key'),
)
const byId = statement<{ id: number }>()((q, p) =>
  q
    .selectFrom('dashboards')
    .innerJoin('users', 'users.id', 'dashboards.user_id')
    .select([...LISTED, 'dashboards.tiles'])
    .where('dashboards.id', '=', p.id),
)
const groupsOf = statement<{ ids: string }>()((q, p, d) =>
  q
    .selectFrom('dashboard_groups')
    .select(['dashboard_id', 'group_id'])
    .where('dashboard_id', 'in', d.integersIn(p.ids))
    .orderBy('group_id'),
)

/** The user's own by name, then those that others share with these groups, by owner and name. */
export async function listDashboards(db: Db, userId: number, groups: ReadonlySet<number>): Promise<ListedDashboard[]> {
  const own = await db.all(ofUser, { userId })
  return withGroups(db, [...own, ...(await db.all(sharedWith, { userId, groups: JSON.stringify([...groups]) }))])
}

export async function findDashboard(db: Db, id: number): Promise<Dashboard | undefined> {
  const [found] = await withGroups(db, await db.all(byId, { id }))
  return found && { ...found, tiles: tilesIn(found.tiles) }
}

async function withGroups<Row extends { id: number }>(db: Db, rows: readonly Row[]) {
  const shared = await db.all(groupsOf, { ids: JSON.stringify(rows.map(({ id }) => id)) })
  const groups = Map.groupBy(shared, ({ dashboard_id }) => dashboard_id)
  return rows.map((row) => ({ ...row, groupIds: (groups.get(row.id) ?? []).map(({ group_id }) => group_id) }))
}

const count = statement<{ userId: number }>()((q, p) =>
  q
    .selectFrom('dashboards')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', p.userId),
)

/** Refuses one more dashboard if the account has too many. Call it in a transaction of accounts. */
export async function requireRoomForDashboard(tx: Db, userId: number) {
  requireOwnRoom('dashboards', Number((await tx.first(count, { userId }))?.count ?? 0))
}

interface Row {
  name: string
  key: string
  tiles: string
}

const insert = statement<Row & { userId: number }>()((q, p) =>
  q
    .insertInto('dashboards')
    .values({ user_id: p.userId, name: p.name, name_key: p.key, tiles: p.tiles, version: 1 })
    .returning('id'),
)
const update = statement<Row & { id: number; version: number }>()((q, p) =>
  q
    .updateTable('dashboards')
    .set({ name: p.name, name_key: p.key, tiles: p.tiles, version: p.version })
    .where('id', '=', p.id),
)
const remove = statement<{ id: number }>()((q, p) => q.deleteFrom('dashboards').where('id', '=', p.id))
const unshare = statement<{ id: number }>()((q, p) => q.deleteFrom('dashboard_groups').where('dashboard_id', '=', p.id))
const share = statement<{ id: number; groupId: number }>()((q, p) =>
  q.insertInto('dashboard_groups').values({ dashboard_id: p.id, group_id: p.groupId }),
)

export async function insertDashboard(tx: Db, userId: number, edit: DashboardEdit): Promise<number> {
  return (await onNameTaken(tx, edit, () => tx.first(insert, { ...rowOf(edit), userId })))?.id as number
}

export async function updateDashboard(tx: Db, id: number, edit: DashboardEdit, version: number) {
  await onNameTaken(tx, edit, () => tx.all(update, { ...rowOf(edit), id, version }))
}

export async function shareDashboard(tx: Db, id: number, groupIds: readonly number[]) {
  await tx.all(unshare, { id })
  for (const groupId of groupIds) await tx.all(share, { id, groupId })
}

export async function deleteDashboard(tx: Db, id: number) {
  await tx.all(remove, { id })
}

function rowOf({ name, tiles }: DashboardEdit): Row {
  return { name, key: fold(name), tiles: JSON.stringify(tiles) }
}

function onNameTaken<Result>(tx: Db, { name }: DashboardEdit, write: () => Promise<Result>) {
  return onUniqueViolation(tx, () => errors.name_taken({ what: 'dashboard', name }), write)
}

const nextTiles = statement<{ after: number; most: number }>()((q, p) =>
  q.selectFrom('dashboards').select(['id', 'tiles']).where('id', '>', p.after).orderBy('id').limit(p.most),
)
const updateTiles = statement<{ id: number; tiles: string }>()((q, p) =>
  q
    .updateTable('dashboards')
    .set(({ eb }) => ({ tiles: p.tiles, version: eb('version', '+', 1) }))
    .where('id', '=', p.id),
)
const DASHBOARDS_AT_ONCE = 20

/** Changes the queries of all tiles, such as a value that was renamed. Returns how many dashboards have changed. */
export async function changeTileQueries(tx: Db, changed: (query: string) => string): Promise<number> {
  let sum = 0
  let after = 0
  for (;;) {
    const rows = await tx.all(nextTiles, { after, most: DASHBOARDS_AT_ONCE })
    for (const { id, tiles } of rows) {
      after = id
      const renamed = withQueriesChanged(tiles, changed)
      if (renamed === tiles) continue
      await tx.all(updateTiles, { id, tiles: renamed })
      sum++
    }
    if (rows.length < DASHBOARDS_AT_ONCE) return sum
  }
}
