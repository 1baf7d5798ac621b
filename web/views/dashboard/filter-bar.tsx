import { useRef, useState } from 'preact/hooks'
import type { FieldList } from '../../core/bugs/fields.ts'
import { isShownField } from '../../core/bugs/hidden-fields.ts'
import { goWith } from '../../core/router.ts'
import { AddFilter, Chip, focusNear, Popover } from '../list/criteria/filter-chips.tsx'
import { FilterEditor } from '../list/criteria/filter-editor.tsx'
import { filtersOf } from '../list/criteria/filters.ts'
import { type DashboardFilters, FILTER_FIELDS } from './narrowed.ts'

/** The filters of all tiles, as chips that are changed and removed. */
export function FilterBar({ fields, filters }: { fields: FieldList; filters: DashboardFilters }) {
  const [editing, setEditing] = useState<string>()
  const chips = useRef<HTMLDivElement>(null)
  return (
    <div class="dashboard-filters">
      <div class="chips" role="group" aria-label="Filters of all tiles" ref={chips}>
        {inWords(filters, fields).map((filter, place) => (
          <Chip
            key={filter.key}
            filter={filter}
            onEdit={() => setEditing(filter.key)}
            onRemove={() => {
              goWith({ [filter.key]: undefined }, 'push')
              requestAnimationFrame(() => focusNear(chips.current, place))
            }}
          />
        ))}
      </div>
      <AddFilter
        label="Filter all tiles"
        items={FILTER_FIELDS.filter(isShownField).map((name) => ({
          name: fields.label(name),
          run: () => setEditing(name),
        }))}
      />
      {editing !== undefined && (
        <Popover anchor={chips} name={editing} onClose={() => setEditing(undefined)}>
          <FilterEditor key={editing} name={editing} fields={fields} />
        </Popover>
      )}
    </div>
  )
}

/** On a wall nothing is chosen. */
export function FilterWords({ fields, filters }: { fields: FieldList; filters: DashboardFilters }) {
  if (filters.size === 0) return null
  const words = inWords(filters, fields).map(({ label, text }) => `${label} ${text}`)
  return <p class="muted wrapped-name">{words.join(' · ')}</p>
}

function inWords(filters: DashboardFilters, fields: FieldList) {
  const query = new URLSearchParams([...filters].flatMap(([field, values]) => values.map((value) => [field, value])))
  return filtersOf(query, fields)
}
