import { useRef } from 'preact/hooks'
import { Button } from '../../../parts/button.tsx'
import { Time } from '../../../parts/time.tsx'
import { type HiddenStep, inWords } from './activity.ts'

interface Props {
  steps: readonly HiddenStep[]
  canLogIn: boolean
  onRestore(step: HiddenStep): Promise<void>
}

/** What was hidden before, the last first, each with a way to undo it. */
export function HiddenSteps({ steps, canLogIn, onRestore }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  // Steps that found nothing change nothing when they are undone.
  const shown = steps.filter(({ bugs, comments, attachments }) => bugs + comments + attachments > 0).toReversed()
  if (shown.length === 0) return null
  const restore = async (step: HiddenStep) => {
    await onRestore(step)
    // Its button is gone.
    heading.current?.focus()
  }
  return (
    <section class="stack" aria-label="Hidden before">
      <h3 tabIndex={-1} ref={heading}>
        Hidden before
      </h3>
      <ul class="card rows">
        {shown.map((step) => (
          <li key={step.id} class="misuse-item row wrap">
            <span class="grow break-anywhere">
              {inWords(step)}, <Time at={step.at} isInSentence />
              <By login={step.who} />
              {step.restored_at !== null && (
                <span class="muted">
                  ; shown again <Time at={step.restored_at} isInSentence />
                  <By login={step.restored_by} />
                </span>
              )}
            </span>
            {!step.is_restored && (
              <Button size="small" icon="undo" onClick={() => void restore(step)}>
                Show it again
              </Button>
            )}
          </li>
        ))}
      </ul>
      {!canLogIn && shown.some(({ is_restored }) => !is_restored) && (
        <p class="faint small">The account stays disabled when it is shown again.</p>
      )}
    </section>
  )
}

function By({ login }: { login: string | null }) {
  if (login === null) return null
  return (
    <>
      {' by '}
      <bdi>{login}</bdi>
    </>
  )
}
