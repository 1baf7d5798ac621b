import type { ComponentType } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { SETUP_STEPS, type SetupStep } from '../../../shared/setup-steps.ts'
import { go } from '../../core/router.ts'
import { put, remove } from '../../core/server/rest.ts'
import { showFault, showResult } from '../../core/toasts.ts'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Administrator } from './administrator.tsx'
import { Joining } from './joining.tsx'
import { MailStep } from './mail-step.tsx'
import { NameAndAddress } from './name-and-address.tsx'
import { People } from './people.tsx'
import { Product } from './product.tsx'
import type { StepProps } from './step-form.tsx'
import { useSavedSteps } from './use-saved-steps.ts'

interface Step {
  title: string
  /** What it asks for. */
  about: string
  Part: ComponentType<StepProps>
}

const STEPS: Readonly<Record<SetupStep, Step>> = {
  administrator: { title: 'Administrator', about: 'who you are', Part: Administrator },
  name: { title: 'Name and address', about: 'what the tracker is called, and where it is', Part: NameAndAddress },
  mail: { title: 'Mail', about: 'how the tracker writes to people', Part: MailStep },
  joining: { title: 'Who may see and join', about: 'by address or by invitation', Part: Joining },
  product: { title: 'First product', about: 'what bugs are filed for', Part: Product },
  people: { title: 'People and bugs', about: 'invite people, or move in from a Bugzilla', Part: People },
}

interface Props {
  /** The steps that were done before. */
  done: readonly SetupStep[]
  onEnd(): void
}

/** One step after the other, from the first that is not done. Each saves at once, so that one can stop at any time. */
export function Assistant({ done: doneBefore, onEnd }: Props) {
  const [done, setDone] = useState<ReadonlySet<SetupStep>>(new Set(doneBefore))
  const [name, setName] = useState(() => firstUndone(done))
  const saved = useSavedSteps(done, name)
  const heading = useRef<HTMLDivElement>(null)
  // The form for the code is gone when the first step appears, and each step when the next one does.
  useLayoutEffect(() => {
    heading.current?.focus({ preventScroll: true })
    // On a phone the steps are below, and the part is longer than the window.
    if (window.scrollY > 0) heading.current?.scrollIntoView()
  }, [name])
  const place = SETUP_STEPS.indexOf(name)
  const step = STEPS[name]
  const [before, after] = [SETUP_STEPS[place - 1], SETUP_STEPS[place + 1]]
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
    if (isDone) {
      setDone((last) => new Set([...last, name]))
      if (after !== undefined) put('/admin/setup', { done: [name] }).catch(showFault)
    }
    if (after === undefined) void end()
    else setName(after)
  }
  return (
    <main id="main" class="setup">
      <aside>
        <ol class="setup-steps">
          {SETUP_STEPS.map((it, number) => (
            <li
              key={it}
              class={it === name ? 'is-now' : done.has(it) ? 'is-done' : undefined}
              aria-current={it === name ? 'step' : undefined}
            >
              <span class="setup-number">{done.has(it) && it !== name ? <Icon name="check" /> : number + 1}</span>
              <button type="button" class="setup-step" onClick={() => setName(it)}>
                <b>
                  {STEPS[it].title}
                  {done.has(it) && <span class="visually-hidden"> (done)</span>}
                </b>
                <span class="small break-anywhere">{saved[it] || STEPS[it].about}</span>
              </button>
            </li>
          ))}
        </ol>
        <div class="setup-notes">
          <p class="hint">Everything here can be changed later in the administration.</p>
          <p class="hint">
            Stopped in between? What was saved is kept. Open this address again and log in: it begins where you stopped.
          </p>
          <p>
            <Button size="small" onClick={() => void end()}>
              End the set-up now
            </Button>
          </p>
        </div>
      </aside>
      <div class="setup-part" ref={heading} tabIndex={-1}>
        <p class="faint">
          Step {place + 1} of {SETUP_STEPS.length}
          {done.has(name) && ', done: what is saved is shown, and can be changed'}
        </p>
        <step.Part
          key={name}
          isDone={done.has(name)}
          onDone={() => goOn(true)}
          onSkip={before === undefined && !done.has(name) ? undefined : () => goOn(false)}
          onBack={before === undefined ? undefined : () => setName(before)}
          next={after === undefined ? undefined : STEPS[after].title.toLowerCase()}
        />
      </div>
    </main>
  )
}

/** The last one if all are done: it ends the set-up. */
function firstUndone(done: ReadonlySet<SetupStep>): SetupStep {
  return SETUP_STEPS.find((step) => !done.has(step)) ?? 'people'
}
