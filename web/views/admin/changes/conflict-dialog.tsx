import { useState } from 'preact/hooks'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { focusHeading } from '../../../parts/focus-back.ts'
import { valueInWords } from './change-draft.ts'
import type { Conflict, Place } from './use-place.ts'

/** Another administrator has saved other values: theirs and the reader's side by side, one choice for each. */
export function ConflictDialog<State>({ place, onClose }: { place: Place<State>; onClose(): void }) {
  // The list stays as it was when the dialog was opened.
  const [conflicts] = useState(place.conflicts)
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set(conflicts.filter(isGone).map(keyOf)))
  const choose = (key: string, isTheirs: boolean) => {
    const next = new Set(theirs)
    if (isTheirs) next.add(key)
    else next.delete(key)
    setTheirs(next)
  }
  const take = () => {
    place.draft.drop(...theirs)
    place.keepMine()
    onClose()
    if (place.draft.changes.value.length === 0) focusHeading()
  }
  return (
    <Dialog
      title="Saved by somebody else meanwhile"
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button kind="primary" onClick={take}>
            Take these values
          </Button>
        </>
      }
    >
      <p>Choose what each becomes. Nothing is saved yet.</p>
      {conflicts.map((conflict) => (
        <Choice key={keyOf(conflict)} {...conflict} isTheirs={theirs.has(keyOf(conflict))} onChoice={choose} />
      ))}
    </Dialog>
  )
}

interface ChoiceProps extends Conflict {
  isTheirs: boolean
  onChoice(key: string, isTheirs: boolean): void
}

function Choice({ change, theirs, isTheirs, onChoice }: ChoiceProps) {
  const sides = [
    { isTheirs: true, name: 'Theirs', value: theirs === undefined ? 'removed' : valueInWords(change, theirs) },
    { isTheirs: false, name: 'Mine', value: valueInWords(change, change.after) },
  ]
  return (
    <fieldset class="change-conflict">
      <legend dir="auto">{change.title}</legend>
      {sides.map((side) => (
        <label key={side.name} class="change-conflict-side">
          <span class="checkbox-label">
            <input
              type="radio"
              class="checkbox"
              name={`conflict ${change.key}`}
              checked={isTheirs === side.isTheirs}
              disabled={!side.isTheirs && theirs === undefined}
              onChange={() => onChoice(change.key, side.isTheirs)}
            />
            {side.name}
          </span>
          <span class="change-conflict-value" dir="auto">
            {side.value}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function keyOf({ change }: Conflict) {
  return change.key
}

function isGone({ theirs }: Conflict) {
  return theirs === undefined
}
