import { IconButton } from '../../button.tsx'
import { useFileDialog } from '../../file-dialog.tsx'
import { applyEdit, MARKDOWN_TOOLS, stateOf } from './markdown-keys.ts'

interface Props {
  field(): HTMLTextAreaElement | null
  onFiles(files: readonly File[]): void
}

/** Buttons for what Markdown can do. The arrow keys lead from one to the next. */
export function MarkdownBar({ field, onFiles }: Props) {
  const dialog = useFileDialog(onFiles, 'image/*')
  const run = (act: (area: HTMLTextAreaElement) => void) => {
    const area = field()
    if (area !== null) act(area)
  }
  return (
    <div class="row markdown-bar" role="toolbar" aria-label="Markdown" onKeyDown={moveWithArrows}>
      {dialog.input}
      {MARKDOWN_TOOLS.map(({ name, icon, key, edit }) => (
        <IconButton
          key={name}
          name={name}
          icon={icon}
          size="small"
          {...(key !== undefined && { shortcut: `Ctrl+${key}` })}
          onClick={() => run((area) => applyEdit(area, edit(stateOf(area))))}
        />
      ))}
      <IconButton name="Picture" icon="image" size="small" onClick={dialog.open} />
    </div>
  )
}

function moveWithArrows(event: KeyboardEvent) {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (step === 0) return
  const buttons = [...(event.currentTarget as HTMLElement).querySelectorAll('button')]
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
  buttons[(at + step + buttons.length) % buttons.length]?.focus()
  event.preventDefault()
}
