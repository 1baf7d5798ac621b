import { type ByteWindow, NEED_MORE } from './byte-window.ts'
import type { DumpKind } from './dump-value.ts'
import { quotedText } from './quoted-text.ts'
import { BACKTICK, DOUBLE_QUOTE, QUOTE, quotedName, skipBlockComment, skipLine } from './sql-tokens.ts'

/** Skips a statement that is of no interest, up to its end outside of quotes. */
export function skipStatement(window: ByteWindow, delimiter: string, kind: DumpKind) {
  const first = delimiter.charCodeAt(0)
  for (;;) {
    const byte = window.peek()
    if (byte === -1) throw NEED_MORE
    if (byte === first && startsWith(window, delimiter)) {
      window.position += delimiter.length
      return
    }
    if (byte === QUOTE || byte === DOUBLE_QUOTE) quotedText(window, byte, kind === 'mysql')
    else if (byte === BACKTICK) quotedName(window, BACKTICK)
    else if (byte === 0x24 && kind === 'postgres') skipDollarQuotes(window)
    else if (byte === 0x2f && window.peek(1) === 0x2a) skipBlockComment(window, () => {})
    else if (isLineComment(window, byte, kind)) skipLine(window)
    else window.position++
  }
}

/** Skips everything up to the delimiter, also quotes. */
export function skipTo(window: ByteWindow, delimiter: string) {
  const at = window.bytes.indexOf(delimiter, window.position, 'latin1')
  if (at === -1) throw NEED_MORE
  window.position = at + delimiter.length
}

/** In MySQL, two hyphens begin a comment only before white space, and `#` begins one too. */
function isLineComment(window: ByteWindow, byte: number, kind: DumpKind) {
  if (byte === 0x23) return kind === 'mysql'
  return byte === 0x2d && window.peek(1) === 0x2d && (kind !== 'mysql' || window.peek(2) <= 0x20)
}

function startsWith(window: ByteWindow, text: string) {
  for (let index = 0; index < text.length; index++) if (window.peek(index) !== text.charCodeAt(index)) return false
  return true
}

/** The body of a function: `$$ … $$` or `$name$ … $name$`. */
function skipDollarQuotes(window: ByteWindow) {
  const end = window.bytes.indexOf('$', window.position + 1, 'latin1')
  if (end === -1) throw NEED_MORE
  const tag = window.text(window.position, end + 1)
  if (!/^\$\w*\$$/.test(tag)) {
    window.position++
    return
  }
  const close = window.bytes.indexOf(tag, end + 1, 'latin1')
  if (close === -1) throw NEED_MORE
  window.position = close + tag.length
}
