import { wordsIn } from './words.ts'

/** A word or a phrase; with `isPrefix`, its last word may be only the beginning of a word. */
export interface WordTerm {
  readonly words: readonly string[]
  readonly isPrefix: boolean
}

/** The words of a search: bugs must have each term of `all`, and no term of `none`. */
export interface SearchWords {
  readonly all: readonly WordTerm[]
  readonly none: readonly WordTerm[]
}

/**
 * Parses a search text: words, all of which must occur, `"several words in a row"`, `begin*` and `-unwanted`. A plus
 * before a word changes nothing. Several words without a space between them, such as `nsFoo::bar`, are searched as a
 * phrase.
 */
export function searchWordsIn(text: string): SearchWords {
  const all: WordTerm[] = []
  const none: WordTerm[] = []
  for (const { groups } of text.matchAll(TERM)) {
    const { sign, quoted, plain = '' } = groups ?? {}
    const words = wordsIn(quoted ?? plain).slice(0, MOST_WORDS)
    if (words.length === 0) continue
    const terms = sign === '-' ? none : all
    if (terms.length < MOST_TERMS) terms.push({ words, isPrefix: quoted === undefined && plain.endsWith('*') })
  }
  return { all, none }
}

const TERM = /(?<sign>[+-]?)(?:"(?<quoted>[^"]*)"?|(?<plain>[^\s"]+))/g

/** No real search has more, and each term is looked up. */
const MOST_TERMS = 30
const MOST_WORDS = 100
