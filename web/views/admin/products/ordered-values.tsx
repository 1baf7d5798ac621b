import { useState } from 'preact/hooks'
import { managesProducts } from '../../../core/account/session.ts'
import { hrefOf } from '../../../core/router.ts'
import { Button } from '../../../parts/button.tsx'
import type { MenuItem } from '../../../parts/menu.tsx'
import { OrderedRows } from '../changes/ordered-rows.tsx'
import { useOrdering } from '../changes/ordering.tsx'
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
      <OrderedRows
        rows={rows.map((row) => ({
          id: row.id,
          name: row.name,
          shownName: changes.nameOf(row),
          notes: changes.notes(row),
          isChanged: changes.isChanged(row),
          isActive: changes.isActive(row),
          isRemoved: changes.removed(row) !== undefined,
          renamed: changes.renamed(row),
          uses: <OpenBugs {...{ state, kind }} name={row.name} />,
          items: itemsOf(changes, row, { rename: () => setDialog(row), move: () => setMoved(row) }),
        }))}
        {...{ ordering, added }}
        orderChange={changes.orderChange}
        onDrop={place.draft.drop}
      />
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
    // It is a value of the product.
    ...(managesProducts.value
      ? [
          {
            name: 'New bugs get this',
            icon: 'star',
            refused: isDefault ? 'they do' : changes.isActive(row) ? undefined : 'it is closed',
            run: () => changes.makeDefault(row),
          },
        ]
      : []),
    {
      name: changes.removed(row) === undefined ? 'Delete' : 'Do not delete',
      icon: 'trash',
      isDangerous: true,
      refused: isDefault ? 'new bugs get it' : undefined,
      run: () => changes.remove(row),
    },
  ]
}
