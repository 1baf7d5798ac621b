import { useEffect, useRef, useState } from 'preact/hooks'
import { usesMarkdown } from '../../../core/account/session.ts'
import { applyChanges, type BulkOutcome, previewChanges } from '../../../core/bugs/change-many.ts'
import type { FieldList } from '../../../core/bugs/fields.ts'
import { showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { WrittenText } from '../../../parts/text/written-text.tsx'
import type { Undone } from '../../../parts/use-undo.ts'
import { clearSelection, selectBugs, selectedBugs } from '../state.ts'
import type { Rows } from '../table/rows.ts'
import { bringUpToDate } from '../table/use-live-rows.ts'
import { bodyOf, chosenChanges } from './bulk-changes.ts'
import { isRefused, Outcomes } from './bulk-outcomes.tsx'

type Step = 'trying' | 'tried' | 'changing' | 'changed'

/** A table of what the change would do to each bug, then the change itself, one bug after the other. */
interface PreviewProps {
  rows: Rows
  fields: FieldList
  onClose(): void
  /** Asked for after everything was changed. */
  onUndo(what: Undone): void
}

export function BulkPreview({ rows, fields, onClose, onUndo }: PreviewProps) {
  const bulk = useBulkChange()
  const { ids, step, tried, done, possible, fault } = bulk
  const leave = () => {
    keepUnchanged(rows, done)
    onClose()
  }
  const change = async () => {
    const all = await bulk.change()
    const isWhole = all.length === possible.length && !all.some(isRefused)
    if (!isWhole) return
    showToast({
      kind: 'done',
      text: `${all.length} ${all.length === 1 ? 'bug is' : 'bugs are'} changed.`,
      action: { name: 'Undo…', run: () => onUndo(madeIn(all)) },
    })
    keepUnchanged(rows, all)
    onClose()
  }
  const refused = tried.filter(isRefused).length
  return (
    <Dialog
      title={`Preview of ${ids.length.toLocaleString()} ${ids.length === 1 ? 'change' : 'changes'}`}
      onClose={() => step !== 'changing' && leave()}
      buttons={
        <>
          {step === 'changing' ? (
            <Button onClick={bulk.stop}>Stop</Button>
          ) : (
            <Button onClick={leave}>{step === 'changed' ? 'Close' : 'Change nothing'}</Button>
          )}
          {step !== 'changed' && <ChangeButton step={step} count={possible.length} onClick={() => void change()} />}
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
        <p class="error" role="alert">
          {fault}
        </p>
      )}
      {refused > 0 && (
        <p>
          {refused.toLocaleString()} of {ids.length.toLocaleString()} will be refused and stay as they are.
        </p>
      )}
      <ChosenComment />
      <Outcomes outcomes={tried} done={done} rows={rows} fields={fields} />
    </Dialog>
  )
}

/** The comment as it will be read, because the table has only fields. */
function ChosenComment() {
  const comment = chosenChanges.value.find(({ field }) => field === 'comment')
  if (comment === undefined) return null
  const { body } = comment.body.comment as { body: string }
  return (
    <figure class="bulk-comment">
      <figcaption class="faint small">Each bug gets the comment</figcaption>
      <blockquote class="prose" dir="auto">
        <WrittenText text={body} isMarkdown={usesMarkdown.value} />
      </blockquote>
    </figure>
  )
}

/** Tries the chosen changes on the selected bugs at once, and makes them when `change` is called. */
function useBulkChange() {
  const [ids] = useState(() => [...selectedBugs.value])
  const [step, setStep] = useState<Step>('trying')
  const [tried, setTried] = useState<readonly BulkOutcome[]>([])
  const [done, setDone] = useState<readonly BulkOutcome[]>([])
  const [fault, setFault] = useState<string>()
  const isStopped = useRef(false)
  const body = bodyOf(chosenChanges.value)
  const stop = () => {
    isStopped.current = true
  }

  useEffect(() => {
    const add = (outcomes: readonly BulkOutcome[]) => setTried((last) => [...last, ...outcomes])
    previewChanges(ids, body, add, () => isStopped.current).then(
      () => setStep('tried'),
      (problem) => setFault((problem as Error).message),
    )
    return stop
  }, [])

  const possible = tried.filter((outcome) => hasEffect(outcome) && !isRefused(outcome))
  const change = async (): Promise<readonly BulkOutcome[]> => {
    setStep('changing')
    const all: BulkOutcome[] = []
    const add = (outcome: BulkOutcome) => {
      all.push(outcome)
      setDone([...all])
    }
    const possibleIds = possible.map(({ id }) => id)
    try {
      await applyChanges(possibleIds, body, add, () => isStopped.current)
    } catch (problem) {
      setFault(`${(problem as Error).message} ${all.length} of ${possible.length} are changed.`)
    }
    setStep('changed')
    return all
  }
  return { ids, step, tried, done, possible, fault, change, stop }
}

/** What was changed, in the form in which it is undone. */
function madeIn(all: readonly BulkOutcome[]): Undone {
  const times = all.flatMap(({ at }) => at ?? []).sort()
  const [since = '', until = ''] = [times[0], times.at(-1)]
  return { source: 'page', since, until, bugs: all.map(({ id }) => id) }
}

/** Bugs that were changed are no longer selected. The others stay selected, with what was chosen for them. */
function keepUnchanged(rows: Rows, done: readonly BulkOutcome[]) {
  if (done.length === 0) return
  void bringUpToDate(rows, new Map(done.map(({ id }) => [id, false])))
  const changed = new Set(done.flatMap((outcome) => (isRefused(outcome) ? [] : [outcome.id])))
  const rest = [...selectedBugs.value].filter((id) => !changed.has(id))
  if (rest.length > 0) return selectBugs(rest)
  clearSelection()
  chosenChanges.value = []
  // The bar with the button that opened this is gone.
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.bug-table')?.focus({ preventScroll: true }))
}

function ChangeButton({ step, count, onClick }: { step: Step; count: number; onClick(): void }) {
  const unavailable = step === 'trying' ? 'Wait for the preview' : count === 0 ? 'No bug would change' : undefined
  return (
    <Button kind="primary" isBusy={step === 'changing'} unavailable={unavailable} onClick={onClick}>
      {step === 'changing' ? 'Changing…' : `Change ${count.toLocaleString()} ${count === 1 ? 'bug' : 'bugs'}`}
    </Button>
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
