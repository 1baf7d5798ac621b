import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { FieldError, SelectField } from '../../../parts/field.tsx'
import { countBugsIn, type MovedFrom, type MoveProgress, moveBugs } from './move-bugs.ts'

interface Props {
  from: MovedFrom
  /** How the field is called, such as `component`. */
  word: string
  /** Where the bugs can go. */
  targets: readonly string[]
  onDone(): void
  onClose(): void
}

/** Empties a component, version or milestone, so that it can be deleted. The bugs are changed at once, not together with the bar. */
export function MoveBugsDialog({ from, word, targets, onDone, onClose }: Props) {
  const [count, setCount] = useState<number>()
  const [to, setTo] = useState(targets[0] ?? '')
  const [progress, setProgress] = useState<MoveProgress>()
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const isStopped = useRef(false)
  useEffect(() => {
    countBugsIn(from).then(setCount, (it: Error) => setFault(it.message))
    return () => {
      isStopped.current = true
    }
  }, [])
  const move = async (event: Event) => {
    event.preventDefault()
    if (isBusy || to === '') return
    setBusy(true)
    setFault(undefined)
    try {
      const { refused } = await moveBugs(from, to, setProgress, () => isStopped.current)
      onDone()
      if (refused.size === 0) onClose()
    } catch (it) {
      setFault((it as Error).message)
    }
    setBusy(false)
  }
  return (
    <Dialog title={`Move the bugs of ${from.name}`} onClose={onClose}>
      <form class="stack" onSubmit={move}>
        <p aria-live="polite">{count === undefined ? 'Counting…' : sentenceOf(count)}</p>
        <SelectField
          label={`To the ${word}`}
          value={to}
          options={targets.map((name) => ({ value: name, name }))}
          onChoice={setTo}
        />
        {progress !== undefined && (
          <div role="status">
            <progress value={progress.moved} max={Math.max(1, count ?? 1)} aria-label="Moving" />
            <p>{progress.moved.toLocaleString()} moved</p>
            {[...progress.refused].map(([reason, bugs]) => (
              <p key={reason} class="error" dir="auto">
                {bugs.toLocaleString()} not moved: {reason}
              </p>
            ))}
          </div>
        )}
        {fault !== undefined && <FieldError error={fault} />}
        <div class="dialog-actions">
          <Button onClick={onClose}>{isBusy ? 'Stop' : 'Close'}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy} unavailable={reasonAgainst(count, targets)}>
            Move them
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function sentenceOf(count: number) {
  const bugs = count === 1 ? '1 bug' : `${count.toLocaleString()} bugs`
  return `${bugs}, open and closed, that you may see. Each is changed as if by hand: with a line of history and mail.`
}

function reasonAgainst(count: number | undefined, targets: readonly string[]) {
  if (targets.length === 0) return 'There is no other one'
  return count === 0 ? 'There are no bugs' : undefined
}
