import type { ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { go } from '../../core/router.ts'
import { remove } from '../../core/server/rest.ts'
import { showResult } from '../../core/toasts.ts'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Administrator } from './administrator.tsx'
import { Joining } from './joining.tsx'
import { MailStep } from './mail-step.tsx'
import { NameAndAddress } from './name-and-address.tsx'
import { People } from './people.tsx'
import { Product } from './product.tsx'
import type { StepProps } from './step-form.tsx'

interface Step {
  name: string
  about: string
  Part: ComponentType<StepProps>
}

const STEPS: readonly Step[] = [
  { name: 'Administrator', about: 'who you are', Part: Administrator },
  { name: 'Name and address', about: 'what the tracker is called, and where it is', Part: NameAndAddress },
  { name: 'Mail', about: 'how the tracker writes to people', Part: MailStep },
  { name: 'Who may see and join', about: 'by address or by invitation', Part: Joining },
  { name: 'First product', about: 'what bugs are filed for', Part: Product },
  { name: 'People and bugs', about: 'invite people, or move in from a Bugzilla', Part: People },
]

/** One step after the other. Each saves at once, so that one can stop at any time. */
export function Assistant({ onEnd }: { onEnd(): void }) {
  const [place, setPlace] = useState(0)
  const [done, setDone] = useState<ReadonlySet<number>>(new Set())
  const heading = useRef<HTMLDivElement>(null)
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) heading.current?.focus()
    isFirst.current = false
  }, [place])
  const end = () =>
    showResult(
      () => remove('/admin/setup', {}),
      'The tracker is set up.',
      () => {
        onEnd()
        go('/')
      },
    )
  const goOn = (isDone: boolean) => {
    if (isDone) setDone((last) => new Set([...last, place]))
    if (place + 1 === STEPS.length) void end()
    else setPlace(place + 1)
  }
  const step = STEPS[place]
  if (step === undefined) return null
  return (
    <main id="main" class="setup">
      <aside>
        <ol class="setup-steps">
          {STEPS.map(({ name, about }, number) => (
            <li
              key={name}
              class={number === place ? 'is-now' : done.has(number) ? 'is-done' : undefined}
              aria-current={number === place ? 'step' : undefined}
            >
              <span class="setup-number">
                {done.has(number) && number !== place ? <Icon name="check" /> : number + 1}
              </span>
              <button type="button" class="setup-step" onClick={() => setPlace(number)}>
                <b>{name}</b>
                <span class="small">{about}</span>
              </button>
            </li>
          ))}
        </ol>
        <div class="setup-notes">
          <p class="hint">Everything here can be changed later in the administration.</p>
          <p class="hint">Stopped in between? What was saved is kept. Open this address again and log in.</p>
          <p>
            <Button size="small" onClick={() => void end()}>
              End the set-up now
            </Button>
          </p>
        </div>
      </aside>
      <div class="setup-part" ref={heading} tabIndex={-1}>
        <p class="faint">
          Step {place + 1} of {STEPS.length}
        </p>
        <step.Part
          key={place}
          onDone={() => goOn(true)}
          onSkip={place === 0 ? undefined : () => goOn(false)}
          onBack={place === 0 ? undefined : () => setPlace(place - 1)}
          next={STEPS[place + 1]?.name.toLowerCase()}
        />
      </div>
    </main>
  )
}
