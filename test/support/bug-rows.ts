import { fold } from '../../src/platform/text/fold.ts'
import { timeNow } from '../../src/platform/time/clock.ts'
import type { World } from './world.ts'

/** The fields of a bug that a test can set. Others have default values. */
export interface BugRow {
  product: string
  component: string
  version?: string
  milestone?: string
  status?: string
  resolution?: string
  priority?: string
  severity?: string
  op_sys?: string
  platform?: string
  /** Login name. */
  creator?: string
  assigned_to?: string
  qa_contact?: string
  summary?: string
  whiteboard?: string
  groups?: readonly string[]
  keywords?: readonly string[]
  dupe_of?: number
  changed_at?: string
}

/** Inserts a bug into the database directly, without the call. Returns its id. */
export async function insertBug(world: World, row: BugRow): Promise<number> {
  const { db } = world
  const product = await only(
    `the product ${row.product}`,
    db.query((q) => q.selectFrom('products').selectAll().where('name_key', '=', fold(row.product))),
  )
  const named = (table: 'components' | 'versions' | 'milestones', name: string) =>
    only(
      `${name} in ${table} of ${row.product}`,
      db.query((q) =>
        q.selectFrom(table).select('id').where('product_id', '=', product.id).where('name_key', '=', fold(name)),
      ),
    ).then(({ id }) => id)
  const values = {
    status_id: await idOfValue(world, 'bug_status', row.status ?? 'CONFIRMED'),
    resolution_id: await idOfValue(world, 'resolution', row.resolution ?? ''),
    priority_id: await idOfValue(world, 'priority', row.priority ?? '---'),
    severity_id: await idOfValue(world, 'bug_severity', row.severity ?? 'normal'),
    type_id: await idOfValue(world, 'bug_type', 'defect'),
    op_sys_id: await idOfValue(world, 'op_sys', row.op_sys ?? 'All'),
    platform_id: await idOfValue(world, 'rep_platform', row.platform ?? 'All'),
  }
  const places = {
    product_id: product.id,
    component_id: await named('components', row.component),
    version_id: row.version === undefined ? (product.default_version_id ?? 0) : await named('versions', row.version),
    milestone_id:
      row.milestone === undefined ? (product.default_milestone_id ?? 0) : await named('milestones', row.milestone),
  }
  const people = {
    creator_id: await idOfUser(world, row.creator ?? 'rhea@lacewing.test'),
    assigned_to_id: await idOfUser(world, row.assigned_to ?? 'edna@lacewing.test'),
    qa_contact_id: row.qa_contact === undefined ? null : await idOfUser(world, row.qa_contact),
  }
  const changed_at = row.changed_at ?? timeNow()
  const { id } = await only(
    'the new bug',
    db.query((q) =>
      q
        .insertInto('bugs')
        .values({
          ...values,
          ...places,
          ...people,
          summary: row.summary ?? 'Something is wrong',
          url: '',
          whiteboard: row.whiteboard ?? '',
          created_at: changed_at,
          changed_at,
          is_confirmed: 1,
          is_cc_accessible: 1,
          is_creator_accessible: 1,
          dupe_of_id: row.dupe_of ?? null,
          deadline: null,
          estimated_hundredths: 0,
          remaining_hundredths: 0,
        })
        .returning('id'),
    ),
  )
  for (const group of row.groups ?? []) {
    const found = await only(
      `the group ${group}`,
      db.query((q) => q.selectFrom('groups').select('id').where('name_key', '=', fold(group))),
    )
    await db.query((q) => q.insertInto('bug_groups').values({ bug_id: id, group_id: found.id }))
  }
  for (const keyword of row.keywords ?? []) {
    const found = await only(
      `the keyword ${keyword}`,
      db.query((q) => q.selectFrom('keywords').select('id').where('name_key', '=', fold(keyword))),
    )
    await db.query((q) => q.insertInto('bug_keywords').values({ bug_id: id, keyword_id: found.id }))
  }
  return id
}

/** Inserts bugs that differ from one that exists only in their summaries, with one statement. No search for words finds them. */
export async function copyBug({ db }: World, id: number, summaries: readonly string[]) {
  const [row] = await db.query((q) => q.selectFrom('bugs').selectAll().where('id', '=', id))
  if (row === undefined) throw new Error(`There is no bug ${id}`)
  const { id: _, ...same } = row
  await db.query((q) => q.insertInto('bugs').values(summaries.map((summary) => ({ ...same, summary }))))
}

/** Inserts so many bugs with a keyword. Returns their ids. */
export async function insertBugsWithKeyword(world: World, keywordId: number, count: number): Promise<number[]> {
  const first = await insertBug(world, { product: 'TestProduct', component: 'TestComponent' })
  await copyBug(
    world,
    first,
    Array.from({ length: count - 1 }, (_, number) => `Lamp ${number}`),
  )
  const ids = Array.from({ length: count }, (_, number) => first + number)
  const rows = ids.map((bug_id) => ({ bug_id, keyword_id: keywordId }))
  await world.db.query((q) => q.insertInto('bug_keywords').values(rows))
  return ids
}

/** The bug in the database with names, groups and history; undefined if it does not exist. */
export async function readBugRow(world: World, id: number) {
  const { db } = world
  const [bug] = await db.query((q) =>
    q
      .selectFrom('bugs')
      .innerJoin('products', 'products.id', 'bugs.product_id')
      .innerJoin('components', 'components.id', 'bugs.component_id')
      .innerJoin('versions', 'versions.id', 'bugs.version_id')
      .innerJoin('milestones', 'milestones.id', 'bugs.milestone_id')
      .select([
        'bugs.id',
        'bugs.changed_at',
        'bugs.dupe_of_id',
        'products.name as product',
        'components.name as component',
        'versions.name as version',
        'milestones.name as milestone',
      ])
      .where('bugs.id', '=', id),
  )
  if (!bug) return undefined
  const groups = await db.query((q) =>
    q
      .selectFrom('bug_groups')
      .innerJoin('groups', 'groups.id', 'bug_groups.group_id')
      .select('groups.name')
      .where('bug_id', '=', id)
      .orderBy('groups.name'),
  )
  const history = await db.query((q) =>
    q
      .selectFrom('bug_changes')
      .innerJoin('users', 'users.id', 'bug_changes.user_id')
      .select(['users.login as who', 'bug_changes.at', 'field', 'removed', 'added'])
      .where('bug_id', '=', id)
      .orderBy('bug_changes.id'),
  )
  return { ...bug, groups: groups.map(({ name }) => name), history }
}

/** The same for a bug that must exist. */
export async function getBugRow(world: World, id: number) {
  const bug = await readBugRow(world, id)
  if (!bug) throw new Error(`Bug ${id} is gone`)
  return bug
}

async function idOfValue(world: World, field: string, name: string): Promise<number> {
  const found = await only(
    `${field} ${name}`,
    world.db.query((q) =>
      q
        .selectFrom('field_values')
        .innerJoin('fields', 'fields.id', 'field_values.field_id')
        .select('field_values.id')
        .where('fields.name', '=', field)
        .where('field_values.name_key', '=', fold(name)),
    ),
  )
  return found.id
}

async function idOfUser(world: World, login: string): Promise<number> {
  const found = await only(
    `the user ${login}`,
    world.db.query((q) => q.selectFrom('users').select('id').where('login_key', '=', fold(login))),
  )
  return found.id
}

async function only<Row>(what: string, rows: Promise<Row[]>): Promise<Row> {
  const [row] = await rows
  if (row === undefined) throw new Error(`There is not ${what}`)
  return row
}
