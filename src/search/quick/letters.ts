import { errors } from '../../platform/errors.ts'

/**
 * One character of a quicksearch, where it stands, and whether quotation marks take its special meaning away. A quotation mark itself
 * is kept as an empty character, so that "" is something and not nothing.
 */
export interface Letter {
  readonly char: string
  readonly at: number
  readonly isQuoted: boolean
}

export type Letters = readonly Letter[]

/**
 * Reads the quotation marks of a line: " anywhere, and ' unless it stands within a word or at its end, where it is an apostrophe. A
 * backslash before one, or before the mark that would close what is open, makes it a character like any other.
 */
export function lettersOf(line: string): Letters {
  const letters: Letter[] = []
  let mark = ''
  let markedAt = 0
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at)
    const next = line.charAt(at + 1)
    const isInWord = WORD.test(line.charAt(at - 1))
    if (char === '\\' && (mark === '' ? next === '"' || next === "'" : next === mark)) {
      letters.push({ char: next, at, isQuoted: true })
      at += 1
    } else if (mark === '' && (char === '"' || (char === "'" && !isInWord))) {
      mark = char
      markedAt = at
      letters.push({ char: '', at, isQuoted: true })
    } else if (char === mark && !(char === "'" && isInWord && WORD.test(next))) {
      mark = ''
      letters.push({ char: '', at, isQuoted: true })
    } else letters.push({ char, at, isQuoted: mark !== '' })
  }
  if (mark !== '')
    throw errors.quicksearch_wrong({
      word: line.slice(markedAt),
      place: markedAt + 1,
      why: `the quotation mark ${mark} is opened and not closed`,
    })
  return letters
}

const WORD = /[\p{L}\p{N}_]/u

export function textOf(letters: Letters): string {
  return letters.map(({ char }) => char).join('')
}

/** Whether the character stands there with its special meaning. */
export function isBare(letter: Letter | undefined, char: string): boolean {
  return letter !== undefined && !letter.isQuoted && letter.char === char
}

/** The parts between separators that are not quoted; parts of nothing are left out. */
export function partsOf(letters: Letters, isSeparator: (char: string) => boolean): Letters[] {
  const parts: Letter[][] = [[]]
  for (const letter of letters)
    if (!letter.isQuoted && isSeparator(letter.char)) parts.push([])
    else parts.at(-1)?.push(letter)
  return parts.filter((part) => part.length > 0)
}

/** The parts of a list with commas. */
export function listedIn(letters: Letters): Letters[] {
  return partsOf(letters, (char) => char === ',')
}
