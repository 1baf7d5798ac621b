import { Icon } from '../../../parts/icon.tsx'
import { late } from '../../../parts/late.tsx'
import { useBug, useBugStore } from '../use-bug.ts'
import { Editor } from './editors.tsx'
import type { Property } from './properties.ts'
import { PropertyValue } from './values.tsx'

/** Two users seldom change the same value at once. */
export const ConflictRow = late(async () => (await import('./conflict-row.tsx')).ConflictRow)

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
