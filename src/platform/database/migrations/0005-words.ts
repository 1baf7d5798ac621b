/**
 * The word splitting of the time of the search migration: a frozen copy of words.ts and fold.ts, because a migration
 * must do the same in every later release.
 */
export function fold(text: string) {
  return text.normalize('NFC').toLowerCase()
}

export function wordsIn(text: string): string[] {
  const folded = fold(text)
  const found = folded.match(IS_ASCII.test(folded) ? ASCII_WORD : WORD) ?? []
  return found.map((word) => stem(word.length > LONGEST_WORD ? word.slice(0, LONGEST_WORD) : word))
}

const IS_ASCII = /^[\0-\x7f]*$/
const ASCII_WORD = /[a-z0-9]+/g
const SIGN = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`
const WORD = new RegExp(`[${SIGN}]|[[\\p{L}\\p{N}\\p{M}]--[${SIGN}]]+`, 'gv')

const LONGEST_WORD = 64

function stem(word: string): string {
  if (word.length < 3 || !ONLY_LETTERS.test(word)) return word
  return withoutLastE(withoutDoubling(withoutVerbEnding(withoutPlural(word))))
}

const ONLY_LETTERS = /^[a-z]+$/
const VOWEL = /[aeiouy]/

function withoutPlural(word: string) {
  if (word.length < 4 || !word.endsWith('s')) return word
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1)
  if (/(?:[sxz]|[cs]h)es$/.test(word)) return word.slice(0, -2)
  return /(?:[sui]s)$/.test(word) ? word : word.slice(0, -1)
}

function withoutVerbEnding(word: string) {
  if (word.endsWith('ied') && word.length > 4) return `${word.slice(0, -3)}y`
  if (word.endsWith('eed')) return word
  const root = word.endsWith('ing') ? word.slice(0, -3) : word.endsWith('ed') ? word.slice(0, -2) : undefined
  return root !== undefined && root.length > 1 && VOWEL.test(root) ? root : word
}

function withoutDoubling(word: string) {
  return word.length > 3 && word.at(-1) === word.at(-2) && !VOWEL.test(word.at(-1) ?? '') ? word.slice(0, -1) : word
}

function withoutLastE(word: string) {
  return word.length > 2 && word.endsWith('e') ? word.slice(0, -1) : word
}

const PLACES_OF_A_BUG = 2 ** 20
export const SUMMARY_PLACE = PLACES_OF_A_BUG - 1

export function placeOf(bugId: number, number: number) {
  return bugId * PLACES_OF_A_BUG + number
}

export function wordsInSummary(summary: string): string[] {
  const words = wordsIn(summary)
  return [...words, ...words.map(inSummary)]
}

function inSummary(word: string) {
  return `§${word}`
}
