/** Commas and spaces separate words. */
export const SEPARATORS = /[\s,]+/

/**
 * The words of a text, but at most one beyond `most`: the code that counts them refuses the text then, and splitting a
 * text of a million words would block other requests.
 */
export function splitWords(text: string, most: number, separators = SEPARATORS): string[] {
  const pieces = text.split(separators, most + EMPTY_FIRST_PIECE + ONE_TOO_MANY)
  return pieces.filter((word) => word !== '').slice(0, most + ONE_TOO_MANY)
}

const EMPTY_FIRST_PIECE = 1
const ONE_TOO_MANY = 1
