import { fold } from './fold.ts'

/**
 * The words of a text in the form in which they are indexed and searched: folded and stemmed, so that `crashing` finds
 * `crashes`. Done here, so that both engines find the same. In scripts without spaces each character is a word.
 */
export function wordsIn(text: string): string[] {
  const folded = fold(text)
  const found = folded.match(IS_ASCII.test(folded) ? ASCII_WORD : WORD) ?? []
  return found.map((word) => knownStem(word.length > LONGEST_WORD ? word.slice(0, LONGEST_WORD) : word))
}

/** A text has few different words, and finding a stem takes longer than looking it up. */
const stems = new Map<string, string>()
const MOST_STEMS = 20_000

function knownStem(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  if (stems.size >= MOST_STEMS) stems.clear()
  const made = stem(word)
  stems.set(word, made)
  return made
}

const IS_ASCII = /^[\0-\x7f]*$/
const ASCII_WORD = /[a-z0-9]+/g
const SIGN = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`
const WORD = new RegExp(`[${SIGN}]|[[\\p{L}\\p{N}\\p{M}]--[${SIGN}]]+`, 'gv')

/** Longer words are not typed by users: a digest, or a pasted attachment. */
const LONGEST_WORD = 64

/**
 * All forms of a word have the same stem, which need not be a word itself. It is better to remove too few endings than
 * too many: words with the same stem cannot be distinguished.
 */
export function stem(word: string): string {
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

/** The positions of a bug in the index: one for each comment, by its number, and the last one for the summary. */
export const PLACES_OF_A_BUG = 2 ** 20
export const SUMMARY_PLACE = PLACES_OF_A_BUG - 1

export function placeOf(bugId: number, number: number) {
  return bugId * PLACES_OF_A_BUG + number
}

/** The words of a summary are also indexed with a mark, so that they can be found without reading the comments. */
export function wordsInSummary(summary: string): string[] {
  const words = wordsIn(summary)
  return [...words, ...words.map(inSummary)]
}

/** The mark is not a letter, so that no search can contain it. */
export function inSummary(word: string) {
  return `§${word}`
}
