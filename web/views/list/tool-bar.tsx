import { useState } from 'preact/hooks'
import { findField } from '../../../shared/bug-fields/field-names.ts'
import { SAVED_CALL } from '../../../shared/first-calls.ts'
import { me } from '../../core/account/session.ts'
import { GROUPS } from '../../core/bugs/field-places.ts'
import type { FieldList } from '../../core/bugs/fields.ts'
import { isShownField } from '../../core/bugs/hidden-fields.ts'
import { isOwn, parametersOf } from '../../core/bugs/saved-searches.ts'
import { useCommands } from '../../core/keys.ts'
import { go, goWith, hrefOf, query } from '../../core/router.ts'
import { useData } from '../../core/server/use-data.ts'
import { Icon } from '../../parts/icon.tsx'
import { Menu, type MenuItem } from '../../parts/menu.tsx'
import { FilterChips } from './criteria/filter-chips.tsx'
import { titleOf } from './criteria/filters.ts'
import { ShareMenu } from './share-menu.tsx'
import { allColumns } from './table/columns.tsx'
import { ColumnsMenu } from './table/columns-menu.tsx'
import { readOrder, sortedBy, writeOrder } from './table/sort-order.ts'

interface Props {
  fields: FieldList
  total: number | undefined
  /** The sentence of the server about what is wrong with the query. */
  complaint: string | undefined
  onPrint?: () => void
}

const MODES = [
  { mode: 'list', icon: 'list', name: 'List', command: 'Show as a list' },
  { mode: 'board', icon: 'board', name: 'Board', command: 'Show as a board' },
  { mode: 'search', icon: 'filter', name: 'Advanced', command: 'Change this search in the advanced form' },
]

/** The name of the list, its query in words, and how it is shown. */
export function ToolBar({ fields, total, complaint, onPrint }: Props) {
  const mode = query.value.get('view') ?? 'list'
  useCommands(
    MODES.filter((it) => it.mode !== mode).map((it) => ({
      name: it.command,
      run: () => goWith({ view: it.mode === 'list' ? undefined : it.mode }, 'push'),
    })),
  )
  return (
    <div class="tool-bar">
      <h1 class="tool-bar-title">
        <SavedSearches title={titleOf(query.value, fields)} />
      </h1>
      {total !== undefined && (
        <span class="faint nowrap" role="status">
          {total.toLocaleString()}
          <span class="visually-hidden"> bugs</span>
        </span>
      )}
      <FilterChips fields={fields} complaint={complaint} />
      <div class="row tool-bar-end">
        <nav class="segmented" aria-label="View">
          {MODES.map((it) => (
            <ModeLink key={it.mode} {...it} isCurrent={it.mode === mode} />
          ))}
        </nav>
        <span class="row tool-bar-buttons">
          {mode === 'list' && <GroupMenu fields={fields} />}
          {mode === 'list' && <SortMenu fields={fields} />}
          {mode === 'board' && <BoardMenu fields={fields} />}
          {mode === 'list' && (
            <span class="only-wide">
              <ColumnsMenu fields={fields} />
            </span>
          )}
        </span>
        {mode !== 'search' && <ShareMenu fields={fields} onPrint={onPrint} />}
      </div>
    </div>
  )
}

function ModeLink({ mode, icon, name, isCurrent }: { mode: string; icon: string; name: string; isCurrent: boolean }) {
  const next = new URLSearchParams(query.value)
  if (mode === 'list') next.delete('view')
  else next.set('view', mode)
  return (
    <a href={hrefOf(`/bugs?${next}`)} aria-label={name} aria-current={isCurrent ? 'page' : undefined}>
      <Icon name={icon} />
      <span class="only-wide">{name}</span>
    </a>
  )
}

/** The title, which is a menu of the saved searches. They are loaded when the reader comes near it. */
function SavedSearches({ title }: { title: string }) {
  const [isNear, setNear] = useState(false)
  const { body } = useData(isNear && me.value !== undefined ? SAVED_CALL : undefined)
  const saved = (body?.saved_searches ?? []).map(
    (search): MenuItem => ({
      name: search.name,
      icon: 'save',
      ...(!isOwn(search) && { note: search.owner }),
      run: () => go(`/bugs?${parametersOf(search)}`),
    }),
  )
  const usual: MenuItem[] = [
    { name: 'Open bugs', icon: 'status-confirmed', run: () => go('/bugs?status=__open__') },
    { name: 'All bugs', icon: 'list', run: () => go('/bugs?quicksearch=ALL') },
    ...(me.value === undefined
      ? []
      : [
          {
            name: 'My open bugs',
            icon: 'user',
            run: () => go(`/bugs?status=__open__&assigned_to=${encodeURIComponent(me.value?.name ?? '')}`),
          },
        ]),
  ]
  return (
    <span onPointerEnter={() => setNear(true)} onFocusCapture={() => setNear(true)}>
      <Menu
        label={`${title}: saved searches`}
        buttonClass="button-plain"
        button={
          <>
            <span class="tool-bar-name" dir="auto">
              {title}
            </span>
            <Icon name="down" />
          </>
        }
        items={saved.length === 0 ? usual : [...usual, 'line', ...saved]}
      />
    </span>
  )
}

function GroupMenu({ fields }: { fields: FieldList }) {
  const group = query.value.get('group')
  const custom = fields.choices.filter((field) => field.is_custom).map(({ name }) => name)
  const items: MenuItem[] = [...GROUPS.filter(isShownField), ...custom].map((name) => ({
    name: fields.label(name),
    ...(name === group && { note: 'now' }),
    run: () => goWith({ group: name }, 'push'),
  }))
  useCommands(items.map(({ name, run }) => ({ name: `Group by ${name}`, run })))
  return (
    <Menu
      label={group === null ? 'Group' : `Grouped by ${fields.label(group)}`}
      at="end"
      buttonClass="button button-quiet button-small"
      button={
        <>
          <Icon name="group" />
          <span class="tool-bar-choice only-wide">{group === null ? 'Group' : fields.label(group)}</span>
        </>
      }
      items={[{ name: 'No groups', run: () => goWith({ group: undefined }, 'push') }, 'line', ...items]}
    />
  )
}

function SortMenu({ fields }: { fields: FieldList }) {
  const sorted = readOrder(query.value.get('order'))
  const columns = allColumns(fields).filter(({ order }) => order !== undefined)
  const name = (column: string) => columns.find(({ order }) => order === column)?.title ?? fields.label(column)
  const said = sorted.map(({ column }) => name(column)).join(', ')
  const items = columns.map(({ title, order = '' }) => ({
    name: title,
    ...(sorted[0]?.column === order && { note: sorted[0].isDescending ? 'descending' : 'ascending' }),
    run: () => goWith({ order: writeOrder(sortedBy(sorted, order, false)) }, 'push'),
  }))
  useCommands(items.map(({ name: title, run }) => ({ name: `Sort by ${title}`, run })))
  return (
    <Menu
      label={`Sorted by ${said}`}
      at="end"
      buttonClass="button button-quiet button-small"
      button={
        <>
          <Icon name="sort" />
          <span class="tool-bar-choice only-wide">{said}</span>
        </>
      }
      items={items}
    />
  )
}

function BoardMenu({ fields }: { fields: FieldList }) {
  const by = query.value.get('by') ?? 'status'
  const choices = fields.choices.filter(({ name }) => findField(name)?.kind !== 'place')
  return (
    <Menu
      label={`Columns by ${fields.label(by)}`}
      at="end"
      buttonClass="button button-quiet button-small"
      button={
        <>
          <Icon name="group" />
          <span class="tool-bar-choice only-wide">{fields.label(by)}</span>
        </>
      }
      items={choices.map(({ name, display_name: title }) => ({
        name: title,
        run: () => goWith({ by: name === 'bug_status' ? undefined : name }, 'push'),
      }))}
    />
  )
}
