// Texts of a server can have anything in them. Nothing of it may steer a terminal, or change the direction of what is beside it.

/** Control characters, and those that turn the direction of text or separate lines. */
const UNSAFE = /(?!\t)[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/gu

const [FIRST_PICTURE, DELETE] = [0x2400, 0x7f]

/** One line that a terminal shows as it is: what would steer it becomes a visible character. */
export function cleanLine(text: string): string {
  return text.replaceAll(UNSAFE, visible)
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(FIRST_PICTURE + code)
  if (code === DELETE) return '␡'
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}

/** The lines of a text. A carriage return ends a line too, because it would overwrite it. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/)
}

/** Such as the beginning of a comment: several lines as one. */
export function onOneLine(text: string): string {
  return linesOf(text)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
}

/** JSON in which no character steers a terminal either. It has the same values. */
export function jsonText(value: unknown, indent = 1): string {
  return (JSON.stringify(value, undefined, indent) ?? 'null').replaceAll(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
