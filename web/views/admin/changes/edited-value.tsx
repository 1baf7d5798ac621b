import type { ComponentChildren } from 'preact'
import type { Change, ChangeCall } from './change-draft.ts'
import { OldValue } from './changed-value.tsx'
import type { Place } from './use-place.ts'

interface Options {
  /** The key of its change. */
  key: string
  /** What the bar calls it. */
  title: string
  /** What is saved. */
  before: string
  /** The call that changes it to a value. */
  call(after: string): ChangeCall
  /** What the page calls values, such as “everybody” for an empty one. */
  words?: Readonly<Record<string, string>> | undefined
  /** When the call is made, among all that are saved together. */
  order?: number
}

/** A value of an object: what its control shows, its change if there is one, and what notes a change. */
export interface EditedValue {
  value: string
  change: Change | undefined
  set(after: string): void
}

export function editedValue<State>(place: Place<State>, options: Options): EditedValue {
  const { key, title, before, call, words, order = 0 } = options
  return {
    value: place.draft.valueOf(key, before),
    change: place.draft.get(key),
    set: (after) => place.change({ key, title, before, after, order, call: call(after), ...(words && { words }) }),
  }
}

/** A control with the old value below it while its change is not saved. */
export function Edited({ value, children }: { value: EditedValue; children: ComponentChildren }) {
  return (
    <div class={value.change && 'is-unsaved'}>
      {children}
      <OldValue change={value.change} />
    </div>
  )
}

interface CheckProps {
  value: EditedValue
  label: string
  hint?: string | undefined
}

/** A check box of which the words are `yes` and `no`. */
export function EditedCheck({ value, label, hint }: CheckProps) {
  return (
    <Edited value={value}>
      <label class="checkbox-label">
        <input
          type="checkbox"
          class="checkbox"
          checked={value.value === 'yes'}
          onChange={(event) => value.set(event.currentTarget.checked ? 'yes' : 'no')}
        />
        {label}
      </label>
      {hint !== undefined && <div class="hint">{hint}</div>}
    </Edited>
  )
}
