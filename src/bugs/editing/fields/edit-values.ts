import { selectFieldOf } from '../../../catalogue/fields/field.ts'
import type { Db } from '../../../platform/database/db.ts'
import { requireMayChange } from '../../rights/bug-permissions.ts'
import { DEFAULTED_CHOICES, deadlineIn, fieldLineIn, hoursIn, LINE_FIELDS, valueIn } from '../../values/bug-values.ts'
import type { Batch, BugEdit, MutableBugState } from '../batch/batch.ts'
import { isGiven } from './edit-remark.ts'

/** Changes the fields with a single value that does not depend on other fields. */
export function editValues(_: Db, batch: Batch) {
  editLines(batch)
  editChoices(batch)
  editAccess(batch)
  editTimes(batch)
}

function editLines({ params, edits }: Batch) {
  const lines = LINE_FIELDS.flatMap((field) => {
    const input = params[field.name]
    return input === undefined ? [] : [{ field, line: fieldLineIn(field, input) }]
  })
  for (const edit of edits) for (const { field, line } of lines) setColumn(edit, field.name, field.column, line)
}

function editChoices({ params, fields, edits }: Batch) {
  for (const { name, column } of DEFAULTED_CHOICES) {
    const chosen = params[name]
    if (chosen !== undefined)
      for (const edit of edits)
        setColumn(edit, name, column, valueIn(fields, selectFieldOf(name), chosen, edit.before[column]).id)
  }
}

function editAccess({ params, edits }: Batch) {
  for (const edit of edits)
    for (const field of ['is_cc_accessible', 'is_creator_accessible', 'restrict_comments'] as const) {
      const wanted = params[field]
      setColumn(edit, field, field, wanted === undefined ? undefined : wanted ? 1 : 0)
    }
}

function editTimes({ params, edits }: Batch) {
  const deadline = params.deadline === undefined ? undefined : deadlineIn(params.deadline)
  const hours = (name: 'estimated_time' | 'remaining_time') =>
    isGiven(params[name]) ? hoursIn(name, params[name]) : undefined
  const [estimated, remaining] = [hours('estimated_time'), hours('remaining_time')]
  for (const edit of edits) {
    setColumn(edit, 'deadline', 'deadline', deadline)
    setColumn(edit, 'estimated_time', 'estimated_hundredths', estimated)
    setColumn(edit, 'remaining_time', 'remaining_hundredths', remaining)
  }
}

/** Changes a column if the editor may. A value that is the same as before needs no right. */
export function setColumn<Column extends keyof MutableBugState>(
  { before, after, rights }: BugEdit,
  field: string,
  column: Column,
  value: MutableBugState[Column] | undefined,
) {
  if (value === undefined || value === before[column]) return
  requireMayChange(rights, field)
  after[column] = value
}
