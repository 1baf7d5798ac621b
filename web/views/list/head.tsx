import { me } from '../../core/account/session.ts'
import { goWith, query } from '../../core/router.ts'
import { Icon } from '../../parts/icon.tsx'
import { MOST_SELECTED, selectAll, selecting, stopSelecting } from './bulk/select-all.ts'
import { clearSelection, selectedBugs } from './state.ts'
import type { Column } from './table/columns.tsx'
import type { Rows } from './table/rows.ts'
import { readOrder, sortedBy, writeOrder } from './table/sort-order.ts'

/** The titles of the columns: a click sorts, with Shift by a second column too. */
export function Head({ columns, rows }: { columns: readonly Column[]; rows: Rows }) {
  return (
    <div class="bug-table-head" role="row" aria-rowindex={1}>
      <span class="cell-select" role="columnheader">
        {me.value === undefined ? <span class="visually-hidden">Selected</span> : <SelectAll rows={rows} />}
      </span>
      {columns.map((column) => (
        <Title key={column.name} column={column} />
      ))}
    </div>
  )
}

function SelectAll({ rows }: { rows: Rows }) {
  const total = rows.total.value ?? 0
  const isAll = total > 0 && selectedBugs.value.size >= Math.min(total, MOST_SELECTED)
  const clear = () => {
    stopSelecting()
    clearSelection()
  }
  return (
    <input
      class="checkbox"
      type="checkbox"
      aria-label={total > MOST_SELECTED ? `Select the first ${words(MOST_SELECTED)}` : `Select all ${words(total)}`}
      checked={isAll || selecting.value !== undefined}
      onClick={() => (isAll || selecting.value !== undefined ? clear() : void selectAll(rows))}
    />
  )
}

function words(count: number) {
  return `${count.toLocaleString()} ${count === 1 ? 'bug' : 'bugs'}`
}

/** Its title is hidden where the list is narrow. */
const SHORTENED = 'cell-severity'

function Title({ column: { title, cell, order, isTitleHidden } }: { column: Column }) {
  const sorted = readOrder(query.value.get('order'))
  const place = sorted.findIndex(({ column }) => column === order)
  const isDescending = sorted[place]?.isDescending
  const name = isTitleHidden ? <span class="visually-hidden">{title}</span> : title
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
          {(isTitleHidden || place >= 0 || cell === SHORTENED) && (
            <Icon name={place < 0 ? 'sort' : isDescending ? 'down' : 'up'} size="tiny" />
          )}
        </button>
      )}
    </span>
  )
}
