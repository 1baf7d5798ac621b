import { type Selectable, sql } from 'kysely'
import type { BugTransaction } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { Database } from '../../platform/database/tables.ts'

export type FlagRow = Omit<Selectable<Database['flags']>, 'modified_at'>

/** A flag that hiding removed (`after` is null), or that got another type or lost its requestee in a move. */
export interface ChangedFlag {
  before: FlagRow
  after: { type_id: number } | null
}

const COLUMN_TYPES = {
  id: 'integer',
  type_id: 'integer',
  bug_id: 'integer',
  attachment_id: 'integer',
  status: 'text',
  setter_id: 'integer',
  requestee_id: 'integer',
  created_at: 'text',
} as const
const FLAG_COLUMNS = Object.keys(COLUMN_TYPES) as (keyof FlagRow)[]

const onBugs = statement<{ ids: string }>()((q, p, d) =>
  q.selectFrom('flags').select(FLAG_COLUMNS).where('bug_id', 'in', d.integersIn(p.ids)).orderBy('id'),
)

/** The flags of bugs and of their attachments. */
export function listFlagRows(tx: BugTransaction, bugIds: readonly number[]): Promise<FlagRow[]> {
  return tx.all(onBugs, { ids: JSON.stringify(bugIds) })
}

export function changedFlags(before: readonly FlagRow[], after: readonly FlagRow[]): ChangedFlag[] {
  const current = new Map(after.map((flag) => [flag.id, flag]))
  return before.flatMap((flag): ChangedFlag[] => {
    const now = current.get(flag.id)
    if (now === undefined) return [{ before: flag, after: null }]
    const isSame = now.type_id === flag.type_id && now.requestee_id === flag.requestee_id
    return isSame ? [] : [{ before: flag, after: { type_id: now.type_id } }]
  })
}

const insert = statement<{ rows: string; at: string }>()((q, p, d) =>
  q
    .insertInto('flags')
    .columns([...FLAG_COLUMNS, 'modified_at'])
    .expression(
      sql`select id, type_id, bug_id, attachment_id, status, setter_id, requestee_id, created_at, cast(${p.at} as text)
        from ${d.recordsIn(p.rows, COLUMN_TYPES)} as lost`,
    ),
)

/** Inserts removed flags again, with the ids that they had. Ids are never used for another flag. */
export async function insertLostFlags(tx: BugTransaction, flags: readonly FlagRow[], at: string) {
  if (flags.length > 0) await tx.all(insert, { rows: JSON.stringify(flags), at })
}
