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

const windowEnd = statement<{ after: number }>()((q, p) =>
  q
    .selectFrom(
      bugsUnfiltered(q, WHY)
        .select('bugs.id')
        .where('bugs.id', '>', p.after)
        .orderBy('bugs.id')
        .limit(WINDOW)
        .as('next'),
    )
    .select((row) => row.fn.max('id').as('id')),
)

/** Replaces the value in the column of all bugs, each with its line of history and its event. */
export async function replaceInColumn(
  tx: ConfigurationTransaction,
  by: ChangeOrigin,
  column: ValueColumn,
  replacement: Replacement,
) {
  const { from, to } = replacement
  // The columns have no index, so that each statement looks at a part of all bugs.
  for (let after = 0; ; ) {
    const end = (await tx.first(windowEnd, { after }))?.id
    if (typeof end !== 'number') return
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
    after = end
  }
}

interface CustomIds {
  fieldId: number
  from: number
  to: number
}

const dropSecond = statement<CustomIds>()((q, p) =>
  q
    .deleteFrom('bug_custom_values')
    .where('id', 'in', (rows) =>
      rows
        .selectFrom('bug_custom_values as item')
        .innerJoin('bug_custom_values as other', (join) =>
          join
            .onRef('other.bug_id', '=', 'item.bug_id')
            .on('other.field_id', '=', p.fieldId)
            .on('other.number_value', '=', p.to),
        )
        .select('item.id')
        .where('item.field_id', '=', p.fieldId)
        .where('item.number_value', '=', p.from)
        .limit(AT_ONCE),
    )
    .returning('bug_id'),
)
const replaceNumber = statement<CustomIds>()((q, p) =>
  q
    .updateTable('bug_custom_values')
    .set({ number_value: p.to })
    .where('id', 'in', (rows) =>
      rows
        .selectFrom('bug_custom_values')
        .select('id')
        .where('field_id', '=', p.fieldId)
        .where('number_value', '=', p.from)
        .limit(AT_ONCE),
    )
    .returning('bug_id'),
)

/** The same for a custom field. A bug that has both values of a field for several keeps the other one. */
export async function replaceCustomValue(
  tx: ConfigurationTransaction,
  by: ChangeOrigin,
  fieldId: number,
  replacement: Replacement,
) {
  const ids = { fieldId, from: replacement.from.id, to: replacement.to.id }
  await inPortions(tx, by, replacement, '', () => tx.all(dropSecond, ids))
  await inPortions(tx, by, replacement, replacement.to.name, () => tx.all(replaceNumber, ids))
}

interface KeywordIds {
  from: number
  to: number
}

const haveBoth = statement<KeywordIds>()((q, p) =>
  q
    .deleteFrom('bug_keywords')
    .where('keyword_id', '=', p.from)
    .where('bug_id', 'in', (rows) =>
      rows
        .selectFrom('bug_keywords as item')
        .innerJoin('bug_keywords as other', 'other.bug_id', 'item.bug_id')
        .select('item.bug_id')
        .where('item.keyword_id', '=', p.from)
        .where('other.keyword_id', '=', p.to)
        .limit(AT_ONCE),
    )
    .returning('bug_id'),
)
const replaceOne = statement<KeywordIds>()((q, p) =>
  q
    .updateTable('bug_keywords')
    .set({ keyword_id: sql<number>`cast(${p.to} as integer)` })
    .where('keyword_id', '=', p.from)
    .where('bug_id', 'in', (rows) =>
      rows.selectFrom('bug_keywords').select('bug_id').where('keyword_id', '=', p.from).limit(AT_ONCE),
    )
    .returning('bug_id'),
)

/** The same for a keyword. */
export async function replaceKeyword(tx: ConfigurationTransaction, by: ChangeOrigin, replacement: Replacement) {
  const ids = { from: replacement.from.id, to: replacement.to.id }
  await inPortions(tx, by, replacement, '', () => tx.all(haveBoth, ids))
  await inPortions(tx, by, replacement, replacement.to.name, () => tx.all(replaceOne, ids))
}

async function inPortions(
  tx: ConfigurationTransaction,
  by: ChangeOrigin,
  replacement: Replacement,
  added: string,
  replaceSome: () => Promise<readonly { bug_id: number }[]>,
) {
  for (;;) {
    const bugs = await replaceSome()
    await record(tx, by, { ...replacement, added, isTouched: false }, bugs)
    if (bugs.length < AT_ONCE) return
  }
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
