import { sql } from 'kysely'
import { bugsUnfiltered } from '../../access/visibility/visible-bugs.ts'
import { VALUE_COLUMNS } from '../../catalogue/fields/field.ts'
import { readFieldDefinitions } from '../../catalogue/fields/field-store.ts'
import { getSelect, getValue } from '../../catalogue/fields/values/value-edit.ts'
import { getKeyword } from '../../catalogue/keywords/keyword-store.ts'
import type { AuditedClass } from '../../changes/audit.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Builder, Compilable } from '../../platform/database/statements/builder.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { BugColumn } from '../../platform/database/tables.ts'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { countBugsByValue } from './count-custom-values.ts'
import type { RequestedChange } from './requested-changes.ts'

/** `ids` is a JSON list. Objects that no bug has are left out. */
type CountBugs = (q: Builder, d: Dialect, ids: string) => Compilable<{ id: number; bugs: number }>

/** How many bugs have an object of a class as a value, a flag or a restriction. */
const COUNTS = new Map<string, CountBugs>(
  Object.entries({
    Product: bugsWhere('product_id'),
    Component: bugsWhere('component_id'),
    Version: bugsWhere('version_id'),
    Milestone: bugsWhere('milestone_id'),
    Keyword: (q, d, ids) =>
      q
        .selectFrom('bug_keywords')
        .select(['keyword_id as id', distinctBugs])
        .where('keyword_id', 'in', d.integersIn(ids))
        .groupBy('keyword_id'),
    Group: (q, d, ids) =>
      q
        .selectFrom('bug_groups')
        .select(['group_id as id', distinctBugs])
        .where('group_id', 'in', d.integersIn(ids))
        .groupBy('group_id'),
    FlagType: (q, d, ids) =>
      q
        .selectFrom('flags')
        .select(['type_id as id', distinctBugs])
        .where('type_id', 'in', d.integersIn(ids))
        .groupBy('type_id'),
  } satisfies Partial<Record<AuditedClass, CountBugs>>),
)

const fieldOfValue = statement<{ id: number }>()((q, p) =>
  q
    .selectFrom('field_values')
    .innerJoin('fields', 'fields.id', 'field_values.field_id')
    .select(['fields.id', 'fields.name'])
    .where('field_values.id', '=', p.id),
)

/**
 * How many bugs have each of these objects of a class; undefined for what no bug has, such as a parameter. Fields and their values are
 * counted one by one, others with one query: a copied product has thousands of components.
 */
export async function countBugsWithEach(
  db: Db,
  className: string,
  ids: readonly number[],
): Promise<Map<number, number | undefined>> {
  const count = COUNTS.get(className)
  if (count !== undefined) {
    const rows = await db.query((q, d) => count(q, d, JSON.stringify(ids)))
    const found = new Map(rows.map(({ id, bugs }) => [id, Number(bugs)]))
    return new Map(ids.map((id) => [id, found.get(id) ?? 0]))
  }
  const counts = new Map<number, number | undefined>()
  for (const id of ids) counts.set(id, await countBugsOfField(db, className, id))
  return counts
}

async function countBugsOfField(db: Db, className: string, id: number) {
  if (className === 'Field') return countBugsByValue(db, { fieldId: id })
  const count = className === 'FieldValue' ? await countOfValue(db, id) : undefined
  if (count === undefined) return undefined
  const [found] = await db.query((q, d) => count(q, d, JSON.stringify([id])))
  return Number(found?.bugs ?? 0)
}

/** Of deleted objects that bugs lose with them, or that another one replaces. All others are refused while bugs have them. */
export async function countUsesBeforeRemoval(
  db: Db,
  { call: { method, resource }, path: { ref = '', field = '', value }, rawParams }: RequestedChange,
) {
  if (method !== 'DELETE') return undefined
  const isMerged = value !== undefined && rawParams.replace_with !== undefined
  const found = isMerged
    ? await valueToReplace(db, field, value)
    : resource === 'keyword'
      ? await keywordToRemove(db, ref)
      : flagTypeToRemove(resource, ref)
  if (found === undefined) return undefined
  const { className, id } = found
  return { className, id, bugs: (await countBugsWithEach(db, className, [id])).get(id) }
}

async function valueToReplace(db: Db, field: string, value: string) {
  const { id } = getValue(getSelect(await readFieldDefinitions(db), field), value)
  return { className: 'FieldValue', id }
}

async function keywordToRemove(db: Db, ref: string) {
  const { id } = await getKeyword(db, ref)
  return { className: 'Keyword', id }
}

function flagTypeToRemove(resource: string, ref: string) {
  const id = resource === 'flag_type' ? idIn(ref) : undefined
  return id === undefined ? undefined : { className: 'FlagType', id }
}

async function countOfValue(db: Db, valueId: number): Promise<CountBugs | undefined> {
  const field = await db.first(fieldOfValue, { id: valueId })
  if (field === undefined) return undefined
  if (Object.hasOwn(VALUE_COLUMNS, field.name))
    return bugsWhere(VALUE_COLUMNS[field.name as keyof typeof VALUE_COLUMNS])
  return (q, d, ids) =>
    q
      .selectFrom('bug_custom_values')
      .select([sql<number>`number_value`.as('id'), distinctBugs])
      .where('field_id', '=', field.id)
      .where('number_value', 'in', d.integersIn(ids))
      .groupBy('number_value')
}

function bugsWhere(column: BugColumn): CountBugs {
  return (q, d, ids) =>
    bugsUnfiltered(q, 'Members of admin, who may see every bug, read how many have something.')
      .select((row) => [sql<number>`${sql.ref(`bugs.${column}`)}`.as('id'), row.fn.countAll<number>().as('bugs')])
      .where(sql<boolean>`${sql.ref(`bugs.${column}`)} in ${d.integersIn(ids)}`)
      .groupBy(sql.ref(`bugs.${column}`))
}

const distinctBugs = sql<number>`count(distinct bug_id)`.as('bugs')
