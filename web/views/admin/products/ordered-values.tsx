import { useState } from 'preact/hooks'
import { hrefOf } from '../../../core/router.ts'
import { Button } from '../../../parts/button.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { Menu, type MenuItem } from '../../../parts/menu.tsx'
import { OldValue } from '../changes/changed-value.tsx'
import { DragHandle, useOrdering } from '../changes/ordering.tsx'
import type { Place } from '../changes/use-place.ts'
import { changesOfValues } from './change-values.ts'
import { MoveBugsDialog } from './move-bugs-dialog.tsx'
import { NameDialog } from './name-dialog.tsx'
import { type OrderedValue, openBugsAddress, type ProductState, type ValueKind } from './product-state.ts'

interface Props {
  place: Place<ProductState>
  state: ProductState
  kind: ValueKind
}

/** Versions or milestones, in an order that is changed by dragging, or with Space, arrows and Space. */
export function OrderedValues({ place, state, kind }: Props) {
  const [dialog, setDialog] = useState<OrderedValue | 'new'>()
  const [moved, setMoved] = useState<OrderedValue>()
  const changes = changesOfValues(place, state, kind)
  const { rows, added } = changes
  const ordering = useOrdering({ list: kind, ids: rows.map(({ id }) => id), onOrder: changes.order })
  const title = kind === 'version' ? 'Versions' : 'Milestones'
  return (
    <section class="card" aria-label={title} id={`${kind}s`}>
      <div class="admin-head">
        <h2>{title}</h2>
        <span class="align-end">
          <Button size="small" icon="plus" onClick={() => setDialog('new')}>
            New {kind}
          </Button>
        </span>
      </div>
      <p class="visually-hidden" role="status">
        {ordering.said}
      </p>
      <ol class="ordered-values">
        {rows.map((row) => (
          <li
            key={row.id}
            class={[
              changes.isChanged(row) && 'is-unsaved',
              ordering.isLifted(row.id) && 'is-lifted',
              !changes.isActive(row) && 'is-closed',
            ]
              .filter(Boolean)
              .join(' ')}
            {...ordering.rowProps(row.id)}
          >
            <DragHandle ordering={ordering} id={row.id} name={row.name} />
            <span class="grow">
              <b dir="auto">{changes.nameOf(row)}</b> <span class="faint small">{changes.notes(row)}</span>{' '}
              <OldValue change={changes.renamed(row)} />
              {changes.removed(row) !== undefined && <span class="changed-value small">will be deleted</span>}
            </span>
            <OpenBugs {...{ state, kind }} name={row.name} />
            <Menu
              label={`Actions for ${row.name}`}
              at="end"
              buttonClass="icon-button icon-button-small"
              button={<Icon name="more" />}
              items={itemsOf(changes, row, { rename: () => setDialog(row), move: () => setMoved(row) })}
            />
          </li>
        ))}
        {added.map((change) => (
          <li key={change.key} class="is-unsaved">
            <span class="grow">
              <b dir="auto">{change.after}</b> <OldValue change={change} />
            </span>
            <Button size="small" kind="quiet" onClick={() => place.draft.drop(change.key)}>
              Remove
            </Button>
          </li>
        ))}
      </ol>
      {changes.orderChange !== undefined && (
        <p class="admin-note">
          Order <OldValue change={changes.orderChange} />
        </p>
      )}
      {moved !== undefined && (
        <MoveBugsDialog
          from={{ product: state.product.name, field: fieldOf(kind), name: moved.name }}
          word={kind}
          targets={rows.filter(({ id }) => id !== moved.id).map(({ name }) => name)}
          onDone={() => void place.reload()}
          onClose={() => setMoved(undefined)}
        />
      )}
      {dialog !== undefined && (
        <NameDialog
          title={dialog === 'new' ? `New ${kind}` : `Rename ${dialog.name}`}
          name={dialog === 'new' ? '' : changes.nameOf(dialog)}
          onName={(name) => (dialog === 'new' ? changes.add(name) : changes.rename(dialog, name))}
          onClose={() => setDialog(undefined)}
        />
      )}
    </section>
  )
}

function fieldOf(kind: ValueKind) {
  return kind === 'version' ? 'version' : 'target_milestone'
}

function OpenBugs({ state, kind, name }: { state: ProductState; kind: ValueKind; name: string }) {
  const field = fieldOf(kind)
  const count = state.open.get(`${field} ${name}`) ?? 0
  return (
    <a class="link small" href={hrefOf(openBugsAddress(state, { [field]: name }))}>
      {count} open
    </a>
  )
}

function itemsOf(
  changes: ReturnType<typeof changesOfValues>,
  row: OrderedValue,
  open: { rename(): void; move(): void },
): MenuItem[] {
  const isDefault = changes.isDefault(row)
  return [
    { name: 'Rename…', icon: 'edit', run: open.rename },
    { name: 'Move its bugs…', icon: 'arrow', run: open.move },
    {
      name: changes.isActive(row) ? 'Close for new bugs' : 'Open for new bugs',
      icon: 'lock',
      refused: isDefault && changes.isActive(row) ? 'new bugs get it' : undefined,
      run: () => changes.setActive(row, !changes.isActive(row)),
    },
    {
      name: 'New bugs get this',
      icon: 'star',
      refused: isDefault ? 'they do' : changes.isActive(row) ? undefined : 'it is closed',
      run: () => changes.makeDefault(row),
    },
    {
      name: changes.removed(row) === undefined ? 'Delete' : 'Do not delete',
      icon: 'trash',
      isDangerous: true,
      refused: isDefault ? 'new bugs get it' : undefined,
      run: () => changes.remove(row),
    },
  ]
}
