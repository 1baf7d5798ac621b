import { me } from '../../../core/account/session.ts'
import type { Bug } from '../../../core/server/types.ts'
import { Icon } from '../../../parts/icon.tsx'
import { changedBugs, currentRow, selectedBugs, toggleBug, toggleFold } from '../state.ts'
import type { Column } from './columns.tsx'
import type { GroupSection } from './layout.ts'
import type { Rows } from './rows.ts'

interface Props {
  row: number
  /** Undefined while it is loaded. */
  bug: Bug | undefined
  columns: readonly Column[]
  /** Changed since the reader looked. */
  isNew: boolean
  rows: Rows
}

/** It is drawn again only when one of these or a signal that it reads has changed. */
export function Row({ row, bug, columns, isNew, rows }: Props) {
  if (bug === undefined) return <RowToCome row={row} />
  const isSelected = selectedBugs.value.has(bug.id)
  const select = (isRange: boolean) => toggleBug(bug.id, row, isRange ? rows.idsBetween : undefined)
  const classes = [
    'bug-table-row',
    isNew && 'is-unread',
    currentRow.value === row && 'is-current',
    isSelected && 'is-selected',
    !bug.is_open && 'is-closed',
    changedBugs.value.has(bug.id) && 'is-changed',
  ]
  return (
    <div
      id={`row-${row}`}
      class={classes.filter(Boolean).join(' ')}
      role="row"
      aria-rowindex={row + 2}
      aria-selected={isSelected}
      {...swipes(() => me.value !== undefined && select(false))}
      onClick={(event) => {
        const target = event.target as Element
        if (target.closest('a, input, button') !== null) return
        currentRow.value = row
      }}
    >
      <span class="cell-select" role="gridcell">
        {me.value !== undefined && (
          <input
            class="checkbox"
            type="checkbox"
            tabIndex={-1}
            aria-label={`Select ${bug.id}`}
            checked={isSelected}
            onClick={(event) => select(event.shiftKey)}
          />
        )}
        {isNew && (
          <span class="dot" title="New since you looked">
            <span class="visually-hidden">New since you looked</span>
          </span>
        )}
      </span>
      {columns.map((column) => (
        <span key={column.name} class={column.cell} role="gridcell">
          {column.show(bug)}
        </span>
      ))}
    </div>
  )
}

const SWIPE_PIXELS = 60

/** On a phone, a swipe to the side selects. The start is kept outside of the row, which may be drawn again before the end. */
let swipeStart: Touch | undefined

function swipes(run: () => void) {
  return {
    onTouchStart: (event: TouchEvent) => {
      swipeStart = event.touches[0]
    },
    onTouchEnd: (event: TouchEvent) => {
      const [start, end] = [swipeStart, event.changedTouches[0]]
      if (start === undefined || end === undefined) return
      const [across, along] = [Math.abs(end.clientX - start.clientX), Math.abs(end.clientY - start.clientY)]
      if (across > SWIPE_PIXELS && along < SWIPE_PIXELS / 2) run()
    },
  }
}

function RowToCome({ row }: { row: number }) {
  return (
    <div class="bug-table-row is-to-come" role="row" aria-rowindex={row + 2} aria-busy="true">
      <span class="cell-select" role="gridcell" />
      <span class="cell-loading" role="gridcell">
        <span class="skeleton skeleton-2" />
      </span>
    </div>
  )
}

export function GroupHeading({ section, name }: { section: GroupSection; name: (value: string) => string }) {
  const { group, isFolded } = section
  if (group === undefined) return null
  const title = name(group.value)
  return (
    <div class="bug-table-group" role="row">
      <span role="gridcell">
        <button
          type="button"
          class="icon-button icon-button-small"
          aria-expanded={!isFolded}
          aria-label={`${isFolded ? 'Unfold' : 'Fold'} ${title}`}
          onClick={() => toggleFold(group.value)}
        >
          <Icon name={isFolded ? 'right' : 'down'} />
        </button>
        <b dir="auto">{title}</b> <span class="faint">{group.count.toLocaleString()}</span>
      </span>
    </div>
  )
}
