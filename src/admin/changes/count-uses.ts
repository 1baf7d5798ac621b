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
import { idIn } from '../../platform/wire/reference.ts'
import { countBugsByValue } from './count-custom-values.ts'
import type { RequestedChange } from './requested-changes.ts'

type CountBugs = (q: Builder, id: number) => Compilable<{ bugs: number }>

/** How many bugs have an object of a class as a value, a flag or a restriction. */
const COUNTS = new Map<string, CountBugs>(
  Object.entries({
    Product: bugsWhere('product_id'),
    Component: bugsWhere('component_id'),
    Version: bugsWhere('version_id'),
    Milestone: bugsWhere('milestone_id'),
    Keyword: (q, id) => q.selectFrom('bug_keywords').select(distinctBugs).where('keyword_id', '=', id),
    Group: (q, id) => q.selectFrom('bug_groups').select(distinctBugs).where('group_id', '=', id),
    FlagType: (q, id) => q.selectFrom('flags').select(distinctBugs).where('type_id', '=', id),
  } satisfies Partial<Record<AuditedClass, CountBugs>>),
)

const fieldOfValue = statement<{ id: number }>()((q, p) =>
  q
    .selectFrom('field_values')
    .innerJoin('fields', 'fields.id', 'field_values.field_id')
    .select(['fields.id', 'fields.name'])
    .where('field_values.id', '=', p.id),
)

/** Returns undefined for what no bug has, such as a parameter. */
export async function countBugsWith(db: Db, { className, id }: { className: string; id: number }) {
  if (className === 'Field') return countBugsByValue(db, { fieldId: id })
  const count = className === 'FieldValue' ? await countOfValue(db, id) : COUNTS.get(className)
  if (count === undefined) return undefined
  const [found] = await db.query((q) => count(q, id))
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
  return found && { ...found, bugs: await countBugsWith(db, found) }
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
  return (q, id) =>
    q
      .selectFrom('bug_custom_values')
      .select(distinctBugs)
      .where('field_id', '=', field.id)
      .where('number_value', '=', id)
}

function bugsWhere(column: BugColumn): CountBugs {
  return (q, id) =>
    bugsUnfiltered(q, 'Members of admin, who may see every bug, read how many have something.')
      .select((row) => row.fn.countAll<number>().as('bugs'))
      .where(`bugs.${column}`, '=', id)
}

const distinctBugs = sql<number>`count(distinct bug_id)`.as('bugs')
