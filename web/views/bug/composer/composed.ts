// What the composer will send besides the text.
import { signal } from '@preact/signals'
import type { Flag } from '../../../core/server/types.ts'
import type { Step } from '../status/steps.ts'

export interface FlagChange {
  /** Of the request that the text answers; a new flag has none. */
  id?: number
  name: string
  type_id: number
  status: string
  requestee?: string
}

export interface ComposerExtras {
  step?: Step & { dupeOf?: string }
  flags: readonly FlagChange[]
  hours: string
  /** Whether the text answers these questions, by the id of the flag, where the reader has decided it. */
  answers: Readonly<Record<number, boolean>>
}

export const NO_EXTRAS: ComposerExtras = { flags: [], hours: '', answers: {} }

export const composerExtras = signal<ComposerExtras>(NO_EXTRAS)
/** A counter: each increment moves the focus to the composer. */
export const focusRequests = signal(0)

export function withStep({ step: _, ...others }: ComposerExtras, step: ComposerExtras['step']): ComposerExtras {
  return step === undefined ? others : { ...others, step }
}

/** The text of the composer answers the question, which clears its flag. */
export function answerInComposer({ id }: Flag) {
  decideAnswer(id, true)
  focusRequests.value++
}

/** Whether the text answers this question. */
export function decideAnswer(id: number, isAnswered: boolean) {
  const { answers, ...others } = composerExtras.value
  composerExtras.value = { ...others, answers: { ...answers, [id]: isAnswered } }
}

/** Puts a step that needs a comment into the composer. */
export function stepInComposer(step: Step) {
  composerExtras.value = withStep(composerExtras.value, step)
  focusRequests.value++
}
