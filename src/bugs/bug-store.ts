import type { Insertable, Selectable } from 'kysely'
import type { BugTransaction } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'
import type { Database } from '../platform/database/tables.ts'
import { indexNewSummary } from '../search/text/word-store.ts'
import { KEY_COLUMNS, type KeyColumn, savedIn, WRITTEN_COLUMNS, type WrittenColumn } from './bug-columns.ts'

/** The row of a bug. */
export type BugRow = Selectable<Database['bugs']>
export type NewBugRow = Required<Pick<Insertable<Database['bugs']>, WrittenColumn>>

const KEYS = KEY_COLUMNS.map(({ key }) => key)

const insert = statement<NewBugRow & Record<KeyColumn, string>>()((q, p) => {
  const values = Object.fromEntries([...WRITTEN_COLUMNS, ...KEYS].map((column) => [column, p[column]]))
  return q
    .insertInto('bugs')
    .values(values as Insertable<Database['bugs']>)
    .returning('id')
})

export async function insertBug(tx: BugTransaction, bug: NewBugRow): Promise<number> {
  const keys = Object.fromEntries(KEYS.map((key) => [key, savedIn(bug, key)])) as Record<KeyColumn, string>
  const id = (await tx.first(insert, { ...bug, ...keys }))?.id as number
  await indexNewSummary(tx, id, bug.summary)
  return id
}
