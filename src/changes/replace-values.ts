import { sql } from 'kysely'
import { bugsUnfiltered } from '../access/visibility/visible-bugs.ts'
import type { ConfigurationTransaction } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'
import type { BugColumn } from '../platform/database/tables.ts'
import type { ChangeOrigin } from './effects-on-bugs.ts'
import { recordEffects } from './record-effects.ts'

/** A value that bugs have, which another one replaces. */
export interface Replacement {
  /** The name of the field in the REST API. */
  field: string
  from: { id: number; name: string }
  to: { id: number; name: string }
}

/** Bugs of one statement. Other requests are served between the statements. */
const AT_ONCE = 1000
const WINDOW = 2000
const WHY = 'A value that is replaced is replaced in every bug.'

type ValueColumn = Extract<BugColumn, `${string}_id`>

const windowEnd = statement<{ after: number; most: number }>()((q, p) =>
  q
    .selectFrom(
      bugsUnfiltered(q, WHY)
        .select('bugs.id')
        .where('bugs.id', '>', p.after)
        .orderBy('bugs.id')
        .limit(p.most)
        .as('next'),
    )
    .select((row) => row.fn.max('id').as('id')),
)

/** What a step has done. */
export interface ReplacedInStep {
  bugs: number
  /** The last bug that was looked at; undefined if there are no further ones. */
  after: number | undefined
}

/** Replaces the value in the column of all bugs, each with its line of history and its event. */
export async function replaceInColumn(
  tx: ConfigurationTransaction,
  by: ChangeOrigin,
  column: ValueColumn,
  replacement: Replacement,
) {
  for (let after: number | undefined = 0; after !== undefined; )
    after = (await replaceInNextBugs(tx, by, column, replacement, { after, most: WINDOW })).after
}

/** The same in the bugs that follow after an id. The columns have no index, so that each step looks at a part of all bugs. */
export async function replaceInNextBugs(
  tx: ConfigurationTransaction,
  by: ChangeOrigin,
  column: ValueColumn,
  replacement: Replacement,
  { after, most }: { after: number; most: number },
): Promise<ReplacedInStep> {
  const { from, to } = replacement
  const end = (await tx.first(windowEnd, { after, most }))?.id
  if (typeof end !== 'number') return { bugs: 0, after: undefined }
  const bugs = await tx.query((q) =>
    q
      .updateTable('bugs')
      // The time at once: on PostgreSQL a second update of each bug would take longer than all else.
      .set((bug) => ({ [column]: to.id, changed_at: by.at, revision: bug('revision', '+', 1) }))
      .where('id', '>', after)
      .where('id', '<=', end)
      .where(column, '=', from.id)
      .returning('id as bug_id'),
  )
  await record(tx, by, { ...replacement, added: to.name, isTouched: true }, bugs)
  return { bugs: bugs.length, after: end }
}

/** A value of a bug that is replaced. `has_both` says that the bug has the other value already. */
interface Item {
  id: number
  bug_id: number
  has_both: number | null
}

const someValues = statement<{ fieldId: number; from: number; to: number; most: number }>()((q, p) =>
  q
    .selectFrom((from) =>
      from
        .selectFrom('bug_custom_values')
        .select(['id', 'bug_id'])
        .where('field_id', '=', p.fieldId)
        .where('number_value', '=', p.from)
        .limit(p.most)
        .as('item'),
    )
    .select((row) => [
      'item.id',
      'item.bug_id',
      row
        .selectFrom('bug_custom_values as other')
        .select((other) => other.fn.countAll<number>().as('others'))
        .whereRef('other.bug_id', '=', 'item.bug_id')
        .where('other.field_id', '=', p.fieldId)
        .where('other.number_value', '=', p.to)
        .as('has_both'),
    ]),
)
const dropValues = statement<{ ids: string }>()((q, p, d) =>
  q.deleteFrom('bug_custom_values').where('id', 'in', d.integersIn(p.ids)),
)
const replaceValues = statement<{ ids: string; to: number }>()((q, p, d) =>
  q.updateTable('bug_custom_values').set({ number_value: p.to }).where('id', 'in', d.integersIn(p.ids)),
)

/** The same for a custom field. A bug that has both values of a field for several keeps the other one. */
export async function replaceCustomValue(
  tx: ConfigurationTransaction,
  by: ChangeOrigin,
  fieldId: number,
  replacement: Replacement,
) {
  while ((await replaceSomeCustomValues(tx, by, fieldId, replacement, AT_ONCE)) > 0);
}

/** Returns how many: 0 if no bug has the value any more. */
export function replaceSomeCustomValues(
  tx: ConfigurationTransaction,
  by: ChangeOrigin,
  fieldId: number,
  replacement: Replacement,
  most: number,
): Promise<number> {
  const ids = { fieldId, from: replacement.from.id, to: replacement.to.id }
  return replaceSome(tx, by, replacement, {
    items: () => tx.all(someValues, { ...ids, most }),
    drop: (items) => tx.all(dropValues, { ids: JSON.stringify(items.map(({ id }) => id)) }),
    replace: (items) => tx.all(replaceValues, { ids: JSON.stringify(items.map(({ id }) => id)), to: ids.to }),
  })
}

const someKeywords = statement<{ from: number; to: number; most: number }>()((q, p) =>
  q
    .selectFrom((from) =>
      from.selectFrom('bug_keywords').select('bug_id').where('keyword_id', '=', p.from).limit(p.most).as('item'),
    )
    .select((row) => [
      'item.bug_id as id',
      'item.bug_id',
      row
        .selectFrom('bug_keywords as other')
        .select((other) => other.fn.countAll<number>().as('others'))
        .whereRef('other.bug_id', '=', 'item.bug_id')
        .where('other.keyword_id', '=', p.to)
        .as('has_both'),
    ]),
)
const dropKeywords = statement<{ ids: string; from: number }>()((q, p, d) =>
  q.deleteFrom('bug_keywords').where('keyword_id', '=', p.from).where('bug_id', 'in', d.integersIn(p.ids)),
)
const replaceKeywords = statement<{ ids: string; from: number; to: number }>()((q, p, d) =>
  q
    .updateTable('bug_keywords')
    .set({ keyword_id: sql<number>`cast(${p.to} as integer)` })
    .where('keyword_id', '=', p.from)
    .where('bug_id', 'in', d.integersIn(p.ids)),
)

/** The same for a keyword. */
export async function replaceKeyword(tx: ConfigurationTransaction, by: ChangeOrigin, replacement: Replacement) {
  while ((await replaceSomeKeywords(tx, by, replacement, AT_ONCE)) > 0);
}

export function replaceSomeKeywords(
  tx: ConfigurationTransaction,
  by: ChangeOrigin,
  replacement: Replacement,
  most: number,
): Promise<number> {
  const ids = { from: replacement.from.id, to: replacement.to.id }
  return replaceSome(tx, by, replacement, {
    items: () => tx.all(someKeywords, { ...ids, most }),
    drop: (items) => tx.all(dropKeywords, { ids: JSON.stringify(items.map(({ id }) => id)), from: ids.from }),
    replace: (items) => tx.all(replaceKeywords, { ids: JSON.stringify(items.map(({ id }) => id)), ...ids }),
  })
}

interface ItemStatements {
  items(): Promise<Item[]>
  drop(items: readonly Item[]): Promise<unknown>
  replace(items: readonly Item[]): Promise<unknown>
}

async function replaceSome(
  tx: ConfigurationTransaction,
  by: ChangeOrigin,
  replacement: Replacement,
  { items, drop, replace }: ItemStatements,
): Promise<number> {
  const found = await items()
  const [both, single] = [
    found.filter((it) => Number(it.has_both) > 0),
    found.filter((it) => Number(it.has_both) === 0),
  ]
  if (both.length > 0) await drop(both)
  if (single.length > 0) await replace(single)
  await record(tx, by, { ...replacement, added: '', isTouched: false }, both)
  await record(tx, by, { ...replacement, added: replacement.to.name, isTouched: false }, single)
  return found.length
}

async function record(
  tx: ConfigurationTransaction,
  { who, at }: ChangeOrigin,
  { field, from, added, isTouched }: Replacement & { added: string; isTouched: boolean },
  bugs: readonly { bug_id: number }[],
) {
  const lines = bugs.map(({ bug_id: bugId }) => ({ bugId, field, removed: from.name, added }))
  await recordEffects(tx, who, lines, at, isTouched ? new Set(bugs.map(({ bug_id }) => bug_id)) : undefined)
}
