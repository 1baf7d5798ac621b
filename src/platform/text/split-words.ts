/** What stands between two words: commas and blanks. */
export const SEPARATORS = /[\s,]+/

/**
 * The words of a text, but of those beyond `most` only one: the code that counts them refuses the text, and to split a text of a million words
 * would keep everybody waiting.
 */
export function splitWords(text: string, most: number, separators = SEPARATORS): string[] {
  const pieces = text.split(separators, most + EMPTY_FIRST_PIECE + ONE_TOO_MANY)
  return pieces.filter((word) => word !== '').slice(0, most + ONE_TOO_MANY)
}

const EMPTY_FIRST_PIECE = 1
const ONE_TOO_MANY = 1
