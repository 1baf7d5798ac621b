// How many columns of a terminal a text takes.

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const WIDE =
  /\p{Emoji_Presentation}|\ufe0f|[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u
const WITHOUT_WIDTH = /^[\p{M}\p{Cf}]+$/u
/** Most texts: one column for each character. */
const PLAIN = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff]*$/

export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const { segment } of GRAPHEMES.segment(text)) width += graphemeWidth(segment)
  return width
}

/** Katakana and Hangul of half the width. */
const HALF = /^[\uff61-\uffdc]/

function graphemeWidth(grapheme: string): number {
  if (HALF.test(grapheme)) return 1
  if (WITHOUT_WIDTH.test(grapheme)) return 0
  return WIDE.test(grapheme) ? 2 : 1
}

/** The beginning of a text that fits into so many columns, with an ellipsis if there was more. */
export function fitted(text: string, columns: number): string {
  // A character takes up to two columns; a long text is not measured to its end.
  if (text.length <= 8 * columns + 64 && widthOf(text) <= columns) return text
  let [kept, width] = ['', 0]
  for (const { segment } of GRAPHEMES.segment(text.slice(0, 64 * (columns + 1)))) {
    width += graphemeWidth(segment)
    if (width > columns - 1) break
    kept += segment
  }
  return `${kept}…`
}

export function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)))
}
