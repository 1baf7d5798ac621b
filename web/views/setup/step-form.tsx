import type { ComponentChildren } from 'preact'
import { Button } from '../../parts/button.tsx'
import { FormFault } from '../../parts/form-fault.tsx'
import { useSubmit } from '../../parts/use-submit.ts'

export interface StepProps {
  /** Whether it was done before: it shows what was saved then. */
  isDone: boolean
  onDone(): void
  /** Undefined if the step cannot be skipped. */
  onSkip: (() => void) | undefined
  onBack: (() => void) | undefined
  /** The name of the next step; undefined after the last. */
  next: string | undefined
}

interface Props extends StepProps {
  title: string
  about: string
  /** Throws what the server refuses, which is shown above the buttons. */
  onSend(): Promise<void>
  /** A second way on, beside the button that continues. */
  other?: ComponentChildren
  children: ComponentChildren
}

/** A step of the assistant: its fields, and the ways on. */
export function StepForm({ title, about, onSend, other, children, ...ways }: Props) {
  const { submit, isBusy, fault } = useSubmit(async () => {
    await onSend()
    ways.onDone()
  })
  return (
    <form class="stack" aria-label={title} onSubmit={submit}>
      <div>
        <h1 class="setup-title">{title}</h1>
        <p class="muted">{about}</p>
      </div>
      {children}
      <FormFault text={fault?.message} />
      <StepWays {...ways} isBusy={isBusy} other={other} />
    </form>
  )
}

function StepWays(props: StepProps & { isBusy: boolean; other: ComponentChildren }) {
  const { onSkip, onBack, next, isBusy, other } = props
  return (
    <div class="setup-ways">
      {onBack !== undefined && (
        <Button size="large" kind="quiet" icon="left" onClick={onBack}>
          Back
        </Button>
      )}
      <span class="setup-on">
        {onSkip !== undefined && (
          <Button size="large" kind="quiet" onClick={onSkip}>
            Skip
          </Button>
        )}
        {other}
        <Button size="large" kind="primary" type="submit" isBusy={isBusy}>
          {next === undefined ? 'Finish' : `Continue: ${next}`}
        </Button>
      </span>
    </div>
  )
}
