import { useComputed } from '@preact/signals'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { listCall } from '../../../../shared/first-calls.ts'
import { me } from '../../../core/account/session.ts'
import { type Shortcut, useKeys } from '../../../core/keys.ts'
import { isPrinting } from '../../../core/printing.ts'
import { bugAddress, go } from '../../../core/router.ts'
import type { Bug } from '../../../core/server/types.ts'
import { Head } from '../head.tsx'
import { editedValue, shownRowFields } from '../preview/row-fields.ts'
import {
  clearSelection,
  currentRow,
  foldedGroups,
  isPreviewShown,
  lastPosition,
  selectedBugs,
  showPreview,
  toggleBug,
} from '../state.ts'
import type { Column } from './columns.tsx'
import { type Measures, type RowGroup, TableLayout } from './layout.ts'
import { GroupHeading, Row } from './row.tsx'
import type { Rows } from './rows.ts'
import { useDrawnRows } from './use-drawn-rows.ts'

interface Props {
  rows: Rows
  columns: readonly Column[]
  groups: readonly RowGroup[] | undefined
  groupName: (value: string) => string
}

/** Rows that are drawn above and below what is seen, so that scrolling does not show gaps. */
const SPARE_PIXELS = 300
/** Browsers draw nothing much higher than this. A longer list scrolls faster than its rows. */
const HIGHEST_PIXELS = 12_000_000

interface Window {
  top: number
  height: number
  measures: Measures
}

/** Until the table has been measured no row is drawn, because rows that are drawn in vain take as long as others. */
const NOT_MEASURED: Window = { top: 0, height: 0, measures: { row: 24, heading: 28 } }

/** The rows of a list. Only those in sight are in the page. */
export function Table({ rows, columns, groups, groupName }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const whole = useRef<HTMLDivElement>(null)
  const above = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(NOT_MEASURED)
  const total = rows.total.value ?? 0
  const layout = new TableLayout(total, groups, foldedGroups.value, seen.measures)
  const drawn = Math.min(layout.height, HIGHEST_PIXELS)
  const scale = drawn <= seen.height ? 1 : Math.max(1, (layout.height - seen.height) / (drawn - seen.height))
  const from = seen.top * scale
  const [first, end] = isPrinting.value
    ? printedPart(rows, layout, from)
    : [from - SPARE_PIXELS, from + seen.height + SPARE_PIXELS]
  const { top, lines } = seen === NOT_MEASURED ? { top: 0, lines: [] } : layout.between(first, end)

  useLayoutEffect(() => {
    const style = box.current?.style
    style?.setProperty('--columns', `40px ${columns.map(({ width }) => width).join(' ')}`)
    style?.setProperty('--columns-narrow', `38px ${columns.map(({ width, narrow }) => narrow ?? width).join(' ')}`)
  }, [columns])
  useLayoutEffect(() => {
    // Not as properties that the rows inherit: each scrolling would compute the style of all of them.
    whole.current?.style.setProperty('height', `${drawn}px`)
    above.current?.style.setProperty('height', `${Math.max(0, top - from + seen.top)}px`)
  })
  useLayoutEffect(() => {
    const wanted = lastPosition.list === listCall(rows.query) ? lastPosition.scrolled : 0
    if (wanted !== seen.top) box.current?.scrollTo(0, wanted)
  }, [rows])
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const measure = () => {
      const height = (name: string) => Number.parseFloat(getComputedStyle(element).getPropertyValue(name))
      const measures = { row: height('--list-row') || 24, heading: height('--list-heading') || 28 }
      const next = { top: element.scrollTop, height: element.clientHeight, measures }
      setSeen((last) => (isSame(last, next) ? last : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(() => {
    const shown = lines.flatMap((line) => (line.kind === 'row' ? [line.row] : []))
    if (shown.length > 0) rows.need(shown[0] ?? 0, shown.at(-1) ?? 0)
  })

  const moveTo = (row: number) => {
    currentRow.value = row
    lastPosition.row = row
    const element = box.current
    if (element === null) return
    // Screen readers follow the focus.
    element.focus({ preventScroll: true })
    const y = layout.topOf(row)
    const above = groups === undefined ? 0 : seen.measures.heading
    const height = element.clientHeight - HEAD_PIXELS
    if (y - above < from) element.scrollTop = (y - above) / scale
    else if (y + seen.measures.row > from + height) element.scrollTop = (y + seen.measures.row - height) / scale
  }
  useListKeys(rows, layout, moveTo)
  const activeId = useComputed(() => (currentRow.value === undefined ? undefined : `row-${currentRow.value}`))
  rows.version.value
  const drawnRows = useDrawnRows(rows, lines)
  const isActiveDrawn = currentRow.value !== undefined && drawnRows.has(currentRow.value)
  return (
    <div
      class={selectedBugs.value.size > 0 ? 'bug-table has-selection' : 'bug-table'}
      ref={box}
      tabIndex={0}
      role="grid"
      aria-label="Bugs"
      aria-multiselectable={me.value === undefined ? undefined : 'true'}
      aria-rowcount={total + 1}
      aria-activedescendant={isActiveDrawn ? activeId.value : undefined}
      onKeyDown={(event) => {
        const page = Math.max(1, Math.floor((seen.height - HEAD_PIXELS) / seen.measures.row) - 1)
        const to = farRow(event.key, layout, currentRow.value ?? -1, page)
        if (to === undefined || event.target !== event.currentTarget) return
        event.preventDefault()
        moveTo(to)
      }}
      onScroll={(event) => {
        lastPosition.scrolled = event.currentTarget.scrollTop
        setSeen({ ...seen, top: event.currentTarget.scrollTop })
      }}
    >
      <Head columns={columns} rows={rows} />
      <div class="bug-table-rows" role="rowgroup" ref={whole}>
        <div class="bug-table-above" role="presentation" ref={above} />
        {lines.map((line) =>
          line.kind === 'heading' ? (
            <GroupHeading key={`group ${line.section.group?.value}`} section={line.section} name={groupName} />
          ) : (
            <Row
              key={line.row}
              row={line.row}
              bug={drawnRows.has(line.row) ? rows.at(line.row) : undefined}
              columns={columns}
              isNew={rows.isUnread(line.row)}
              rows={rows}
            />
          ),
        )}
      </div>
    </div>
  )
}

function isSame(one: Window, other: Window) {
  const { row, heading } = one.measures
  const isSameSize = one.height === other.height && row === other.measures.row && heading === other.measures.heading
  return one !== NOT_MEASURED && isSameSize && one.top === other.top
}

const HEAD_PIXELS = 27

/** All rows around those that are seen which are loaded. */
function printedPart(rows: Rows, layout: TableLayout, from: number): readonly [number, number] {
  const seen = layout.between(from, from + 1).lines.find(({ kind }) => kind === 'row')
  const [first, last] = rows.loadedAround(seen?.kind === 'row' ? seen.row : 0)
  return [layout.topOf(first), layout.topOf(last) + 1]
}

/** Where a key leads that moves far; undefined for other keys. */
function farRow(key: string, layout: TableLayout, row: number, page: number): number | undefined {
  if (key === 'Home') return layout.next(-1, 1)
  if (key === 'End') return layout.next(layout.rows, -1)
  if (key === 'PageDown') return layout.next(Math.min(row + page, layout.rows) - 1, 1)
  return key === 'PageUp' ? layout.next(Math.max(row - page, -1) + 1, -1) : undefined
}

/** Those of the page of a bug, for the current row. */
function editKeys(bug: () => Bug | undefined): Shortcut[] {
  const edit = (field: string) => () => {
    const id = bug()?.id
    if (id !== undefined) editedValue.value = { bug: id, field }
  }
  return shownRowFields().flatMap(({ name, label, letter, isFrequent }) => [
    { keys: `e ${letter}`, what: `Change the ${label.toLowerCase()}`, run: edit(name) },
    ...(isFrequent ? [{ keys: letter, what: `Change the ${label.toLowerCase()}`, run: edit(name) }] : []),
  ])
}

function useListKeys(rows: Rows, layout: TableLayout, moveTo: (row: number) => void) {
  const step = (by: 1 | -1) => {
    if (layout.rows === 0) return
    if (currentRow.value === undefined) moveTo(layout.next(-1, 1))
    else moveTo(layout.next(currentRow.value, by))
  }
  const bug = () => (currentRow.value === undefined ? undefined : rows.at(currentRow.value))
  const choose = (isRange: boolean) => {
    const it = bug()
    if (it !== undefined && currentRow.value !== undefined && me.value !== undefined)
      toggleBug(it.id, currentRow.value, isRange ? rows.idsBetween : undefined)
  }
  useKeys([
    { keys: 'j', what: 'Next bug', run: () => step(1) },
    { keys: 'k', what: 'Previous bug', run: () => step(-1) },
    { keys: 'ArrowDown', what: 'Next bug', run: () => step(1) },
    { keys: 'ArrowUp', what: 'Previous bug', run: () => step(-1) },
    { keys: 'x', what: 'Select the bug', run: () => choose(false) },
    { keys: 'X', what: 'Select up to this bug', run: () => choose(true) },
    {
      keys: 'Enter',
      what: 'Open the bug',
      run: () => {
        const it = bug()
        if (it !== undefined) go(bugAddress(it.id))
      },
    },
    {
      keys: 'Escape',
      what: 'Clear the selection, or close the preview',
      run: () => (selectedBugs.value.size > 0 ? clearSelection() : showPreview(false)),
    },
    { keys: 'o', what: 'Show or hide the preview', run: () => showPreview(!isPreviewShown.value) },
    ...(me.value === undefined || selectedBugs.value.size > 0 ? [] : editKeys(bug)),
  ])
}
