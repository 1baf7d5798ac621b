import type { ComponentProps } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { FILTERS } from '../../../core/bugs/field-places.ts'
import type { FieldList } from '../../../core/bugs/fields.ts'
import { isShownField } from '../../../core/bugs/hidden-fields.ts'
import { useCommands } from '../../../core/keys.ts'
import { go, goWith, query } from '../../../core/router.ts'
import { Icon } from '../../../parts/icon.tsx'
import { Menu } from '../../../parts/menu.tsx'
import { FilterEditor } from './filter-editor.tsx'
import { type Filter, filtersOf } from './filters.ts'

/** The query in words: each part can be changed by a click, and removed. */
export function FilterChips({ fields, complaint }: { fields: FieldList; complaint: string | undefined }) {
  const [editing, setEditing] = useState<string>()
  const chips = useRef<HTMLDivElement>(null)
  const filters = filtersOf(query.value, fields)
  const edit = (filter: Filter) => {
    if (filter.edits === 'search field') document.querySelector<HTMLInputElement>('.search-field input')?.focus()
    else if (filter.edits === 'builder') goWith({ view: 'search' }, 'push')
    else setEditing(filter.key)
  }
  const custom = fields.choices.filter((field) => field.is_custom).map(({ name }) => name)
  const offered = [...FILTERS.filter(isShownField), ...custom].map((name) => ({
    name: fields.label(name),
    run: () => setEditing(name),
  }))
  useCommands(offered.map(({ name, run }) => ({ name: `Filter by ${name}`, run })))
  return (
    <>
      <div class="chips" role="group" aria-label="Filters" ref={chips}>
        {filters.map((filter, place) => (
          <Chip
            key={filter.key}
            filter={filter}
            isWrong={
              complaint !== undefined && filter.values.some((value) => value !== '' && complaint.includes(value))
            }
            onEdit={() => edit(filter)}
            onRemove={() => {
              go(`/bugs?${filter.without}`, 'push')
              requestAnimationFrame(() => focusNear(chips.current, place))
            }}
          />
        ))}
      </div>
      <AddFilter
        label="Add a filter"
        items={[
          ...offered,
          'line',
          { name: 'Advanced search', icon: 'filter', run: () => goWith({ view: 'search' }, 'push') },
        ]}
      />
      {editing !== undefined && (
        <Popover anchor={chips} name={editing} onClose={() => setEditing(undefined)}>
          <FilterEditor key={editing} name={editing} fields={fields} />
        </Popover>
      )}
    </>
  )
}

/** The button after the chips, with the fields that can be filtered by. */
export function AddFilter({ label, items }: Pick<ComponentProps<typeof Menu>, 'label' | 'items'>) {
  const button = (
    <>
      <Icon name="plus" size="tiny" />
      Filter
    </>
  )
  return <Menu label={label} buttonClass="chip chip-add" button={button} items={items} />
}

/** The chip that had the focus is gone: the next one gets it, or the button that adds one. */
export function focusNear(chips: HTMLElement | null, place: number) {
  if (chips === null || document.activeElement !== document.body) return
  const left = chips.querySelectorAll<HTMLElement>('.chip > button:first-child')
  const next = left[Math.min(place, left.length - 1)] ?? chips.parentElement?.querySelector<HTMLElement>('.chip-add')
  next?.focus()
}

interface ChipProps {
  filter: Filter
  isWrong?: boolean
  onEdit(): void
  onRemove(): void
}

export function Chip({ filter, isWrong = false, onEdit, onRemove }: ChipProps) {
  const { key, label, text } = filter
  return (
    <span class={isWrong ? 'chip is-wrong' : 'chip'} data-filter={key}>
      <button type="button" onClick={onEdit} title={`Change: ${label} ${text}`}>
        {label !== '' && <span class="chip-label">{label}</span>}{' '}
        <span class="chip-text" dir="auto">
          {text}
        </span>
      </button>
      <button type="button" class="chip-remove" aria-label={`Remove ${label} ${text}`} onClick={onRemove}>
        <Icon name="x" size="tiny" />
      </button>
    </span>
  )
}

interface PopoverProps {
  anchor: { current: HTMLElement | null }
  name: string
  onClose(): void
  children: preact.ComponentChildren
}

/** Below the chip that is changed, or at the end of the chips. Escape, Tab out of it and a click elsewhere close it. */
export function Popover({ anchor, name, onClose, children }: PopoverProps) {
  const box = useRef<HTMLDivElement>(null)
  // Read before the first field takes the focus.
  const [before] = useState(() => document.activeElement as HTMLElement | null)
  useLayoutEffect(() => {
    const chip = anchor.current?.querySelector(`[data-filter="${CSS.escape(name)}"]`) ?? anchor.current
    const left = chip?.getBoundingClientRect().left ?? 0
    const edge = box.current?.offsetParent?.getBoundingClientRect().left ?? 0
    box.current?.style.setProperty('--left', `${Math.max(8, Math.min(left, innerWidth - 300)) - edge}px`)
  }, [name])
  useLayoutEffect(() => box.current?.querySelector<HTMLElement>('input')?.focus(), [])
  useEffect(() => {
    const leave = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) onClose()
    }
    addEventListener('pointerdown', leave)
    return () => {
      removeEventListener('pointerdown', leave)
      if (document.activeElement === document.body) before?.focus()
    }
  }, [])
  return (
    <div
      class="popup filter-popup"
      ref={box}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !box.current?.contains(relatedTarget)) onClose()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
    >
      {children}
    </div>
  )
}
