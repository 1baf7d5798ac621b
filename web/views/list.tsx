import { useEffect, useMemo, useState } from 'preact/hooks'
import { EMPTY_VALUES } from '../../shared/bug-fields/field-names.ts'
import { groupsCall, listCall } from '../../shared/first-calls.ts'
import { type FieldList, useFields } from '../core/bugs/fields.ts'
import { currentAddress, query } from '../core/router.ts'
import { useData } from '../core/server/use-data.ts'
import { useTitle } from '../core/title.ts'
import { showFault } from '../core/toasts.ts'
import { late, withStyleApart } from '../parts/late.tsx'
import { Skeleton } from '../parts/states.tsx'
import type { KeptList } from './bug/links/neighbours.tsx'
import { BulkBar } from './list/bulk/bulk-bar.tsx'
import { stopSelecting } from './list/bulk/select-all.ts'
import { titleOf, valueWords } from './list/criteria/filters.ts'
import { NoBugs, WrongQuery } from './list/empty-list.tsx'
import { Preview } from './list/preview/preview.tsx'
import { RowValueEditor } from './list/preview/row-value-editor.tsx'
import { currentRow, isPreviewShown, startList, toggleBug } from './list/state.ts'
import { chosenColumns } from './list/table/columns.tsx'
import type { RowGroup } from './list/table/layout.ts'
import { Rows } from './list/table/rows.ts'
import { Table } from './list/table/table.tsx'
import { bringUpToDate, useLiveRows } from './list/table/use-live-rows.ts'
import { ToolBar } from './list/tool-bar.tsx'
import { useSavedLook } from './list/use-saved-look.ts'

const Builder = late(async () => (await withStyleApart(import('./list/criteria/builder.tsx'))).Builder)
const Board = late(async () => (await withStyleApart(import('./list/board/board.tsx'))).Board, BoardToCome)

export function View() {
  const fields = useFields()
  useSavedLook()
  const mode = query.value.get('view')
  if (mode === 'search') return <SearchPage fields={fields} />
  if (mode === 'board') return <Board fields={fields} />
  return <ListPage fields={fields} />
}

/** It has the heading and the buttons of the board already. */
function BoardToCome({ fields }: { fields: FieldList }) {
  return (
    <main id="main" class="list is-wide">
      <ToolBar fields={fields} total={undefined} complaint={undefined} />
    </main>
  )
}

function SearchPage({ fields }: { fields: FieldList }) {
  useTitle('Advanced search')
  return (
    <main id="main" class="list is-wide">
      <ToolBar fields={fields} total={undefined} complaint={undefined} />
      <Builder fields={fields} />
    </main>
  )
}

/** A list is loaded anew when its query changes, and when the reader asks for what is new. */
function useRows() {
  const [round, setRound] = useState(0)
  const address = listCall(query.value)
  const rows = useMemo(() => new Rows(new URLSearchParams(query.value)), [address, round])
  useEffect(() => {
    startList(address)
    rows.start()
    return () => {
      stopSelecting()
      rows.close()
    }
  }, [rows])
  return { rows, reload: () => setRound(round + 1) }
}

function ListPage({ fields }: { fields: FieldList }) {
  const { rows, reload } = useRows()
  const fresh = useLiveRows(rows)
  const groups = useGroups()
  const columns = useMemo(() => chosenColumns(query.value, fields), [query.value.get('columns'), fields])
  const total = rows.total.value
  const title = titleOf(query.value, fields)
  useTitle(total === undefined ? title : `${title} (${total.toLocaleString()})`)
  useKeptList(rows, title)
  const fault = rows.fault.value
  rows.version.value
  const bug = rows.at(currentRow.value ?? 0)
  const saved = (id: number) => void bringUpToDate(rows, new Map([[id, false]]))
  const hasPreview = isPreviewShown.value && total !== 0 && fault === undefined
  return (
    <main id="main" class={hasPreview ? 'list' : 'list is-wide'}>
      <ToolBar fields={fields} total={total} complaint={fault?.message} onPrint={() => void printList(rows)} />
      <Ignored names={rows.ignored.value} />
      {fresh > 0 && (
        <button type="button" class="list-refresh" onClick={reload}>
          {fresh.toLocaleString()} new
        </button>
      )}
      <div class="list-body">
        {fault !== undefined ? (
          <WrongQuery fault={fault} retry={() => rows.start()} />
        ) : total === undefined || groups === 'loading' ? (
          <Skeleton rows={12} />
        ) : total === 0 ? (
          <NoBugs fields={fields} />
        ) : (
          <Table rows={rows} columns={columns} groups={groups} groupName={groupWords} />
        )}
        {hasPreview && (
          <Preview
            bug={bug}
            onSaved={saved}
            onMove={(step) => {
              currentRow.value = Math.max(0, Math.min((total ?? 1) - 1, (currentRow.value ?? -1) + step))
            }}
            onSelect={({ id }) => toggleBug(id, currentRow.value ?? 0)}
          />
        )}
      </div>
      {bug !== undefined && <RowValueEditor bug={bug} onSaved={() => saved(bug.id)} />}
      <BulkBar rows={rows} fields={fields} />
    </main>
  )
}

const MOST_PRINTED = 1000

/** The browser prints what is loaded, so the beginning of the list is loaded first. */
async function printList(rows: Rows) {
  document.querySelector('.bug-table')?.scrollTo(0, 0)
  await new Promise(requestAnimationFrame)
  await rows.loadFirst(MOST_PRINTED).then(() => print(), showFault)
}

/** Where the page of a bug looks for the list that the reader came from. */
const LIST_KEY = 'lacewing list'

/** For the page of a bug, which leads to the next and the previous one of this list. */
function useKeptList(rows: Rows, name: string) {
  const [total, version] = [rows.total.value, rows.version.value]
  useEffect(() => {
    const ids = rows.loaded.map(({ id }) => id)
    const { path, query: search } = currentAddress.value
    const list: KeptList = { ids, address: `${path}?${search}`, name, ...(total !== undefined && { total }) }
    try {
      sessionStorage.setItem(LIST_KEY, JSON.stringify(list))
    } catch {
      // A browser that keeps nothing has no next and previous.
    }
  }, [rows, total, version, name])
}

/** Undefined for a list without groups. */
function useGroups(): readonly RowGroup[] | undefined | 'loading' {
  const field = query.value.get('group')
  const { body, fault } = useData(field ? groupsCall(query.value, field) : undefined)
  return useMemo(() => {
    if (!field || fault !== undefined) return undefined
    if (body === undefined) return 'loading'
    const counts = new Map(body.counts.map(({ y, bug_count: count }) => [y, count]))
    return body.y_values.map((value) => ({ value, count: counts.get(value) ?? 0 }))
  }, [field, body, fault])
}

function groupWords(value: string) {
  return EMPTY_VALUES.has(value) ? 'Not set' : valueWords(value)
}

/** Parameters of the address that no search knows, such as those of a mistyped link. */
function Ignored({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <p class="list-note" role="status">
      The search has no {names.length === 1 ? 'parameter' : 'parameters'} {names.join(', ')}.
    </p>
  )
}
