import { useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { hrefOf } from '../../../core/router.ts'
import type { Field } from '../../../core/server/types.ts'
import { useData } from '../../../core/server/use-data.ts'
import { Button } from '../../../parts/button.tsx'
import type { MenuItem } from '../../../parts/menu.tsx'
import { OrderedRows } from '../changes/ordered-rows.tsx'
import { useOrdering } from '../changes/ordering.tsx'
import { changesOfFieldValues } from './change-field-values.ts'
import type { FieldProps } from './field-details.tsx'
import { bugsWithValue, controllingNames, type NamedValue } from './field-state.ts'
import { labelOf } from './field-words.ts'
import { valueFieldNow } from './fields-now.ts'
import { MergeDialog } from './merge-dialog.tsx'
import { ValueDialog } from './value-dialog.tsx'

type Changes = ReturnType<typeof changesOfFieldValues>

/** Values that the tracker relies on: the server refuses to change them. */
const KEPT: ReadonlySet<string> = new Set(['resolution FIXED', 'resolution DUPLICATE', 'bug_status UNCONFIRMED'])
const NOTHING_CHOSEN = '---'

/** The values of a select field, in their order, with the number of bugs that have each. */
export function FieldValues(props: FieldProps) {
  const { place, state, field } = props
  const [dialog, setDialog] = useState<NamedValue | 'new'>()
  const [merged, setMerged] = useState<NamedValue>()
  const counts = useCounts(field)
  const changes = changesOfFieldValues(props)
  const { rows, added } = changes
  const ordering = useOrdering({ list: field.name, ids: rows.map(({ name }) => name), onOrder: changes.order })
  const control = valueFieldNow(field, place.draft)
  const controller =
    control === null ? undefined : { label: labelOf(state.fields, control), values: controllingNames(state, control) }
  const isStatus = field.name === 'bug_status'
  return (
    <section class="card" aria-label="Values">
      <div class="admin-head">
        <h2>Values</h2>
        <span class="faint">{rows.length + added.length}, drag to order</span>
        <span class="align-end">
          <Button size="small" icon="plus" onClick={() => setDialog('new')}>
            New value
          </Button>
        </span>
      </div>
      <OrderedRows
        rows={rows.map((value) => ({
          id: value.name,
          name: value.name,
          shownName: changes.nameOf(value),
          notes: notesOn(changes, value, controller?.label),
          mergedInto: changes.removed(value)?.call.params?.replace_with as string | undefined,
          isChanged: changes.isChanged(value),
          isActive: changes.isActive(value),
          isRemoved: changes.removed(value) !== undefined,
          renamed: changes.renamed(value),
          uses: <Uses field={field} value={value.name} count={counts?.get(value.name)} />,
          items: itemsOf(changes, field, value, counts?.get(value.name) ?? 0, {
            edit: () => setDialog(value),
            merge: () => setMerged(value),
          }),
        }))}
        {...{ ordering, added }}
        orderChange={changes.orderChange}
        onDrop={place.draft.drop}
      />
      {isStatus && (
        <p class="admin-note hint">
          Which status may follow which is the{' '}
          <a class="link" href={hrefOf('/admin/workflow')}>
            workflow
          </a>
          .
        </p>
      )}
      {merged !== undefined && (
        <MergeDialog
          field={field}
          name={merged.name}
          targets={rows.filter((it) => it.name !== merged.name && isTarget(changes, field, it)).map(({ name }) => name)}
          onMerge={(into) => changes.remove(merged, into)}
          onClose={() => setMerged(undefined)}
        />
      )}
      {dialog !== undefined && (
        <ValueDialog
          title={dialog === 'new' ? `New value of ${field.display_name}` : `Value ${dialog.name}`}
          value={{
            name: dialog === 'new' ? '' : changes.nameOf(dialog),
            isOpen: true,
            shownWith: dialog === 'new' ? '' : (changes.shownWith(dialog)[0] ?? ''),
          }}
          isNewStatus={dialog === 'new' && isStatus}
          controller={dialog === 'new' ? undefined : controller}
          onDone={({ name, isOpen, shownWith }) => {
            if (dialog === 'new') return changes.add(name, isStatus ? { is_open: isOpen } : {})
            if (name !== changes.nameOf(dialog)) changes.rename(dialog, name)
            if (shownWith !== (changes.shownWith(dialog)[0] ?? '')) changes.setShownWith(dialog, shownWith)
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </section>
  )
}

/** How many bugs that the reader may see have each value; undefined until it is counted. */
function useCounts({ name, is_obsolete }: Field): ReadonlyMap<string, number> | undefined {
  const { body } = useData(is_obsolete ? undefined : addressOf('/report', { y_axis_field: name }))
  return body && new Map(body.counts.map((it) => [it.y ?? '', it.bug_count]))
}

function Uses({ field, value, count = 0 }: { field: Field; value: string; count: number | undefined }) {
  if (count === 0) return null
  return (
    <a class="link small" href={hrefOf(bugsWithValue(field, value))}>
      {count === 1 ? '1 bug' : `${count} bugs`}
    </a>
  )
}

function notesOn(changes: Changes, value: NamedValue, controller: string | undefined) {
  const [shownWith] = changes.shownWith(value)
  return [
    value.name === NOTHING_CHOSEN && 'no choice',
    !changes.isActive(value) && 'no longer offered',
    shownWith !== undefined && controller !== undefined && `if ${controller} is ${shownWith}`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** Bugs can get a value that is offered, stays and is not the empty one; DUPLICATE names another bug. */
function isTarget(changes: Changes, field: Field, value: NamedValue) {
  const isEmpty = ['', NOTHING_CHOSEN, '--'].includes(value.name)
  const isOther = field.name === 'resolution' && value.name === 'DUPLICATE'
  return value.is_active && changes.removed(value) === undefined && !isEmpty && !isOther
}

function itemsOf(
  changes: Changes,
  field: Field,
  value: NamedValue,
  bugs: number,
  open: { edit(): void; merge(): void },
): MenuItem[] {
  const isKept = KEPT.has(`${field.name} ${value.name}`) || value.name === NOTHING_CHOSEN
  const refused = isKept ? 'the tracker needs it' : undefined
  return [
    { name: 'Edit…', icon: 'edit', refused, run: open.edit },
    {
      name: changes.isActive(value) ? 'Stop offering it' : 'Offer it again',
      icon: 'lock',
      refused,
      run: () => changes.setActive(value, !changes.isActive(value)),
    },
    ...(field.name === 'bug_status' ? [] : [{ name: 'Merge into…', icon: 'arrow', refused, run: open.merge }]),
    {
      name: changes.removed(value) === undefined ? 'Delete' : 'Do not delete',
      icon: 'trash',
      isDangerous: true,
      refused: refused ?? (bugs > 0 && changes.removed(value) === undefined ? 'bugs have it' : undefined),
      run: () => changes.remove(value),
    },
  ]
}
