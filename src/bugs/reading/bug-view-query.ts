import { type RawBuilder, sql } from 'kysely'
import {
  type bugsVisibleTo,
  isNumberShown,
  isVisible,
  type ViewerParams,
  type VisibilityRules,
} from '../../access/visibility/visible-bugs.ts'
import { LIST_BITS, type ListOfBug } from '../../platform/database/bug-lists.ts'
import type { SqlValues } from '../../platform/database/statements/builder.ts'
import type { BugColumn } from '../../platform/database/tables.ts'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import { dictionary } from '../../platform/text/dictionary.ts'
import { FIELD_COLUMNS } from '../bug-columns.ts'
import type { ViewPart } from './bug-fields.ts'
import { listsOf, peopleOnCc } from './bug-view-lists.ts'

/** Whether names are read too, or only the ids by which they are looked up. */
export type IdsOrNames = 'ids' | 'names'

const ALL_COLUMNS = [...FIELD_COLUMNS, 'revision' as const].filter((column) => column !== 'dupe_of_id')

type VisibleBugs = ReturnType<typeof bugsVisibleTo>

/** Adds the requested parts to a query for bugs. */
export function withRequestedParts(
  bugs: VisibleBugs,
  { dialect, rules, viewer }: { dialect: Dialect; rules: VisibilityRules; viewer: SqlValues<ViewerParams> },
  parts: ReadonlySet<ViewPart>,
  naming: IdsOrNames,
  columns: readonly BugColumn[] = ALL_COLUMNS,
) {
  let query = bugs.select(columns.map((column) => `bugs.${column}` as const))
  for (const [part, columns] of Object.entries(naming === 'names' ? NAMES : {})) {
    if (parts.has(part as ViewPart))
      for (const [name, value] of Object.entries(columns)) query = query.select(value.as(name))
  }
  const seen = (alias: string) => isVisible(dialect, rules, viewer, alias)
  const isShown = (number: RawBuilder<unknown>) => isNumberShown(dialect, rules, viewer, number)
  if (parts.has('dupeOf')) {
    query = query.select(
      sql`(select target.id from bugs as target where target.id = bugs.dupe_of_id and ${seen('target')})`.as('dupe_of'),
    )
  }
  for (const { part, name, among, list } of listsOf(dialect, viewer, seen, isShown)) {
    if (parts.has(part)) query = query.select(unlessEmpty(part, among, list).as(name))
  }
  if (parts.has('cc') && naming === 'names') query = query.select(peopleOnCc(dialect).as('cc_people'))
  return query
}

/** Returns null for an empty list, as most are. That costs a fraction of building and sorting an empty one. */
function unlessEmpty(part: ViewPart, among: RawBuilder<unknown> | undefined, list: RawBuilder<string>) {
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
  return { [`${prefix}_login`]: of('login'), [`${prefix}_name`]: of('real_name'), [`${prefix}_nick`]: of('nick') }
}
