import type { Db } from '../../../platform/database/db.ts'
import { requireMayChange } from '../../rights/bug-permissions.ts'
import {
  deadlineIn,
  hoursIn,
  longLineIn,
  type SelectField,
  summaryIn,
  urlIn,
  valueIn,
} from '../../values/bug-values.ts'
import type { Batch, BugEdit, MutableBugState } from '../batch/batch.ts'
import { isGiven } from './edit-remark.ts'

/** Changes the fields with a single value that does not depend on other fields. */
export function editValues(_: Db, batch: Batch) {
  editTexts(batch)
  editChoices(batch)
  editAccess(batch)
  editTimes(batch)
}

function editTexts({ params, edits }: Batch) {
  const texts = {
    summary: params.summary === undefined ? undefined : summaryIn(params.summary),
    url: params.url === undefined ? undefined : urlIn(params.url),
    whiteboard: params.whiteboard === undefined ? undefined : longLineIn('whiteboard', params.whiteboard),
  }
  for (const edit of edits)
    for (const [field, value] of Object.entries(texts)) setColumn(edit, field, field as keyof typeof texts, value)
}

const CHOICES = {
  priority: ['priority', 'priority_id'],
  severity: ['bug_severity', 'severity_id'],
  op_sys: ['op_sys', 'op_sys_id'],
  platform: ['rep_platform', 'platform_id'],
} as const satisfies Record<string, readonly [SelectField, keyof MutableBugState]>

function editChoices({ params, fields, edits }: Batch) {
  for (const name of Object.keys(CHOICES) as (keyof typeof CHOICES)[]) {
    const chosen = params[name]
    const [field, column] = CHOICES[name]
    if (chosen !== undefined)
      for (const edit of edits) setColumn(edit, name, column, valueIn(fields, field, chosen, edit.before[column]).id)
  }
}

function editAccess({ params, edits }: Batch) {
  for (const edit of edits)
    for (const field of ['is_cc_accessible', 'is_creator_accessible'] as const) {
      const isAccessible = params[field]
      setColumn(edit, field, field, isAccessible === undefined ? undefined : isAccessible ? 1 : 0)
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
