import { type RawBuilder, sql } from 'kysely'
import {
  bugsUnfiltered,
  bugsVisibleTo,
  keyOfRules,
  type ViewerParams,
  type VisibilityRules,
} from '../../access/visibility/visible-bugs.ts'
import { LIST_BITS, type ListOfBug } from '../../platform/database/bug-lists.ts'
import type { Db } from '../../platform/database/db.ts'
import { jsonPortions } from '../../platform/database/statements/json-portions.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { statementFamily } from '../../platform/database/statements/statement-family.ts'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import type { BugRow } from '../bug-store.ts'
import type { CustomItem, CustomValues } from '../custom-values/custom-value.ts'
import type { SeeAlso } from '../links/see-also/see-also-store.ts'
import type { BugUserRow } from '../reading/bug-view.ts'
import type { BugGroup } from '../rights/bug-groups.ts'
import { idsParam, isOneOfIds, type OneOrMany, oneOrMany } from '../values/wanted-bugs.ts'
import { lockBugs } from './lock-bugs.ts'

/** The whole state of a bug before a change, including what the editor may not see. */
export interface BugState extends BugRow {
  product: string
  classification_id: number
  component: string
  version: string
  milestone: string
  creator: string
  assigned_to: string
  qa_contact: string | null
  aliases: readonly string[]
  keywords: readonly BugKeyword[]
  groups: readonly BugGroup[]
  cc: readonly Omit<BugUserRow, 'real_name' | 'nick'>[]
  depends_on: readonly number[]
  blocks: readonly number[]
  see_also: readonly SeeAlso[]
  custom: CustomValues
}

export interface BugKeyword {
  id: number
  name: string
}

const WHY = 'The editor was found to see the bug; the change must keep the parts that they cannot see.'

const states = statement<{ ids: string }>()((q, p, d) =>
  withAllParts(bugsUnfiltered(q, WHY), d).where('bugs.id', 'in', d.integersIn(p.ids)).orderBy('bugs.id'),
)

/** One statement for each combination of the parameters that decide who sees bugs. */
const visibleStates = { one: statesStatements('one'), many: statesStatements('many') }

function statesStatements(many: OneOrMany) {
  return statementFamily(keyOfRules, (rules: VisibilityRules) =>
    statement<ViewerParams & { ids: string }>()((q, p, d) =>
      withAllParts(bugsVisibleTo(q, d, rules, p), d)
        .where(isOneOfIds(d, p.ids, many))
        .orderBy('bugs.id'),
    ),
  )
}

/** Adds all columns and lists of a bug to a query. An empty list is null. */
function withAllParts(bugs: ReturnType<typeof bugsUnfiltered>, d: Dialect) {
  const unlessEmpty = (list: ListOfBug, rows: RawBuilder<string>) =>
    sql<string | null>`case when bugs.lists & ${sql.lit(LIST_BITS[list])} <> 0 then ${rows} end`
  return (
    bugs
      .innerJoin('products', 'products.id', 'bugs.product_id')
      .selectAll('bugs')
      .select(['products.name as product', 'products.classification_id'])
      // No joins: PostgreSQL joins more than eight tables in the written order, and would start by reading every bug.
      .select([
        sql<string>`(select name from components where components.id = bugs.component_id)`.as('component'),
        sql<string>`(select name from versions where versions.id = bugs.version_id)`.as('version'),
        sql<string>`(select name from milestones where milestones.id = bugs.milestone_id)`.as('milestone'),
        sql<string>`(select login from users where users.id = bugs.creator_id)`.as('creator'),
        sql<string>`(select login from users where users.id = bugs.assigned_to_id)`.as('assigned_to'),
        sql<string | null>`(select login from users where users.id = bugs.qa_contact_id)`.as('qa_contact'),
        unlessEmpty(
          'aliases',
          d.jsonListOf(sql`select alias as value from bug_aliases where bug_id = bugs.id order by id`),
        ).as('aliases'),
        unlessEmpty(
          'keywords',
          d.jsonObjectsOf(
            sql`select keywords.id, keywords.name from bug_keywords join keywords on keywords.id = bug_keywords.keyword_id
            where bug_keywords.bug_id = bugs.id order by keywords.name_key`,
            ['id', 'name'],
          ),
        ).as('keywords'),
        unlessEmpty(
          'groups',
          d.jsonObjectsOf(
            sql`select groups.id, groups.name from bug_groups join groups on groups.id = bug_groups.group_id
            where bug_groups.bug_id = bugs.id order by groups.name_key`,
            ['id', 'name'],
          ),
        ).as('groups'),
        d
          .jsonObjectsOf(
            sql`select users.id, users.login from bug_cc join users on users.id = bug_cc.user_id
            where bug_cc.bug_id = bugs.id order by users.login_key`,
            ['id', 'login'],
          )
          .as('cc'),
        unlessEmpty(
          'dependsOn',
          d.jsonListOf(
            sql`select depends_on_id as value from bug_dependencies where blocked_id = bugs.id order by depends_on_id`,
          ),
        ).as('depends_on'),
        unlessEmpty(
          'blocks',
          d.jsonListOf(
            sql`select blocked_id as value from bug_dependencies where depends_on_id = bugs.id order by blocked_id`,
          ),
        ).as('blocks'),
        unlessEmpty(
          'seeAlso',
          d.jsonObjectsOf(
            sql`select url, local_bug_id from bug_see_also where bug_see_also.bug_id = bugs.id order by bug_see_also.id`,
            ['url', 'local_bug_id'],
          ),
        ).as('see_also'),
        unlessEmpty(
          'custom',
          d.jsonObjectsOf(
            sql`select field_id, text_value, number_value from bug_custom_values
            where bug_custom_values.bug_id = bugs.id order by bug_custom_values.id`,
            ['field_id', 'text_value', 'number_value'],
          ),
        ).as('custom'),
      ])
  )
}

/** Locks the bugs until the transaction ends, then reads them, so that the states are current. Ordered by number. */
export async function lockBugStates(tx: Db, ids: readonly number[]): Promise<BugState[]> {
  await lockBugs(tx, ids)
  return (await tx.all(states, { ids: JSON.stringify(ids) })).map(stateFrom)
}

/** The bugs with these ids that the viewer may see. The transaction has locked them already. */
export async function listVisibleStates(
  tx: Db,
  rules: VisibilityRules,
  viewer: ViewerParams,
  ids: readonly number[],
): Promise<BugState[]> {
  const many = oneOrMany(ids)
  const found: BugState[] = []
  for (const portion of many === 'one' ? [idsParam(ids)] : jsonPortions(tx, ids)) {
    const rows = await tx.all(visibleStates[many](rules), { ...viewer, ids: portion })
    for (const row of rows) found.push(stateFrom(row))
  }
  return found
}

type StateRow = (typeof states)['row']

function stateFrom(row: StateRow): BugState {
  return {
    ...row,
    aliases: listIn(row.aliases),
    keywords: listIn(row.keywords),
    groups: listIn(row.groups),
    cc: listIn(row.cc),
    depends_on: listIn(row.depends_on),
    blocks: listIn(row.blocks),
    see_also: listIn(row.see_also),
    custom: Map.groupBy(listIn<CustomItem & { field_id: number }>(row.custom), (item) => item.field_id),
  }
}

function listIn<Item>(json: string | null): Item[] {
  return json === null ? [] : JSON.parse(json)
}
