/**
 * Characters that show nothing themselves and change how others look or are read: direction marks, spaces without width, tags, control characters, the
 * empty Braille pattern. Those that join an emoji are not among them.
 */
const INVISIBLE =
  /(?!\ufe0f|[\t\n\r]|(?<=\p{Extended_Pictographic}\ufe0f?)\u200d)[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/gu
/** They could push what follows out of sight. */
const MANY_EMPTY_LINES = /\n(?:[^\S\n]*\n){4,}/g
const MANY_SPACES = /[^\S\n]{40,}/g

/** The text with the code of each such character in its place, and with the number of spaces and empty lines where they are many, for texts on which somebody decides. */
export function visibleText(text: string): string {
  return text
    .replace(INVISIBLE, (found) => `[U+${found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`)
    .replace(MANY_EMPTY_LINES, (found) => `\n[${found.split('\n').length - 2} empty lines]\n`)
    .replace(MANY_SPACES, (found) => ` [${found.length} spaces] `)
}
