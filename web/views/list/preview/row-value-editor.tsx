import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Bug } from '../../../core/server/types.ts'
import { currentRow, isPreviewDrawn } from '../state.ts'
import { RowEditor } from './row-editor.tsx'
import { editedValue, rowField } from './row-fields.ts'

const HEIGHT_PIXELS = 300

/** The editor of a value where there is no preview: below its row, or above it at the end of the window. */
export function RowValueEditor({ bug, onSaved }: { bug: Bug; onSaved(): void }) {
  const box = useRef<HTMLDivElement>(null)
  const edited = editedValue.value
  const field = edited?.bug === bug.id && !isPreviewDrawn() ? rowField(edited.field) : undefined
  useLayoutEffect(() => {
    const row = document.getElementById(`row-${currentRow.value}`)?.getBoundingClientRect()
    if (row === undefined || box.current === null) return
    const isAbove = row.bottom + HEIGHT_PIXELS > innerHeight && row.top > HEIGHT_PIXELS
    box.current.style.setProperty('top', isAbove ? 'auto' : `${row.bottom}px`)
    box.current.style.setProperty('bottom', isAbove ? `${innerHeight - row.top}px` : 'auto')
  }, [field])
  if (field === undefined) return null
  return (
    <div class="popup row-popup" ref={box}>
      <b>{field.label}</b> <span class="faint">{bug.id}</span>
      <RowEditor key={field.name} bug={bug} field={field} onSaved={onSaved} />
    </div>
  )
}
