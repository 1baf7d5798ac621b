import { type ApiError, errors } from '../../../platform/errors.ts'
import { isUnquoted, partsOf, plainText, type QuickCharacter, type QuickText, readQuotes } from './quick-characters.ts'

/** One search term. */
export interface Term {
  readonly isNegated: boolean
  readonly characters: QuickText
}

/** All groups must match, and of each group at least one term: “or” binds tighter than “and”. */
export type QuickQuery = readonly (readonly Term[])[]

type Token = { readonly means: 'term' | 'and' | 'or' | 'not'; readonly characters: QuickText }

/** Splits a line at spaces, AND, OR, | and NOT. */
export function sentenceOf(line: string): QuickQuery {
  const tokens = tokensOf(readQuotes(line))
  const groups: Term[][] = []
  let isNegated = false
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1]
    requireComplete(token, before, tokens[index + 1])
    if (token.means === 'not') isNegated = !isNegated
    if (token.means !== 'term') continue
    const term = termOf(token.characters, isNegated)
    isNegated = false
    if (joinsTo(tokens, index)) groups.at(-1)?.push(term)
    else groups.push([term])
  }
  return groups
}

/** A leading minus negates the term, unless the term is only a minus. */
function termOf(characters: QuickText, isNegated: boolean): Term {
  const [first, ...rest] = characters
  const isMinus = isUnquoted(first, '-') && rest.length > 0
  return isMinus ? { characters: rest, isNegated: !isNegated } : { characters: characters, isNegated }
}

/** Whether there is an “or” before the term and its “not”s. */
function joinsTo(tokens: readonly Token[], index: number) {
  let before = index - 1
  while (tokens[before]?.means === 'not') before -= 1
  return tokens[before]?.means === 'or'
}

function tokensOf(characters: QuickText): Token[] {
  return partsOf(characters, (char) => /\s/.test(char)).flatMap(brokenAtBars)
}

/** Several bars in a row count as one. */
function brokenAtBars(word: QuickText): Token[] {
  const parts: { isBar: boolean; characters: QuickCharacter[] }[] = []
  for (const character of word) {
    const isBar = isUnquoted(character, '|')
    const last = parts.at(-1)
    if (last?.isBar === isBar) last.characters.push(character)
    else parts.push({ isBar, characters: [character] })
  }
  return parts.map(({ isBar, characters }) => ({ means: isBar ? 'or' : meaningOf(characters), characters }))
}

function meaningOf(characters: QuickText): Token['means'] {
  const text = characters.some(({ isQuoted }) => isQuoted) ? '' : plainText(characters)
  if (text === 'AND' || text === 'OR' || text === 'NOT') return JOINERS[text]
  return 'term'
}

const JOINERS = { AND: 'and', OR: 'or', NOT: 'not' } as const

function requireComplete(token: Token, before: Token | undefined, next: Token | undefined) {
  if (token.means === 'term') return
  if (token.means !== 'not' && before === undefined)
    throw quicksearchError(token.characters, 'nothing stands before it')
  if (next === undefined) throw quicksearchError(token.characters, 'nothing stands after it')
  if (next.means === 'and' || next.means === 'or')
    throw quicksearchError(next.characters, `it cannot follow ${plainText(token.characters)}`)
}

/** The error with the position of a word. */
export function quicksearchError(characters: QuickText, why: string): ApiError {
  return errors.quicksearch_wrong({ word: plainText(characters), position: (characters[0]?.at ?? 0) + 1, why })
}
