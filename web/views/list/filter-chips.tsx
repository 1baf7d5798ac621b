import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { FieldList } from '../../core/fields.ts'
import { go, goWith, query } from '../../core/router.ts'
import { Icon } from '../../parts/icon.tsx'
import { Menu } from '../../parts/menu.tsx'
import { FilterEditor } from './filter-editor.tsx'
import { type Filter, filtersOf } from './filters.ts'

/** What “+ Filter” offers, in this order; custom fields follow. */
const OFFERED = [
  'product',
  'component',
  'status',
  'resolution',
  'priority',
  'severity',
  'assigned_to',
  'creator',
  'cc',
  'target_milestone',
  'version',
  'keywords',
  'summary',
  'whiteboard',
  'creation_time',
  'last_change_time',
]

/** The query in words: each part can be changed by a click, and removed. */
export function FilterChips({ fields, complaint }: { fields: FieldList; complaint: string | undefined }) {
  const [editing, setEditing] = useState<string>()
  const chips = useRef<HTMLDivElement>(null)
  const filters = filtersOf(query.value, fields)
  const edit = (filter: Filter) => {
    if (filter.edits === 'search field') document.querySelector<HTMLInputElement>('.qs input')?.focus()
    else if (filter.edits === 'builder') goWith({ view: 'search' }, 'push')
    else setEditing(filter.key)
  }
  const custom = fields.choices.filter((field) => field.is_custom).map(({ name }) => name)
  return (
    <>
      <div class="chips" role="group" aria-label="Filters" ref={chips}>
        {filters.map((filter) => (
          <Chip
            key={filter.key}
            filter={filter}
            isWrong={
              complaint !== undefined && filter.values.some((value) => value !== '' && complaint.includes(value))
            }
            onEdit={() => edit(filter)}
          />
        ))}
      </div>
      <Menu
        label="Add a filter"
        buttonClass="chip chip-add"
        button={
          <>
            <Icon name="plus" size="xs" />
            Filter
          </>
        }
        items={[
          ...[...OFFERED, ...custom].map((name) => ({ name: fields.label(name), run: () => setEditing(name) })),
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

function Chip({ filter, isWrong, onEdit }: { filter: Filter; isWrong: boolean; onEdit(): void }) {
  const { key, label, text, without } = filter
  return (
    <span class={isWrong ? 'chip is-wrong' : 'chip'} data-filter={key}>
      <button type="button" onClick={onEdit} title={`Change: ${label} ${text}`}>
        {label !== '' && <span class="k">{label}</span>}{' '}
        <span class="chip-text" dir="auto">
          {text}
        </span>
      </button>
      <button
        type="button"
        class="chip-x"
        aria-label={`Remove ${label} ${text}`}
        onClick={() => go(`/bugs?${without}`, 'push')}
      >
        <Icon name="x" size="xs" />
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

/** Below the chip that is changed, or at the end of the chips. Escape and a click elsewhere close it. */
function Popover({ anchor, name, onClose, children }: PopoverProps) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const chip = anchor.current?.querySelector(`[data-filter="${CSS.escape(name)}"]`) ?? anchor.current
    const left = chip?.getBoundingClientRect().left ?? 0
    box.current?.style.setProperty('--left', `${Math.max(8, Math.min(left, innerWidth - 300))}px`)
  }, [name])
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null
    box.current?.querySelector<HTMLElement>('input')?.focus()
    const leave = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) onClose()
    }
    addEventListener('pointerdown', leave)
    return () => {
      removeEventListener('pointerdown', leave)
      before?.focus?.()
    }
  }, [])
  return (
    <div
      class="pop filter-pop"
      ref={box}
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
