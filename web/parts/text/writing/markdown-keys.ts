// What keys and pasting do in a text that is Markdown. Edits are made as if they were typed, so that the browser takes them back too.
import { showToast } from '../../../core/toasts.ts'
import {
  asCode,
  asLink,
  type FieldState,
  indented,
  nextItem,
  pastedAddress,
  type TextEdit,
  withMarker,
  wrapped,
} from './text-edit.ts'

export interface MarkdownTool {
  name: string
  icon: string
  /** With Ctrl, or Cmd. */
  key?: string
  edit(field: FieldState): TextEdit
}

export const MARKDOWN_TOOLS: readonly MarkdownTool[] = [
  { name: 'Bold', icon: 'bold', key: 'b', edit: (field) => wrapped(field, '**') },
  { name: 'Italic', icon: 'italic', key: 'i', edit: (field) => wrapped(field, '_') },
  { name: 'Code', icon: 'code', key: 'e', edit: asCode },
  { name: 'Link', icon: 'link', key: 'k', edit: (field) => asLink(field) },
  { name: 'List', icon: 'list', edit: (field) => withMarker(field, () => '- ') },
  { name: 'Task list', icon: 'task', edit: (field) => withMarker(field, () => '- [ ] ') },
  { name: 'Quote', icon: 'quote', edit: (field) => withMarker(field, () => '> ') },
]

export function stateOf({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): FieldState {
  return { text: value, start: selectionStart, end: selectionEnd }
}

export function applyEdit(area: HTMLTextAreaElement, { from, to, insert, start, end }: TextEdit) {
  area.focus()
  area.setSelectionRange(from, to)
  const isTyped =
    from === to && insert === '' ? true : document.execCommand(insert === '' ? 'delete' : 'insertText', false, insert)
  if (!isTyped) {
    area.setRangeText(insert, from, to)
    area.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  area.setSelectionRange(start, end)
}

/** Does what the key means here. Other keys, and those that somebody has taken already, stay as they are. */
export function handleMarkdownKey(event: KeyboardEvent) {
  const area = event.currentTarget as HTMLTextAreaElement
  if (event.defaultPrevented || event.isComposing || event.altKey) return
  const edit = editFor(event, stateOf(area))
  if (edit === undefined) return
  event.preventDefault()
  event.stopPropagation()
  applyEdit(area, edit)
}

function editFor(event: KeyboardEvent, field: FieldState): TextEdit | undefined {
  const { key, shiftKey } = event
  if (event.ctrlKey || event.metaKey)
    return shiftKey ? undefined : MARKDOWN_TOOLS.find((tool) => tool.key === key.toLowerCase())?.edit(field)
  if (key === 'Enter') return shiftKey ? undefined : nextItem(field)
  return key === 'Tab' ? indented(field, shiftKey) : undefined
}

/** An address that is pasted on a selection makes a link of it. */
export function handlePastedAddress(event: ClipboardEvent) {
  const area = event.currentTarget as HTMLTextAreaElement
  const field = stateOf(area)
  const address = pastedAddress(field, event.clipboardData?.getData('text/plain') ?? '')
  if (event.defaultPrevented || address === undefined) return
  event.preventDefault()
  applyEdit(area, asLink(field, address))
}

const MOST_PICTURES = 20
const PASTED = /!\[[^\]\n]*\]\(attachment:[\w.-]+\)/g

/**
 * Puts a reference to each picture into the text, where the cursor is. Returns the files under the names of the references; pictures
 * that are too many are left out.
 */
export function withPictures(area: HTMLTextAreaElement, files: readonly File[]): File[] {
  const room = MOST_PICTURES - (area.value.match(PASTED)?.length ?? 0)
  const pictures = files.filter(isPicture)
  const taken = pictures.slice(0, Math.max(0, room)).map(renamed)
  if (taken.length < pictures.length)
    showToast({ kind: 'failed', text: `A text has at most ${MOST_PICTURES} pictures: the others were left out.` })
  for (const { name } of taken) {
    const { start, end } = stateOf(area)
    const insert = `![](attachment:${name})`
    // The cursor is where the picture is described.
    applyEdit(area, { from: start, to: end, insert, start: start + insert.length, end: start + insert.length })
  }
  if (taken.length === 1) {
    const at = area.selectionEnd - `](attachment:${taken[0]?.name})`.length
    area.setSelectionRange(at, at)
  }
  return [...taken, ...files.filter((file) => !isPicture(file))]
}

function isPicture({ type }: File) {
  return /^image\/(png|jpeg|gif|webp|bmp|avif)$/.test(type)
}

/** Pasted pictures are all called image.png, and a reference needs a name of its own. */
function renamed(file: File): File {
  const random = [...crypto.getRandomValues(new Uint8Array(6))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  const ending = /^image\/(\w+)$/.exec(file.type)?.[1] ?? 'png'
  return new File([file], `picture-${random}.${ending}`, { type: file.type, lastModified: file.lastModified })
}
