import { sql } from 'kysely'
import { bugFields } from '../../../../shared/bug-fields/bug-fields.ts'
import type { BugTransaction } from '../../../platform/database/db.ts'
import { jsonPortions } from '../../../platform/database/statements/json-portions.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { statementFamily } from '../../../platform/database/statements/statement-family.ts'
import { sameAs } from '../../../platform/text/fold.ts'
import { indexChangedSummaries } from '../../../search/text/word-store.ts'
import { KEY_COLUMNS, type KeyColumn, savedIn, WRITTEN_COLUMNS, type WrittenColumn } from '../../bug-columns.ts'
import type { BugRow } from '../../bug-store.ts'
import { addAliases, removeAliases } from '../../values/bug-aliases.ts'
import type { BugState } from '../bug-state.ts'
import { comparerOf } from '../column-comparer.ts'
import { without } from '../list-after.ts'
import type { BugEdit } from './batch.ts'

/**
 * Saves the edits with the same few statements for any number of bugs. Returns the bugs whose `changed_at` is already updated; the
 * caller updates that of the others.
 */
export async function saveEdits(
  tx: BugTransaction,
  edits: readonly BugEdit[],
  at: string,
): Promise<ReadonlySet<number>> {
  const touched = await saveRows(tx, edits, at)
  const renamed = edits.filter(({ before, after }) => before.summary !== after.summary)
  if (renamed.length > 0) {
    await indexChangedSummaries(
      tx,
      renamed.map(({ before, after }) => ({ id: before.id, summary: after.summary })),
    )
  }
  // A list that no step has changed is the same array.
  const isTouched = (list: 'cc' | 'keywords' | 'groups' | 'custom') =>
    edits.some(({ before, after }) => before[list] !== after[list])
  for (const list of ['cc', 'keywords', 'groups'] as const)
    if (isTouched(list)) await saveList(tx, edits, LISTS[list], (bug) => bug[list])
  if (isTouched('custom')) await saveCustomValues(tx, edits)
  await saveAliases(tx, edits)
  return touched
}

/** What a change can write. The time of the change is written with it. */
const columns = WRITTEN_COLUMNS.filter(
  (column) => column !== 'created_at' && column !== 'changed_at' && column !== 'creator_id',
)

const differingColumns = comparerOf<BugState, { column: WrittenColumn }>(columns.map((column) => ({ column })))

type Column = WrittenColumn | KeyColumn

const TEXTS: ReadonlySet<Column> = new Set([
  ...bugFields.flatMap(({ kind, column }) => (kind === 'line' || kind === 'date' ? [column as Column] : [])),
  ...KEY_COLUMNS.map(({ key }) => key),
])

const keyOfColumns = (changed: readonly Column[]) => changed.join()

/** One statement for each set of changed columns, so that unchanged columns and their indexes cost nothing. */
const updatingMany = statementFamily(keyOfColumns, (changed) => {
  const types = Object.fromEntries(changed.map((column) => [column, TEXTS.has(column) ? 'text' : 'integer'] as const))
  return statement<{ rows: string; at: string }>()((q, p, d) =>
    q
      .updateTable('bugs')
      .from(sql<BugRow>`${d.recordsIn(p.rows, { id: 'integer', ...types })}`.as('edited'))
      .set((it) => ({
        ...Object.fromEntries(changed.map((column) => [column, it.ref(`edited.${column}`)])),
        changed_at: p.at,
        revision: sql<number>`bugs.revision + 1`,
      }))
      .whereRef('bugs.id', '=', 'edited.id'),
  )
})

/** The same for a single bug, which is the usual case. */
const updatingOne = statementFamily(keyOfColumns, (changed) =>
  statement<EditedRow & { at: string }>()((q, p) =>
    q
      .updateTable('bugs')
      .set((bug) => ({
        ...Object.fromEntries(changed.map((column) => [column, p[column]])),
        changed_at: p.at,
        revision: bug('revision', '+', 1),
      }))
      .where('id', '=', p.id),
  ),
)

type EditedRow = { id: number } & Partial<Record<Column, string | number | null>>

async function saveRows(tx: BugTransaction, edits: readonly BugEdit[], at: string): Promise<ReadonlySet<number>> {
  const found = new Set<WrittenColumn>()
  const edited = edits.filter(({ before, after }) => {
    const differing = differingColumns(before, after)
    for (const { column } of differing) found.add(column)
    return differing.length > 0
  })
  if (edited.length === 0) return new Set()
  const changed = withKeys(columns.filter((column) => found.has(column)))
  const rowOf = ({ after }: BugEdit): EditedRow => {
    const row: EditedRow = { id: after.id }
    for (const column of changed) row[column] = savedIn<Pick<BugState, WrittenColumn>>(after, column)
    return row
  }
  const [only] = edited
  if (edited.length === 1 && only !== undefined) await tx.all(updatingOne(changed), { ...rowOf(only), at })
  else for (const rows of jsonPortions(tx, edited, rowOf)) await tx.all(updatingMany(changed), { rows, at })
  return new Set(edited.map(({ before }) => before.id))
}

/** Each text with its case-folded copy. */
function withKeys(changed: readonly Column[]): Column[] {
  return [...changed, ...KEY_COLUMNS.flatMap(({ column, key }) => (changed.includes(column) ? [key] : []))]
}

/** A table that links bugs to keywords, groups or users on the CC list. */
interface List {
  insert: ReturnType<typeof inserting>
  remove: ReturnType<typeof removing>
}

const ITEM = { bug_id: 'integer', item_id: 'integer' } as const

function inserting(table: 'bug_cc' | 'bug_keywords' | 'bug_groups', column: string) {
  return statement<{ rows: string }>()((q, p, d) =>
    q
      .insertInto(table)
      .columns(['bug_id', column as never])
      .expression(sql`select bug_id, item_id from ${d.recordsIn(p.rows, ITEM)} as given where true`)
      .onConflict((conflict) => conflict.doNothing()),
  )
}

function removing(table: 'bug_cc' | 'bug_keywords' | 'bug_groups', column: string) {
  return statement<{ rows: string }>()((q, p, d) =>
    q
      .deleteFrom(table)
      .where(
        sql<boolean>`(bug_id, ${sql.ref(column)}) in (select bug_id, item_id from ${d.recordsIn(p.rows, ITEM)} as given)`,
      ),
  )
}

const LISTS = {
  cc: { insert: inserting('bug_cc', 'user_id'), remove: removing('bug_cc', 'user_id') },
  keywords: { insert: inserting('bug_keywords', 'keyword_id'), remove: removing('bug_keywords', 'keyword_id') },
  groups: { insert: inserting('bug_groups', 'group_id'), remove: removing('bug_groups', 'group_id') },
}

async function saveList(
  tx: BugTransaction,
  edits: readonly BugEdit[],
  list: List,
  itemsOf: (bug: BugState) => readonly { id: number }[],
) {
  const rows = (from: BugState, other: BugState) =>
    without(itemsOf(from), itemsOf(other)).map(({ id }) => ({ bug_id: from.id, item_id: id }))
  const removed = edits.flatMap(({ before, after }) => rows(before, after))
  const added = edits.flatMap(({ before, after }) => rows(after, before))
  for (const portion of jsonPortions(tx, removed)) await tx.all(list.remove, { rows: portion })
  for (const portion of jsonPortions(tx, added)) await tx.all(list.insert, { rows: portion })
}

const VALUE = { bug_id: 'integer', field_id: 'integer', text_value: 'text', number_value: 'integer' } as const

const removeValues = statement<{ rows: string }>()((q, p, d) =>
  q
    .deleteFrom('bug_custom_values')
    .where(
      sql<boolean>`(bug_id, field_id) in (select bug_id, field_id from ${d.recordsIn(p.rows, { bug_id: 'integer', field_id: 'integer' })} as given)`,
    ),
)
const insertValues = statement<{ rows: string }>()((q, p, d) =>
  q
    .insertInto('bug_custom_values')
    .columns(['bug_id', 'field_id', 'text_value', 'number_value'])
    .expression(sql`select bug_id, field_id, text_value, number_value from ${d.recordsIn(p.rows, VALUE)} as given`),
)

async function saveCustomValues(tx: BugTransaction, edits: readonly BugEdit[]) {
  const changed = edits.flatMap(({ before, after }) =>
    [...after.custom]
      .filter(([field, items]) => JSON.stringify(items) !== JSON.stringify(before.custom.get(field) ?? []))
      .map(([field_id, items]) => ({ bug_id: before.id, field_id, items })),
  )
  const keyOf = ({ bug_id, field_id }: (typeof changed)[number]) => ({ bug_id, field_id })
  for (const rows of jsonPortions(tx, changed, keyOf)) await tx.all(removeValues, { rows })
  const items = changed.flatMap(({ items, ...key }) => items.map((item) => ({ ...key, ...item })))
  for (const rows of jsonPortions(tx, items)) await tx.all(insertValues, { rows })
}

/** Only one bug of a batch can get aliases, see editAliases. */
async function saveAliases(tx: BugTransaction, edits: readonly BugEdit[]) {
  for (const { before, after } of edits) {
    if (before.aliases === after.aliases) continue
    const has = (aliases: readonly string[], alias: string) => aliases.some(sameAs(alias))
    await removeAliases(
      tx,
      before.id,
      before.aliases.filter((alias) => !has(after.aliases, alias)),
    )
    await addAliases(
      tx,
      before.id,
      after.aliases.filter((alias) => !has(before.aliases, alias)),
    )
  }
}
