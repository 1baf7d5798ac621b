// Edits of a text field, as data: what is replaced by what, and what is selected then.

export interface FieldState {
  text: string
  start: number
  end: number
}

export interface TextEdit {
  from: number
  to: number
  insert: string
  /** What is selected afterwards. */
  start: number
  end: number
}

/** Puts marks around the selection, or takes away those that are there. Without a selection, the cursor is between them. */
export function wrapped({ text, start, end }: FieldState, mark: string): TextEdit {
  const selected = text.slice(start, end)
  const length = mark.length
  if (selected.length >= 2 * length && selected.startsWith(mark) && selected.endsWith(mark)) {
    const insert = selected.slice(length, -length)
    return { from: start, to: end, insert, start, end: start + insert.length }
  }
  if (text.slice(start - length, start) === mark && text.slice(end, end + length) === mark)
    return { from: start - length, to: end + length, insert: selected, start: start - length, end: end - length }
  return { from: start, to: end, insert: `${mark}${selected}${mark}`, start: start + length, end: end + length }
}

/** Several lines of code are a block. */
export function asCode(field: FieldState): TextEdit {
  const selected = field.text.slice(field.start, field.end)
  if (!selected.includes('\n')) return wrapped(field, '`')
  const before = field.start === 0 || field.text[field.start - 1] === '\n' ? '' : '\n'
  const insert = `${before}\`\`\`\n${selected.replace(/\n$/, '')}\n\`\`\``
  const language = field.start + before.length + 3
  return { from: field.start, to: field.end, insert, start: language, end: language }
}

/** A link with the selection as its text; the place of the address is selected. */
export function asLink({ text, start, end }: FieldState, address = ''): TextEdit {
  const selected = text.slice(start, end)
  const insert = `[${selected}](${address})`
  const at = start + selected.length + 3
  if (address !== '') return { from: start, to: end, insert, start: start + insert.length, end: start + insert.length }
  return selected === ''
    ? { from: start, to: end, insert, start: start + 1, end: start + 1 }
    : { from: start, to: end, insert, start: at, end: at }
}

const MARKER = /^(\s*)(?:> |(?:[-*+]|\d{1,9}[.)]) +(?:\[[ xX]\] )?)/

/** Begins each selected line with a marker, or takes it away if all of them have one. */
export function withMarker({ text, start, end }: FieldState, markerOf: (line: number) => string): TextEdit {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const to = end > from && text[end - 1] === '\n' ? end - 1 : lineEnd(text, end)
  const lines = text.slice(from, to).split('\n')
  const isMarked = lines.every((line, index) => line.trimStart().startsWith(markerOf(index)))
  const changed = lines.map((line, index) =>
    isMarked ? line.replace(markerOf(index), '') : `${markerOf(index)}${line.replace(MARKER, '$1')}`,
  )
  const insert = changed.join('\n')
  const isEmpty = start === end
  const last = from + insert.length
  return { from, to, insert, start: isEmpty ? last : from, end: last }
}

/** What Enter does in a list or a quote: the next item, or the end of the list after an empty one. Undefined elsewhere. */
export function nextItem({ text, start, end }: FieldState): TextEdit | undefined {
  if (start !== end) return undefined
  const from = text.lastIndexOf('\n', start - 1) + 1
  const line = text.slice(from, start)
  const item = /^(\s*)(>|[-*+]|\d{1,9}[.)])( +)(\[[ xX]\] +)?/.exec(line)
  if (item === null) return undefined
  const [whole, indent = '', marker = '', gap = ' ', task] = item
  const isEmpty = line.length === whole.length && text.slice(start, lineEnd(text, start)).trim() === ''
  if (isEmpty) return { from, to: start, insert: '', start: from, end: from }
  const insert = `\n${indent}${following(marker)}${gap}${task === undefined ? '' : '[ ] '}`
  return { from: start, to: start, insert, start: start + insert.length, end: start + insert.length }
}

function following(marker: string) {
  const number = /^(\d+)([.)])$/.exec(marker)
  return number === null ? marker : `${Number(number[1]) + 1}${number[2]}`
}

const ITEM = /^( *)([-*+]|\d{1,9}[.)]) /

/**
 * Tab moves an item below the one before it, Shift Tab back. Undefined where that is not possible, so that the key leads the focus on as
 * everywhere else.
 */
export function indented({ text, start, end }: FieldState, isBack: boolean): TextEdit | undefined {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const item = ITEM.exec(text.slice(from, lineEnd(text, start)))
  if (item === null || text.slice(start, end).includes('\n')) return undefined
  const [, indent = '', marker = ''] = item
  const before = text.slice(text.lastIndexOf('\n', from - 2) + 1, Math.max(0, from - 1))
  const above = from === 0 ? null : ITEM.exec(before)
  const width = marker.length + 1
  const next = isBack
    ? Math.max(0, indent.length - width)
    : above === null || indent.length > (above[1]?.length ?? 0)
      ? indent.length
      : (above[1]?.length ?? 0) + (above[2]?.length ?? 1) + 1
  const shift = next - indent.length
  if (shift === 0) return undefined
  return { from, to: from + indent.length, insert: ' '.repeat(next), start: start + shift, end: end + shift }
}

/** The address that is pasted on a selection, if it is one and the selection can be the text of a link. */
export function pastedAddress({ text, start, end }: FieldState, pasted: string): string | undefined {
  const selected = text.slice(start, end)
  const address = pasted.trim()
  const isText = selected.trim() !== '' && !/[\n\]]/.test(selected) && !/^https?:/i.test(selected.trim())
  return isText && address.length < 2000 && /^https?:\/\/[^\s<>()]+$/i.test(address) ? address : undefined
}

function lineEnd(text: string, from: number) {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}
