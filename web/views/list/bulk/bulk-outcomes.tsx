import type { BulkOutcome } from '../../../core/bugs/change-many.ts'
import type { FieldList } from '../../../core/bugs/fields.ts'
import { displayValue } from '../../../parts/glyphs.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { ScrollRegion } from '../../../parts/scroll-region.tsx'
import { TableHead } from '../../../parts/table-head.tsx'
import type { Rows } from '../table/rows.ts'
import { chosenChanges } from './bulk-changes.ts'

interface OutcomesProps {
  outcomes: readonly BulkOutcome[]
  done: readonly BulkOutcome[]
  rows: Rows
  fields: FieldList
}

/** What a change does to each bug: refused ones first. */
export function Outcomes({ outcomes, done, rows, fields }: OutcomesProps) {
  const results = new Map(done.map((outcome) => [outcome.id, outcome]))
  const all = outcomes.map((outcome) => results.get(outcome.id) ?? outcome)
  // Refused changes come first. A table of thousands of rows would be slow.
  const shown = [...all.filter(isRefused), ...all.filter((outcome) => !isRefused(outcome))].slice(0, MOST_SHOWN)
  return (
    <ScrollRegion class="bulk-table" label="What changes">
      <table class="table">
        <TableHead columns={['Bug', 'What changes']} />
        <tbody>
          {shown.map((outcome) => (
            <OutcomeRow
              key={outcome.id}
              outcome={outcome}
              isDone={results.has(outcome.id)}
              summary={summaryOf(outcome.id, rows)}
              fields={fields}
            />
          ))}
        </tbody>
      </table>
      {all.length > shown.length && <p class="faint small">And {(all.length - shown.length).toLocaleString()} more.</p>}
    </ScrollRegion>
  )
}

const MOST_SHOWN = 200

function summaryOf(id: number, rows: Rows) {
  const row = rows.rowOf(id)
  return row === undefined ? '' : (rows.at(row)?.summary ?? '')
}

interface OutcomeProps {
  outcome: BulkOutcome
  isDone: boolean
  summary: string
  fields: FieldList
}

function unchangedWords(isDone: boolean) {
  if (chosenChanges.value.some(({ field }) => field === 'comment')) return isDone ? 'Commented' : 'Gets the comment'
  return isDone ? 'Changed' : 'Stays as it is'
}

function OutcomeRow({ outcome, isDone, summary, fields }: OutcomeProps) {
  const { id, changes, refused } = outcome
  return (
    <tr>
      <td>
        <span class="cell-id">{id}</span> <span dir="auto">{summary}</span>
      </td>
      <td>
        {refused !== undefined ? (
          <span class="error">
            <Icon name="warn" size="small" /> {refused}
          </span>
        ) : changes.length === 0 ? (
          <span class="faint">{unchangedWords(isDone)}</span>
        ) : (
          changes.map(({ field, removed, added }) => (
            <div key={field}>
              <b dir="auto">{fields.label(field)}</b> <s dir="auto">{displayValue(removed) || 'none'}</s> →{' '}
              <span dir="auto">{displayValue(added) || 'none'}</span>
            </div>
          ))
        )}
        {isDone && refused === undefined && <Icon name="check" size="small" />}
      </td>
    </tr>
  )
}

export function isRefused({ refused }: BulkOutcome) {
  return refused !== undefined
}
