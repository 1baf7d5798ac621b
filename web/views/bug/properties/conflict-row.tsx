import { personBy } from '../../../core/bugs/people.ts'
import { Button } from '../../../parts/button.tsx'
import { nameOf } from '../../../parts/person.tsx'
import type { Conflict } from '../conflict.ts'
import { useBugStore } from '../use-bug.ts'

/** Both values, and a button for each: nothing is overwritten. */
export function ConflictRow({ name, conflict }: { name: string; conflict: Conflict }) {
  const store = useBugStore()
  const who = conflict.who === undefined ? 'Another user' : nameOf(personBy(conflict.who))
  const isEditing = store.editing.value === name
  const keep = () => {
    if (isEditing) store.editing.value = undefined
    store.setConflict(name, undefined)
    conflict.keepTheirs?.()
  }
  return (
    <div class="property">
      <dt>{conflict.label}</dt>
      <dd class="is-conflict">
        <p role="alert">
          <bdi>{who}</bdi> set <b dir="auto">{conflict.theirs}</b>, you chose <b dir="auto">{conflict.mine}</b>.
        </p>
        <span class="row wrap">
          <Button size="small" onClick={keep}>
            Keep {conflict.theirs}
          </Button>
          <Button size="small" onClick={conflict.setMine}>
            Set {conflict.mine}
          </Button>
        </span>
      </dd>
    </div>
  )
}
