import { errors } from '../../../platform/errors.ts'

/**
 * One character of a quicksearch, its position, and whether quotation marks remove its special meaning. A quotation mark itself is kept as an
 * empty character, so that "" is a term.
 */
export interface QuickCharacter {
  readonly char: string
  readonly at: number
  readonly isQuoted: boolean
}

export type QuickText = readonly QuickCharacter[]

/**
 * Reads the quotation marks of a line: " anywhere, and ' unless it is within or at the end of a word, where it is an apostrophe. A backslash
 * before a quotation mark that would open or close a quotation makes it an ordinary character.
 */
export function readQuotes(line: string): QuickText {
  const characters: QuickCharacter[] = []
  let mark = ''
  let markedAt = 0
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at)
    const next = line.charAt(at + 1)
    const isInWord = WORD.test(line.charAt(at - 1))
    if (char === '\\' && (mark === '' ? next === '"' || next === "'" : next === mark)) {
      characters.push({ char: next, at, isQuoted: true })
      at += 1
    } else if (mark === '' && (char === '"' || (char === "'" && !isInWord))) {
      mark = char
      markedAt = at
      characters.push({ char: '', at, isQuoted: true })
    } else if (char === mark && !(char === "'" && isInWord && WORD.test(next))) {
      mark = ''
      characters.push({ char: '', at, isQuoted: true })
    } else characters.push({ char, at, isQuoted: mark !== '' })
  }
  if (mark !== '')
    throw errors.quicksearch_wrong({
      word: line.slice(markedAt),
      position: markedAt + 1,
      why: `the quotation mark ${mark} is opened and not closed`,
    })
  return characters
}

const WORD = /[\p{L}\p{N}_]/u

export function plainText(characters: QuickText): string {
  return characters.map(({ char }) => char).join('')
}

/** Whether this is the character with its special meaning. */
export function isUnquoted(character: QuickCharacter | undefined, char: string): boolean {
  return character !== undefined && !character.isQuoted && character.char === char
}

/** The parts between separators that are not quoted, without empty parts. */
export function partsOf(characters: QuickText, isSeparator: (char: string) => boolean): QuickText[] {
  const parts: QuickCharacter[][] = [[]]
  for (const character of characters)
    if (!character.isQuoted && isSeparator(character.char)) parts.push([])
    else parts.at(-1)?.push(character)
  return parts.filter((part) => part.length > 0)
}

/** The parts of a list that is separated by commas. */
export function splitAtCommas(characters: QuickText): QuickText[] {
  return partsOf(characters, (char) => char === ',')
}
