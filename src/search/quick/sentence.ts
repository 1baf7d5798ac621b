import { type ApiError, errors } from '../../platform/errors.ts'
import { isBare, type Letter, type Letters, lettersOf, partsOf, textOf } from './letters.ts'

/** One thing to look for. */
export interface Term {
  readonly isNegated: boolean
  readonly letters: Letters
}

/** All of the groups, and of each group any of its terms: “or” binds tighter than “and”. */
export type Sentence = readonly (readonly Term[])[]

type Token = { readonly means: 'term' | 'and' | 'or' | 'not'; readonly letters: Letters }

/** Takes a line apart at spaces, AND, OR, | and NOT. */
export function sentenceOf(line: string): Sentence {
  const tokens = tokensOf(lettersOf(line))
  const groups: Term[][] = []
  let isNegated = false
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1]
    requireSense(token, before, tokens[index + 1])
    if (token.means === 'not') isNegated = !isNegated
    if (token.means !== 'term') continue
    const term = termOf(token.letters, isNegated)
    isNegated = false
    if (joinsTo(tokens, index)) groups.at(-1)?.push(term)
    else groups.push([term])
  }
  return groups
}

/** A leading minus negates, unless it is all there is. */
function termOf(letters: Letters, isNegated: boolean): Term {
  const [first, ...rest] = letters
  const isMinus = isBare(first, '-') && rest.length > 0
  return isMinus ? { letters: rest, isNegated: !isNegated } : { letters, isNegated }
}

/** Whether an “or” stands before the term, and before the “not”s that belong to it. */
function joinsTo(tokens: readonly Token[], index: number) {
  let before = index - 1
  while (tokens[before]?.means === 'not') before -= 1
  return tokens[before]?.means === 'or'
}

function tokensOf(letters: Letters): Token[] {
  return partsOf(letters, (char) => /\s/.test(char)).flatMap(brokenAtBars)
}

/** Several bars in a row are one. */
function brokenAtBars(word: Letters): Token[] {
  const parts: { isBar: boolean; letters: Letter[] }[] = []
  for (const letter of word) {
    const isBar = isBare(letter, '|')
    const last = parts.at(-1)
    if (last?.isBar === isBar) last.letters.push(letter)
    else parts.push({ isBar, letters: [letter] })
  }
  return parts.map(({ isBar, letters }) => ({ means: isBar ? 'or' : meaningOf(letters), letters }))
}

function meaningOf(letters: Letters): Token['means'] {
  const text = letters.some(({ isQuoted }) => isQuoted) ? '' : textOf(letters)
  if (text === 'AND' || text === 'OR' || text === 'NOT') return JOINERS[text]
  return 'term'
}

const JOINERS = { AND: 'and', OR: 'or', NOT: 'not' } as const

function requireSense(token: Token, before: Token | undefined, next: Token | undefined) {
  if (token.means === 'term') return
  if (token.means !== 'not' && before === undefined) throw wrongAt(token.letters, 'nothing stands before it')
  if (next === undefined) throw wrongAt(token.letters, 'nothing stands after it')
  if (next.means === 'and' || next.means === 'or')
    throw wrongAt(next.letters, `it cannot follow ${textOf(token.letters)}`)
}

/** The error that points at a word. */
export function wrongAt(letters: Letters, why: string): ApiError {
  return errors.quicksearch_wrong({ word: textOf(letters), place: (letters[0]?.at ?? 0) + 1, why })
}
