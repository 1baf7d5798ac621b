import { sql } from 'kysely'
import { deleteFlags } from '../../../catalogue/flag-types/flag-store.ts'
import type { BugTransaction } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import type { FlagHolder } from '../existing-flag-store.ts'
import type { FlagAfter, FlagStatus } from '../flag.ts'
import type { FlagStep } from './plan-flags.ts'

/** The planned changes of the flags of one bug or attachment. */
interface Plan {
  holder: FlagHolder
  steps: readonly FlagStep[]
}

/** Saves the plans of several bugs or attachments. Returns a function from a step to the id of its flag. */
export async function saveSteps(
  tx: BugTransaction,
  plans: readonly Plan[],
  at: string,
): Promise<(step: FlagStep) => number> {
  const steps = plans.flatMap((plan) => plan.steps)
  const cleared = steps.flatMap(({ before, after }) => (before && !after ? before.id : []))
  if (cleared.length > 0) await deleteFlags(tx, cleared)
  const changed = steps.flatMap(({ before, after }) => (before && after ? { id: before.id, ...columnsOf(after) } : []))
  await updateFlags(tx, changed, at)
  const made = plans.flatMap(({ holder, steps }) =>
    steps.flatMap((step) =>
      !step.before && step.after ? { step, row: newRow(holder, step.type.id, step.after) } : [],
    ),
  )
  const ids = await insertFlags(tx, made, at)
  return (step) => step.before?.id ?? (ids.get(step) as number)
}

interface Columns {
  status: FlagStatus
  setter_id: number
  requestee_id: number | null
}

function columnsOf({ status, setterId, requestee }: FlagAfter): Columns {
  return { status, setter_id: setterId, requestee_id: requestee?.id ?? null }
}

const update = statement<Columns & { ids: string; at: string }>()((q, p, d) =>
  q
    .updateTable('flags')
    .set({ status: p.status, setter_id: p.setter_id, requestee_id: p.requestee_id, modified_at: p.at })
    .where('id', 'in', d.integersIn(p.ids)),
)

/** One statement for all flags that get the same values. */
async function updateFlags(tx: BugTransaction, flags: readonly (Columns & { id: number })[], at: string) {
  const alike = Map.groupBy(flags, ({ id: _, ...columns }) => JSON.stringify(columns))
  for (const [columns, same] of alike) {
    const ids = JSON.stringify(same.map(({ id }) => id))
    await tx.all(update, { ...(JSON.parse(columns) as Columns), ids, at })
  }
}

interface NewRow extends Columns {
  type_id: number
  bug_id: number
  attachment_id: number | null
}

function newRow({ bugId, attachmentId }: FlagHolder, typeId: number, after: FlagAfter): NewRow {
  return { type_id: typeId, bug_id: bugId, attachment_id: attachmentId ?? null, ...columnsOf(after) }
}

const COLUMNS = {
  type_id: 'integer',
  bug_id: 'integer',
  attachment_id: 'integer',
  status: 'text',
  setter_id: 'integer',
  requestee_id: 'integer',
} as const

const insert = statement<{ rows: string; at: string }>()((q, p, d) =>
  q
    .insertInto('flags')
    .columns(['type_id', 'bug_id', 'attachment_id', 'status', 'setter_id', 'requestee_id', 'created_at', 'modified_at'])
    .expression(
      sql`select type_id, bug_id, attachment_id, status, setter_id, requestee_id, cast(${p.at} as text), cast(${p.at} as text)
        from ${d.recordsIn(p.rows, COLUMNS)} as made`,
    )
    .returning(['id', 'type_id', 'bug_id', 'attachment_id', 'status', 'setter_id', 'requestee_id']),
)

interface Made {
  step: FlagStep
  row: NewRow
}

/** Returns the id of each new flag. If several flags are equal in all columns, it does not matter which step gets which id. */
async function insertFlags(tx: BugTransaction, made: readonly Made[], at: string): Promise<Map<FlagStep, number>> {
  if (made.length === 0) return new Map()
  const rows = await tx.all(insert, { rows: JSON.stringify(made.map(({ row }) => row)), at })
  const alike = Map.groupBy(
    rows.toSorted((a, b) => a.id - b.id),
    likenessOf,
  )
  return new Map(made.map(({ step, row }) => [step, alike.get(likenessOf(row))?.shift()?.id as number]))
}

function likenessOf({ type_id, bug_id, attachment_id, status, setter_id, requestee_id }: NewRow) {
  return [type_id, bug_id, attachment_id, status, setter_id, requestee_id].join(' ')
}
