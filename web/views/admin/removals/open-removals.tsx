import { useState } from 'preact/hooks'
import { nameInSentence } from '../../../core/name-in-sentence.ts'
import { showFault } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Progress } from '../../../parts/progress.tsx'
import { Time } from '../../../parts/time.tsx'
import { type Removal, setRemovalState, useRemovals } from './removals.ts'

interface Props {
  isShown?: (removal: Removal) => boolean
  /** One has ended or was stopped: the page shows what is left. */
  onEnd?: () => void
}

/** What is deleted or merged in steps just now, and what was stopped on the way. Nothing is shown if there is none. */
export function OpenRemovals({ isShown = () => true, onEnd = () => {} }: Props) {
  const open = useRemovals(isShown, onEnd)
  if (open.length === 0) return null
  return (
    <ul class="card rows" aria-label="What goes on in steps">
      {open.map((removal) => (
        <OpenRemoval key={removal.id} removal={removal} />
      ))}
    </ul>
  )
}

function OpenRemoval({ removal }: { removal: Removal }) {
  const { state, reason, who, begun_at, bugs, bugs_done } = removal
  const [isBusy, setBusy] = useState(false)
  const change = async (next: 'running' | 'stopped') => {
    setBusy(true)
    await setRemovalState(removal, next).catch((fault) => showFault(fault))
    setBusy(false)
  }
  const counted = bugs === undefined || bugs_done === undefined ? '' : numbersInWords(removal, bugs, bugs_done)
  return (
    <li class="row wrap removal">
      <div class="grow">
        <b>{titleOf(removal)}</b>
        {bugs !== undefined && bugs_done !== undefined && (
          <Progress done={bugs_done} all={bugs} label={`${bugs_done} of ${bugs} bugs`} />
        )}
        <span class="muted small">
          <span role="status">
            {state === 'failed' && (
              <span class="error" dir="auto">
                It could not go on: {reason}{' '}
              </span>
            )}
            {state === 'stopped' && 'Stopped. '}
          </span>
          {counted}
        </span>
        <span class="faint small">
          begun by <bdi>{who}</bdi> <Time at={begun_at} isInSentence />
        </span>
      </div>
      {state === 'running' ? (
        <Button size="small" isBusy={isBusy} onClick={() => void change('stopped')}>
          Stop
        </Button>
      ) : (
        <Button size="small" isBusy={isBusy} onClick={() => void change('running')}>
          Go on
        </Button>
      )}
    </li>
  )
}

const WORDS: Readonly<Record<string, string>> = {
  'Tracker::Product': 'product',
  'Tracker::Component': 'component',
  'Tracker::Milestone': 'milestone',
  'Tracker::FieldValue': 'value',
  'Tracker::Keyword': 'keyword',
}

function titleOf({ class: className, name, replaced_with, state }: Removal) {
  const what = `the ${WORDS[className] ?? 'object'} ${nameInSentence(name)}`
  if (replaced_with !== null)
    return state === 'running'
      ? `Merging ${what} into ${nameInSentence(replaced_with)}`
      : `Merge ${what} into ${nameInSentence(replaced_with)}`
  return state === 'running' ? `Deleting ${what}` : `Delete ${what}`
}

function numbersInWords({ state, begun_at }: Removal, bugs: number, done: number) {
  const counted = `${done.toLocaleString()} of ${bugs.toLocaleString()} bugs`
  if (state !== 'running') return `${counted} are done and stay so; the others were not changed.`
  const passed = Date.now() - Date.parse(begun_at)
  if (done === 0 || passed < SOME_MILLISECONDS) return counted
  return `${counted}, ${timeInWords((passed * (bugs - done)) / done)}`
}

/** Before, nobody can say how long the rest takes. */
const SOME_MILLISECONDS = 5000
const MINUTE = 60_000

function timeInWords(milliseconds: number) {
  if (milliseconds < MINUTE) return 'less than a minute left'
  const minutes = Math.round(milliseconds / MINUTE)
  return minutes === 1 ? 'about a minute left' : `about ${minutes.toLocaleString()} minutes left`
}
