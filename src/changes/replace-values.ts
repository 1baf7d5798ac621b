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
const WHY = 'A value that is replaced is replaced in every bug.'

type ValueColumn = Extract<BugColumn, `${string}_id`>

/** Replaces the value in the column of all bugs, each with its line of history and its event. */
export async function replaceInColumn(
  tx: ConfigurationTransaction,
  by: ChangeOrigin,
  column: ValueColumn,
  replacement: Replacement,
) {
  const { from, to } = replacement
  await inPortions(tx, by, replacement, to.name, () =>
    tx.query((q) =>
      q
        .updateTable('bugs')
        .set({ [column]: to.id })
        .where(
          'id',
          'in',
          bugsUnfiltered(q, WHY).select('bugs.id').where(`bugs.${column}`, '=', from.id).limit(AT_ONCE),
        )
        .returning('id as bug_id'),
    ),
  )
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
  { who, at }: ChangeOrigin,
  { field, from }: Replacement,
  added: string,
  replaceSome: () => Promise<readonly { bug_id: number }[]>,
) {
  for (;;) {
    const bugs = await replaceSome()
    const lines = bugs.map(({ bug_id: bugId }) => ({ bugId, field, removed: from.name, added }))
    await recordEffects(tx, who, lines, at)
    if (bugs.length < AT_ONCE) return
  }
}
