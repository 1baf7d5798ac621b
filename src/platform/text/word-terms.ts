import { wordsIn } from './words.ts'

/** A word, or several that stand one after the other; with `isPrefix`, the last of them may be only the beginning of a word. */
export interface WordTerm {
  readonly words: readonly string[]
  readonly isPrefix: boolean
}

/** What somebody looks for: bugs with each of some terms, and with none of some others. */
export interface WantedWords {
  readonly all: readonly WordTerm[]
  readonly none: readonly WordTerm[]
}

/**
 * Reads what was typed: words, all of which must occur, `"several words in a row"`, `begin*` and `-unwanted`. A plus before a word says
 * what is so without it. What is made of several words without a space between them, such as `nsFoo::bar`, is looked for as one.
 */
export function wantedWords(text: string): WantedWords {
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

/** Nobody types more, and each is looked up. */
const MOST_TERMS = 30
const MOST_WORDS = 100
