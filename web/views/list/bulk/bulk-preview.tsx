import { useEffect, useRef, useState } from 'preact/hooks'
import type { FieldList } from '../../../core/bugs/fields.ts'
import { showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { displayValue } from '../../../parts/glyphs.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { clearSelection, selectBugs, selectedBugs } from '../state.ts'
import type { Rows } from '../table/rows.ts'
import { bringUpToDate } from '../table/use-live-rows.ts'
import { applyChanges, type BulkOutcome, bodyOf, chosenChanges, previewChanges } from './bulk-changes.ts'

type Step = 'trying' | 'tried' | 'changing' | 'changed'

/** A table of what the change would do to each bug, then the change itself, one bug after the other. */
export function BulkPreview({ rows, fields, onClose }: { rows: Rows; fields: FieldList; onClose(): void }) {
  const [ids] = useState(() => [...selectedBugs.value])
  const [step, setStep] = useState<Step>('trying')
  const [tried, setTried] = useState<readonly BulkOutcome[]>([])
  const [done, setDone] = useState<readonly BulkOutcome[]>([])
  const [fault, setFault] = useState<string>()
  const isStopped = useRef(false)
  const body = bodyOf(chosenChanges.value)

  useEffect(() => {
    const add = (outcomes: readonly BulkOutcome[]) => setTried((last) => [...last, ...outcomes])
    previewChanges(ids, body, add, () => isStopped.current).then(
      () => setStep('tried'),
      (problem) => setFault((problem as Error).message),
    )
    return () => {
      isStopped.current = true
    }
  }, [])

  const possible = tried.filter((outcome) => hasEffect(outcome) && outcome.refused === undefined)
  const change = async () => {
    setStep('changing')
    const all: BulkOutcome[] = []
    try {
      await applyChanges(
        possible.map(({ id }) => id),
        body,
        (outcome) => {
          all.push(outcome)
          setDone([...all])
        },
        () => isStopped.current,
      )
    } catch (problem) {
      setFault(`${(problem as Error).message} ${all.length} of ${possible.length} are changed.`)
    }
    finish(all)
  }
  const finish = (all: readonly BulkOutcome[]) => {
    const refused = all.filter((outcome) => outcome.refused !== undefined)
    setStep('changed')
    if (refused.length > 0 || all.length < possible.length) return
    showToast({ kind: 'done', text: `${all.length} ${all.length === 1 ? 'bug is' : 'bugs are'} changed.` })
    leave(all)
  }
  const leave = (all: readonly BulkOutcome[]) => {
    if (all.length > 0) {
      void bringUpToDate(rows, new Map(all.map(({ id }) => [id, false])))
      const changed = new Set(all.flatMap((outcome) => (outcome.refused === undefined ? [outcome.id] : [])))
      const rest = [...selectedBugs.value].filter((id) => !changed.has(id))
      if (rest.length === 0) {
        clearSelection()
        // The bar with the button that opened this is gone.
        requestAnimationFrame(() => document.querySelector<HTMLElement>('.lt')?.focus({ preventScroll: true }))
      } else selectBugs(rest)
      chosenChanges.value = rest.length === 0 ? [] : chosenChanges.value
    }
    onClose()
  }
  const refused = tried.filter((outcome) => outcome.refused !== undefined).length
  return (
    <Dialog
      title={`Preview of ${ids.length.toLocaleString()} ${ids.length === 1 ? 'change' : 'changes'}`}
      onClose={() => step !== 'changing' && leave(done)}
      buttons={
        <>
          {step === 'changing' ? (
            <Button
              onClick={() => {
                isStopped.current = true
              }}
            >
              Stop
            </Button>
          ) : (
            <Button onClick={() => leave(done)}>{step === 'changed' ? 'Close' : 'Change nothing'}</Button>
          )}
          {step !== 'changed' && (
            <Button
              kind="primary"
              isBusy={step === 'changing'}
              unavailable={
                step === 'trying' ? 'Wait for the preview' : possible.length === 0 ? 'No bug would change' : undefined
              }
              onClick={() => void change()}
            >
              {step === 'changing'
                ? 'Changing…'
                : `Change ${possible.length.toLocaleString()} ${possible.length === 1 ? 'bug' : 'bugs'}`}
            </Button>
          )}
        </>
      }
    >
      {step !== 'tried' && (
        <Progress
          isTrying={step === 'trying'}
          made={step === 'trying' ? tried.length : done.length}
          of={step === 'trying' ? ids.length : possible.length}
        />
      )}
      {fault !== undefined && (
        <p class="err" role="alert">
          {fault}
        </p>
      )}
      {refused > 0 && (
        <p>
          {refused.toLocaleString()} of {ids.length.toLocaleString()} will be refused and stay as they are.
        </p>
      )}
      <Outcomes outcomes={tried} done={done} rows={rows} fields={fields} />
    </Dialog>
  )
}

function hasEffect({ changes }: BulkOutcome) {
  return changes.length > 0 || chosenChanges.value.some(({ field }) => field === 'comment')
}

function Progress({ isTrying, made, of }: { isTrying: boolean; made: number; of: number }) {
  return (
    <p class="bulk-progress" role="status">
      <progress value={made} max={Math.max(1, of)} aria-label={isTrying ? 'Trying the change' : 'Changing'} />
      <span>
        {made.toLocaleString()} of {of.toLocaleString()} {isTrying ? 'tried' : 'changed'}
      </span>
    </p>
  )
}

interface OutcomesProps {
  outcomes: readonly BulkOutcome[]
  done: readonly BulkOutcome[]
  rows: Rows
  fields: FieldList
}

function Outcomes({ outcomes, done, rows, fields }: OutcomesProps) {
  const results = new Map(done.map((outcome) => [outcome.id, outcome]))
  const all = outcomes.map((outcome) => results.get(outcome.id) ?? outcome)
  const isRefused = (outcome: BulkOutcome) => outcome.refused !== undefined
  // Those that need a look come first; a table of thousands would only be slow.
  const shown = [...all.filter(isRefused), ...all.filter((outcome) => !isRefused(outcome))].slice(0, MOST_SHOWN)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it
    <section class="bulk-table" tabIndex={0} aria-label="What changes">
      <table class="tbl">
        <thead>
          <tr>
            <th scope="col">Bug</th>
            <th scope="col">What changes</th>
          </tr>
        </thead>
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
    </section>
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

function OutcomeRow({ outcome, isDone, summary, fields }: OutcomeProps) {
  const { id, changes, refused } = outcome
  return (
    <tr>
      <td>
        <span class="c-id">{id}</span> <span dir="auto">{summary}</span>
      </td>
      <td>
        {refused !== undefined ? (
          <span class="err">
            <Icon name="warn" size="s" /> {refused}
          </span>
        ) : changes.length === 0 ? (
          <span class="faint">{isDone ? 'Changed' : 'Stays as it is'}</span>
        ) : (
          changes.map(({ field, removed, added }) => (
            <div key={field}>
              <b>{fields.label(field)}</b> <s>{displayValue(removed) || 'none'}</s> → {displayValue(added) || 'none'}
            </div>
          ))
        )}
        {isDone && refused === undefined && <Icon name="check" size="s" />}
      </td>
    </tr>
  )
}
