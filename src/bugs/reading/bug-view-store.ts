import { type RawBuilder, sql } from 'kysely'
import type { CataloguePart } from '../../access/installation.ts'
import {
  bugsVisibleTo,
  isVisible,
  keyOfRules,
  type ViewerParams,
  type VisibilityRules,
} from '../../access/visibility/visible-bugs.ts'
import { FIELD_TYPE } from '../../catalogue/fields/field.ts'
import { LIST_BITS, type ListOfBug } from '../../platform/database/bug-lists.ts'
import type { Db } from '../../platform/database/db.ts'
import type { SqlValues } from '../../platform/database/statements/builder.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { statementFamily } from '../../platform/database/statements/statement-cache.ts'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import { dictionary } from '../../platform/text/dictionary.ts'
import { BugNames, namesWanted } from '../values/bug-names.ts'
import type { Part } from './bug-fields.ts'
import type { BugRowRead, BugView, NameRow } from './bug-view.ts'

/** A read of bugs: who reads them, and which parts. */
export interface BugQuery {
  db: Db
  rules: VisibilityRules
  viewer: ViewerParams
  parts: ReadonlySet<Part>
  state: BugReadState
}

/** What is kept from one read of bugs to the next. */
export interface BugReadState {
  readonly names: BugNames
  /** Bugs that are about to be read. There are as many batches as there are users who read in the same moment. */
  readonly batches: BugBatch[]
}

/** The names stay true until the catalogue changes, or a user is renamed. */
export const keptReadState: CataloguePart<BugReadState> = { read: async () => newReadState() }

export function newReadState(): BugReadState {
  return { names: new BugNames(), batches: [] }
}

/**
 * Reads bugs with one query that selects only the requested parts. A bug that the viewer may not see is left out, also from the lists
 * of other bugs. If a name is not in the cache yet, the bugs are read a second time, with the names.
 */
export async function listBugViews(query: BugQuery, ids: readonly number[]): Promise<BugView[]> {
  const { db, viewer, parts } = query
  const { names } = query.state
  const params = { ...viewer, ids: JSON.stringify(ids) }
  if (!names.isEmpty) {
    const rows = await db.all(viewWithIds(query), params)
    if (rows.every((row) => addNames(row, query))) return rows as BugView[]
  }
  const rows = await db.all(viewWithNames(query), params)
  names.learn(rows)
  if (!rows.every((row) => addNames(row, query))) throw new Error(`Names are missing of ${[...parts]}`)
  return rows as BugView[]
}

/**
 * Reads one bug. On SQLite, bugs that one viewer requests at the same moment are read with one statement, which takes a third less
 * time than one statement each.
 */
export function findBugView(query: BugQuery, id: number): Promise<BugView | undefined> {
  const { db } = query
  // Without freshness (PostgreSQL, several processes) a statement takes a round trip, and no request should wait for another's.
  if (db.freshness() === undefined) return findOne(query, id)
  const batch = batchFor(query)
  batch.ids.push(id)
  batch.views ??= Promise.resolve().then(() => readBatch(batch))
  return batch.views.then((views) => views.get(id))
}

async function readBatch(batch: BugBatch): Promise<ReadonlyMap<number, BugView>> {
  const { query, ids } = batch
  const { batches } = query.state
  batches.splice(batches.indexOf(batch), 1)
  const [only] = ids
  const views = new Map<number, BugView>()
  if (ids.length > 1) for (const view of await listBugViews(query, ids)) views.set(view.id, view)
  else if (only !== undefined) {
    const view = await findOne(query, only)
    if (view !== undefined) views.set(only, view)
  }
  return views
}

async function findOne(query: BugQuery, id: number): Promise<BugView | undefined> {
  if (query.state.names.isEmpty) return (await listBugViews(query, [id]))[0]
  const row = await query.db.first(oneView(query), { ...query.viewer, id })
  if (row === undefined || addNames(row, query)) return row as BugView | undefined
  return (await listBugViews(query, [id]))[0]
}

/** Adds the names to a row. Returns false if one of them is not in the cache. */
function addNames(row: BugRowRead, { state: { names }, parts }: BugQuery): row is BugView {
  const named = names.of(row, namesWanted(parts))
  if (named === undefined) return false
  ;(row as BugView).named = named
  return true
}

/** Bugs that are read with one statement. */
interface BugBatch {
  readonly query: BugQuery
  readonly ids: number[]
  views: Promise<ReadonlyMap<number, BugView>> | undefined
}

function batchFor(query: BugQuery): BugBatch {
  const { batches } = query.state
  const known = batches.find((batch) => isSameQuery(batch.query, query))
  if (known !== undefined) return known
  const batch = { query, ids: [], views: undefined }
  batches.push(batch)
  return batch
}

function isSameQuery(one: BugQuery, other: BugQuery) {
  return (
    one.db === other.db &&
    one.parts === other.parts &&
    one.viewer.viewerId === other.viewer.viewerId &&
    one.viewer.viewerGroups === other.viewer.viewerGroups &&
    one.rules.or_groups === other.rules.or_groups &&
    one.rules.useqacontact === other.rules.useqacontact
  )
}

/** Whether names are read too, or only the ids by which they are looked up. */
type Naming = 'ids' | 'names'

const viewWithIds = statementFamily(keyOf, (query) => viewStatement(query, 'ids'))
const viewWithNames = statementFamily(keyOf, (query) => viewStatement(query, 'names'))

function viewStatement({ rules, parts }: BugQuery, naming: Naming) {
  return statement<ViewerParams & { ids: string }>()((q, p, d) =>
    view(bugsVisibleTo(q, d, rules, p), d, rules, p, parts, naming)
      .where('bugs.id', 'in', d.integersIn(p.ids))
      .$castTo<BugRowRead & NameRow>(),
  )
}

const oneView = statementFamily(keyOf, ({ rules, parts }) =>
  statement<ViewerParams & { id: number }>()((q, p, d) =>
    view(bugsVisibleTo(q, d, rules, p), d, rules, p, parts, 'ids')
      .where('bugs.id', '=', p.id)
      .$castTo<BugRowRead>(),
  ),
)

function keyOf({ rules, parts }: BugQuery) {
  return `${keyOfRules(rules)} ${nameOf(parts)}`
}

const names = new WeakMap<ReadonlySet<Part>, string>()

function nameOf(parts: ReadonlySet<Part>) {
  const name = names.get(parts) ?? [...parts].sort().join()
  names.set(parts, name)
  return name
}

const COLUMNS = [
  'bugs.id',
  'bugs.product_id',
  'bugs.component_id',
  'bugs.version_id',
  'bugs.milestone_id',
  'bugs.status_id',
  'bugs.resolution_id',
  'bugs.priority_id',
  'bugs.severity_id',
  'bugs.op_sys_id',
  'bugs.platform_id',
  'bugs.creator_id',
  'bugs.assigned_to_id',
  'bugs.qa_contact_id',
  'bugs.summary',
  'bugs.url',
  'bugs.whiteboard',
  'bugs.created_at',
  'bugs.changed_at',
  'bugs.revision',
  'bugs.is_confirmed',
  'bugs.is_cc_accessible',
  'bugs.is_creator_accessible',
  'bugs.deadline',
  'bugs.estimated_hundredths',
  'bugs.remaining_hundredths',
  'bugs.actual_hundredths',
] as const

type VisibleBugs = ReturnType<typeof bugsVisibleTo>

/** Adds the requested parts to a query for bugs. */
function view(
  bugs: VisibleBugs,
  dialect: Dialect,
  rules: VisibilityRules,
  viewer: SqlValues<ViewerParams>,
  parts: ReadonlySet<Part>,
  naming: Naming,
) {
  let query = bugs.select(COLUMNS)
  for (const [part, columns] of Object.entries(naming === 'names' ? NAMES : {})) {
    if (parts.has(part as Part))
      for (const [name, value] of Object.entries(columns)) query = query.select(value.as(name))
  }
  const seen = (alias: string) => isVisible(dialect, rules, viewer, alias)
  if (parts.has('dupeOf')) {
    query = query.select(
      sql`(select target.id from bugs as target where target.id = bugs.dupe_of_id and ${seen('target')})`.as('dupe_of'),
    )
  }
  for (const { part, name, among, list } of lists(dialect, viewer, seen)) {
    if (parts.has(part)) query = query.select(unlessEmpty(part, among, list).as(name))
  }
  if (parts.has('cc') && naming === 'names') query = query.select(peopleOnCc(dialect).as('cc_people'))
  return query
}

/** Returns null for an empty list, as most are. That costs a fraction of building and sorting an empty one. */
function unlessEmpty(part: Part, among: RawBuilder<unknown> | undefined, list: RawBuilder<string>) {
  if (among !== undefined) return sql<string | null>`case when exists (select 1 from ${among}) then ${list} end`
  const bit = Object.hasOwn(LIST_BITS, part) ? LIST_BITS[part as ListOfBug] : undefined
  if (bit === undefined) return list
  return sql<string | null>`case when bugs.lists & ${sql.lit(bit)} <> 0 then ${list} end`
}

/** Names of the products, users and so on of a bug. Scalar subqueries by primary key are as fast as joins on both engines. */
const NAMES: Readonly<Record<string, Readonly<Record<string, RawBuilder<unknown>>>>> = dictionary({
  product: { product: sql`(select name from products where products.id = bugs.product_id)` },
  classification: {
    classification: sql`(select classifications.name from products join classifications on classifications.id = products.classification_id
      where products.id = bugs.product_id)`,
  },
  component: { component: sql`(select name from components where components.id = bugs.component_id)` },
  version: { version: sql`(select name from versions where versions.id = bugs.version_id)` },
  milestone: { milestone: sql`(select name from milestones where milestones.id = bugs.milestone_id)` },
  creator: person('creator', 'creator_id'),
  assignee: person('assignee', 'assigned_to_id'),
  qaContact: person('qa_contact', 'qa_contact_id'),
})

function person(prefix: string, column: string) {
  const of = (what: string) => sql`(select ${sql.ref(what)} from users where users.id = ${sql.ref(`bugs.${column}`)})`
  return { [`${prefix}_login`]: of('login'), [`${prefix}_name`]: of('real_name') }
}

interface List {
  part: Part
  name: string
  /** The rows that could be in the list, for lists that are usually empty and that have no bit in bugs.lists. */
  among?: RawBuilder<unknown>
  list: RawBuilder<string>
}

function lists(
  d: Dialect,
  viewer: SqlValues<ViewerParams>,
  seen: (alias: string) => RawBuilder<boolean>,
): readonly List[] {
  return [
    {
      part: 'aliases',
      name: 'aliases',
      list: d.jsonListOf(sql`select alias as value from bug_aliases where bug_id = bugs.id order by bug_aliases.id`),
    },
    {
      part: 'keywords',
      name: 'keywords',
      list: d.jsonListOf(sql`select keywords.name as value from bug_keywords join keywords on keywords.id = bug_keywords.keyword_id
        where bug_keywords.bug_id = bugs.id order by keywords.name_key`),
    },
    {
      part: 'groups',
      name: 'groups',
      list: d.jsonListOf(sql`select groups.name as value from bug_groups join groups on groups.id = bug_groups.group_id
        where bug_groups.bug_id = bugs.id order by groups.name_key`),
    },
    {
      part: 'dependsOn',
      name: 'depends_on',
      list: d.jsonListOf(sql`select other.id as value from bug_dependencies join bugs as other on other.id = bug_dependencies.depends_on_id
        where bug_dependencies.blocked_id = bugs.id and ${seen('other')} order by bug_dependencies.depends_on_id`),
    },
    {
      part: 'blocks',
      name: 'blocks',
      list: d.jsonListOf(sql`select other.id as value from bug_dependencies join bugs as other on other.id = bug_dependencies.blocked_id
        where bug_dependencies.depends_on_id = bugs.id and ${seen('other')} order by bug_dependencies.blocked_id`),
    },
    {
      part: 'duplicates',
      name: 'duplicates',
      among: sql`bugs as other where other.dupe_of_id = bugs.id`,
      list: d.jsonListOf(
        sql`select other.id as value from bugs as other where other.dupe_of_id = bugs.id and ${seen('other')} order by other.id`,
      ),
    },
    {
      part: 'seeAlso',
      name: 'see_also',
      list: d.jsonListOf(sql`select bug_see_also.url as value from bug_see_also
        left join bugs as other on other.id = bug_see_also.local_bug_id
        where bug_see_also.bug_id = bugs.id and (bug_see_also.local_bug_id is null or ${seen('other')}) order by bug_see_also.id`),
    },
    {
      part: 'tags',
      name: 'tags',
      among: sql`bug_tags where bug_tags.bug_id = bugs.id`,
      list: d.jsonListOf(
        sql`select tag as value from bug_tags where bug_tags.bug_id = bugs.id and bug_tags.user_id = ${viewer.viewerId} order by tag`,
      ),
    },
    {
      part: 'cc',
      name: 'cc',
      list: d.jsonListOf(sql`select user_id as value from bug_cc where bug_cc.bug_id = bugs.id`),
    },
    {
      part: 'flags',
      name: 'flags',
      list: d.jsonObjectsOf(
        sql`select flags.id, flag_types.name, flags.type_id, flags.status, setter.login as setter, requestee.login as requestee,
            flags.created_at, flags.modified_at
          from flags join flag_types on flag_types.id = flags.type_id join users as setter on setter.id = flags.setter_id
          left join users as requestee on requestee.id = flags.requestee_id
          where flags.bug_id = bugs.id and flags.attachment_id is null order by flag_types.sort_key, flag_types.name_key, flags.id`,
        ['id', 'name', 'type_id', 'status', 'setter', 'requestee', 'created_at', 'modified_at'],
      ),
    },
    {
      part: 'custom',
      name: 'custom',
      list: d.jsonObjectsOf(
        sql`select field_id, text_value, case
            when (select fields.type from fields where fields.id = bug_custom_values.field_id) <> ${sql.lit(FIELD_TYPE.bugId)}
              or exists (select 1 from bugs as other where other.id = bug_custom_values.number_value and ${seen('other')})
            then number_value end as number_value
          from bug_custom_values where bug_custom_values.bug_id = bugs.id order by bug_custom_values.id`,
        ['field_id', 'text_value', 'number_value'],
      ),
    },
  ]
}

function peopleOnCc(d: Dialect) {
  const people = sql`select users.id, users.login, users.real_name from bug_cc join users on users.id = bug_cc.user_id
    where bug_cc.bug_id = bugs.id`
  return d.jsonObjectsOf(people, ['id', 'login', 'real_name'])
}
