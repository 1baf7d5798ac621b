import { goWith, query } from '../../core/router.ts'
import { me } from '../../core/session.ts'
import { Icon } from '../../parts/icon.tsx'
import type { Column } from './columns.tsx'
import type { Rows } from './rows.ts'
import { readOrder, sortedBy, writeOrder } from './sort-order.ts'
import { clearSelection, select, selected } from './state.ts'

/** The titles of the columns: a click sorts, with Shift by a second column too. */
export function Head({ columns, rows }: { columns: readonly Column[]; rows: Rows }) {
  return (
    <div class="lh" role="row" aria-rowindex={1}>
      <span class="c-sel" role="columnheader">
        {me.value === undefined ? <span class="vh">Selected</span> : <SelectAll rows={rows} />}
      </span>
      {columns.map((column) => (
        <Title key={column.name} column={column} />
      ))}
    </div>
  )
}

function SelectAll({ rows }: { rows: Rows }) {
  const bugs = rows.loaded
  const isAll = bugs.length > 0 && bugs.every(({ id }) => selected.value.has(id))
  return (
    <input
      class="cb"
      type="checkbox"
      aria-label={`Select all ${bugs.length} that are loaded`}
      checked={isAll}
      onClick={() => (isAll ? clearSelection() : select(bugs.map(({ id }) => id)))}
    />
  )
}

function Title({ column: { title, cell, order, isTitleHidden } }: { column: Column }) {
  const sorted = readOrder(query.value.get('order'))
  const place = sorted.findIndex(({ column }) => column === order)
  const isDescending = sorted[place]?.isDescending
  const name = isTitleHidden ? <span class="vh">{title}</span> : title
  const sort = (event: MouseEvent) => {
    if (order !== undefined) goWith({ order: writeOrder(sortedBy(sorted, order, event.shiftKey)) }, 'push')
  }
  return (
    <span
      class={cell}
      role="columnheader"
      title={isTitleHidden ? title : undefined}
      aria-sort={place < 0 ? undefined : isDescending ? 'descending' : 'ascending'}
    >
      {order === undefined ? (
        name
      ) : (
        <button type="button" onClick={sort} title={`Sort by ${title.toLowerCase()}; Shift adds a second column`}>
          {name}
          {(isTitleHidden || place >= 0) && <Icon name={place < 0 ? 'sort' : isDescending ? 'down' : 'up'} size="xs" />}
        </button>
      )}
    </span>
  )
}
