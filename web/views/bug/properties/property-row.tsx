import { personBy } from '../../../core/bugs/people.ts'
import { Button } from '../../../parts/button.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { nameOf } from '../../../parts/person.tsx'
import type { Conflict } from '../conflict.ts'
import { useBug, useBugStore } from '../use-bug.ts'
import { Editor } from './editors.tsx'
import type { Property } from './properties.ts'
import { PropertyValue } from './values.tsx'

/** A label and a value. A click on the value opens its editor in the same place. */
export function PropertyRow({ property }: { property: Property }) {
  const store = useBugStore()
  const bug = useBug()
  const { name, label } = property
  const conflict = store.conflicts.value.get(name)
  if (conflict !== undefined) return <ConflictRow name={name} conflict={conflict} />
  if (store.editing.value === name)
    return (
      <div class="property">
        <dt>{label}</dt>
        <dd class="is-editing">
          <Editor property={property} />
        </dd>
      </div>
    )
  const can = mayEdit(store.may(name), property) || (name === 'tags' && store.asOf.value === undefined)
  const classes = [can && 'is-editable', store.saved.value === name && 'is-saved'].filter(Boolean).join(' ')
  return (
    <div class="property">
      <dt>{label}</dt>
      <dd class={classes} data-field={name}>
        <PropertyValue bug={bug} property={property} />
        {can && (
          <button
            type="button"
            class="edit-button"
            aria-label={`Change ${label}`}
            onClick={() => {
              store.editing.value = name
            }}
          >
            <Icon name="edit" size="small" />
          </button>
        )}
        {!can && store.asked.value === name && property.kind !== 'fixed' && (
          <div class="hint" role="status">
            {store.reason(name)}
          </div>
        )}
      </dd>
    </div>
  )
}

function mayEdit(may: boolean, { kind }: Property) {
  return may && kind !== 'fixed'
}

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
