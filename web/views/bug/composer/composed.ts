// What the composer will send besides the text.
import { signal } from '@preact/signals'
import type { Step } from '../status/steps.ts'

export interface FlagChange {
  name: string
  type_id: number
  status: string
  requestee?: string
}

export interface Composed {
  step?: Step & { dupeOf?: string }
  flags: readonly FlagChange[]
  hours: string
}

export const NOTHING_COMPOSED: Composed = { flags: [], hours: '' }

export const composed = signal<Composed>(NOTHING_COMPOSED)
/** Counts up when something wants the composer's focus. */
export const focusWanted = signal(0)

export function withStep({ step: _, ...others }: Composed, step: Composed['step']): Composed {
  return step === undefined ? others : { ...others, step }
}

/** A step that needs a comment is taken in the composer. */
export function stepInComposer(step: Step) {
  composed.value = withStep(composed.value, step)
  focusWanted.value++
}
