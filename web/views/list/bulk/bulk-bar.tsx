import { useState } from 'preact/hooks'
import { BULK, MORE_BULK } from '../../../core/bugs/field-places.ts'
import type { FieldList } from '../../../core/bugs/fields.ts'
import { isShownField } from '../../../core/bugs/hidden-fields.ts'
import { useKeys } from '../../../core/keys.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { late } from '../../../parts/late.tsx'
import { Menu } from '../../../parts/menu.tsx'
import type { Undone } from '../../../parts/use-undo.ts'
import { shownRowFields } from '../preview/row-fields.ts'
import { clearSelection, selectedBugs } from '../state.ts'
import type { Rows } from '../table/rows.ts'
import { bringUpToDate } from '../table/use-live-rows.ts'
import { chosenChanges, removeChange } from './bulk-changes.ts'
import { BulkField } from './bulk-field.tsx'
import { MOST_SELECTED, selecting, stopSelecting } from './select-all.ts'

const BulkPreview = late(async () => (await import('./bulk-preview.tsx')).BulkPreview)
const UndoDialog = late(async () => (await import('../../../parts/undo-dialog.tsx')).UndoDialog)

/** Floats over the rows while some are selected: what is chosen becomes chips, and is previewed before it is done. */
export function BulkBar({ rows, fields }: { rows: Rows; fields: FieldList }) {
  const [editing, setEditing] = useState<string>()
  const [isPreviewing, setPreviewing] = useState(false)
  const [undoing, setUndoing] = useState<Undone>()
  const count = selectedBugs.value.size
  const toBar = () => document.querySelector<HTMLElement>('.bulk-bar button')?.focus()
  const byLetter = shownRowFields()
    .filter(({ isFrequent }) => isFrequent)
    .map(({ name, label, letter }) => ({
      keys: letter,
      what: `Change the ${label.toLowerCase()} of the selected bugs`,
      run: () => setEditing(name),
    }))
  useKeys(count === 0 ? [] : [{ keys: 'e', what: 'Change the selected bugs', run: toBar }, ...byLetter])
  const undo = undoing !== undefined && (
    <UndoDialog
      title="Undo the change of these bugs?"
      what={undoing}
      onClose={() => setUndoing(undefined)}
      onDone={() => {
        if ('bugs' in undoing) void bringUpToDate(rows, new Map(undoing.bugs.map((id) => [id, false])))
      }}
    />
  )
  if (count === 0) return undo || null
  const clear = () => {
    stopSelecting()
    clearSelection()
  }
  const custom = fields.choices.filter((field) => field.is_custom).map(({ name }) => name)
  const isChosen = (name: string) => chosenChanges.value.some(({ field }) => field === name)
  const label = (name: string) => (name === 'comment' ? 'Comment' : fields.label(name))
  return (
    <div class="bulk-bar" role="toolbar" aria-label="Change the selected bugs">
      <b class="nowrap" role="status">
        {selecting.value === undefined
          ? `${count.toLocaleString()} selected`
          : `Selecting ${selecting.value.toLocaleString()} of ${Math.min(rows.total.value ?? 0, MOST_SELECTED).toLocaleString()}…`}
      </b>
      <span class="bulk-separator only-wide" />
      <span class="only-wide row bulk-fields">
        {BULK.filter((name) => !isChosen(name) && isShownField(name)).map((name) => (
          <Button key={name} kind="quiet" size="small" onClick={() => setEditing(name)}>
            {label(name)}
          </Button>
        ))}
      </span>
      <span class="row bulk-changes">
        {chosenChanges.value.map((change) => (
          <button
            key={change.field}
            type="button"
            class="chip is-on"
            title="Do not change this"
            onClick={() => removeChange(change.field)}
          >
            {change.label} → <span class="chip-text">{change.value}</span>
            <Icon name="x" size="tiny" />
          </button>
        ))}
      </span>
      <Menu
        label="More fields"
        buttonClass="button button-quiet button-small"
        button={
          <>
            <span class="only-wide">More</span>
            <span class="only-phone">Edit</span>
            <Icon name="down" />
          </>
        }
        items={[...BULK, ...MORE_BULK, 'comment', ...custom]
          .filter(isShownField)
          .filter((name) => !isChosen(name))
          .map((name) => ({ name: label(name), run: () => setEditing(name) }))}
      />
      <span class="bulk-separator only-wide" />
      <Button kind="primary" size="small" unavailable={reasonNotToPreview()} onClick={() => setPreviewing(true)}>
        Preview
        <span class="only-wide">
          {' '}
          {count.toLocaleString()} {count === 1 ? 'change' : 'changes'}
        </span>
      </Button>
      <IconButton name="Clear the selection" icon="x" shortcut="Esc" size="small" onClick={clear} />
      {editing !== undefined && (
        <BulkField
          key={editing}
          name={editing}
          label={label(editing)}
          fields={fields}
          rows={rows}
          onClose={setEditing}
        />
      )}
      {isPreviewing && (
        <BulkPreview rows={rows} fields={fields} onClose={() => setPreviewing(false)} onUndo={setUndoing} />
      )}
      {undo}
    </div>
  )
}

function reasonNotToPreview() {
  if (selecting.value !== undefined) return 'Wait until all are selected'
  return chosenChanges.value.length === 0 ? 'Choose what to change first' : undefined
}
