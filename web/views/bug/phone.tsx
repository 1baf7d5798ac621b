import { useState } from 'preact/hooks'
import { IconButton } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { isSet, propertyGroups } from './properties/properties.ts'
import { PropertyRow } from './properties/property-row.tsx'
import { Side } from './side.tsx'
import { FlagChip } from './status/flags.tsx'
import { useBug, useBugStore } from './use-bug.ts'

/** On a phone: three fields, and all of them as a sheet. */
export function PhoneFields() {
  const store = useBugStore()
  const bug = useBug()
  const [isOpen, setOpen] = useState(false)
  const groups = propertyGroups(bug, store.fields.value)
  const all = Object.values(groups).flat()
  const shown = [groups.people[0], groups.where.find(({ name }) => name === 'target_milestone')]
  const flags = (bug.flags ?? []).filter(({ status }) => status === '?')
  return (
    <div class="only-phone phone-fields">
      <dl class="properties">
        {shown.map(
          (property) => property && isSet(bug, property) && <PropertyRow key={property.name} property={property} />,
        )}
        {flags.length > 0 && (
          <div class="property">
            <dt>Requests</dt>
            <dd>
              {flags.map((flag) => (
                <FlagChip key={flag.id} flag={flag} />
              ))}
            </dd>
          </div>
        )}
      </dl>
      <button type="button" class="button phone-all-fields" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        All {all.length} fields
        <Icon name="right" />
      </button>
      {isOpen && (
        <div class="sheet" role="dialog" aria-label="All fields" aria-modal="true">
          <div class="sheet-head">
            <h2>All fields</h2>
            <IconButton name="Close" icon="x" onClick={() => setOpen(false)} />
          </div>
          <Side label="All fields" />
        </div>
      )}
    </div>
  )
}

/** The line above the tab bar that opens the composer. */
export function PhoneWrite() {
  const store = useBugStore()
  if (!store.may('comment')) return null
  const open = () => {
    document.body.classList.add('is-writing')
    document.querySelector<HTMLElement>('.composer textarea')?.focus()
  }
  return (
    <div class="phone-write only-phone">
      <button type="button" class="input" onClick={open}>
        Write a comment
      </button>
    </div>
  )
}
