import type { ComponentChildren } from 'preact'
import { Button } from '../../../parts/button.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { Menu, type MenuItem } from '../../../parts/menu.tsx'
import type { Change } from './change-draft.ts'
import { OldValue } from './changed-value.tsx'
import { DragHandle, type Ordering } from './ordering.tsx'

interface OrderedRow<Id> {
  id: Id
  /** As it is saved. */
  name: string
  shownName: string
  notes: string
  isChanged: boolean
  isActive: boolean
  isRemoved: boolean
  /** What its bugs get when it is removed. */
  mergedInto?: string | undefined
  renamed: Change | undefined
  /** How many bugs have it, with a link to them. */
  uses: ComponentChildren
  items: MenuItem[]
}

interface Props<Id> {
  rows: readonly OrderedRow<Id>[]
  ordering: Ordering<Id>
  /** New ones, which are not saved yet. */
  added: readonly Change[]
  orderChange: Change | undefined
  onDrop(key: string): void
}

/** Values in an order that is changed by dragging, or with Space, arrows and Space. All changes wait in the bar. */
export function OrderedRows<Id extends string | number>({ rows, ordering, added, orderChange, onDrop }: Props<Id>) {
  return (
    <>
      <p class="visually-hidden" role="status">
        {ordering.said}
      </p>
      <ol class="ordered-values">
        {rows.map((row) => (
          <li key={row.id} class={classOf(row, ordering)} {...ordering.rowProps(row.id)}>
            <DragHandle ordering={ordering} id={row.id} name={row.name} />
            <span class="grow">
              <b dir="auto">{row.shownName}</b>{' '}
              <span class="faint small" dir="auto">
                {row.notes}
              </span>{' '}
              <OldValue change={row.renamed} />
              {row.isRemoved && (
                <span class="changed-value small" dir="auto">
                  {row.mergedInto === undefined ? 'will be deleted' : `will be merged into ${row.mergedInto}`}
                </span>
              )}
            </span>
            {row.uses}
            <Menu
              label={`Actions for ${row.name}`}
              at="end"
              buttonClass="icon-button icon-button-small"
              button={<Icon name="more" />}
              items={row.items}
            />
          </li>
        ))}
        {added.map((change) => (
          <li key={change.key} class="is-unsaved">
            <span class="grow">
              <b dir="auto">{change.after}</b> <OldValue change={change} />
            </span>
            <Button size="small" kind="quiet" onClick={() => onDrop(change.key)}>
              Remove<span class="visually-hidden"> {change.after}</span>
            </Button>
          </li>
        ))}
      </ol>
      {orderChange !== undefined && (
        <p class="admin-note">
          Order <OldValue change={orderChange} />
        </p>
      )}
    </>
  )
}

function classOf<Id>({ id, isChanged, isActive }: OrderedRow<Id>, ordering: Ordering<Id>) {
  return [isChanged && 'is-unsaved', ordering.isLifted(id) && 'is-lifted', !isActive && 'is-closed']
    .filter(Boolean)
    .join(' ')
}
