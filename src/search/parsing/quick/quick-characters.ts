import { errors } from '../../../platform/errors.ts'

/**
 * One character of a quicksearch, where it stands, and whether quotation marks take its special meaning away. A quotation mark itself
 * is kept as an empty character, so that "" is something and not nothing.
 */
export interface QuickCharacter {
  readonly char: string
  readonly at: number
  readonly isQuoted: boolean
}

export type QuickText = readonly QuickCharacter[]

/**
 * Reads the quotation marks of a line: " anywhere, and ' unless it stands within a word or at its end, where it is an apostrophe. A
 * backslash before one, or before the mark that would close what is open, makes it a character like any other.
 */
export function readQuotes(line: string): QuickText {
  const messages: QuickCharacter[] = []
  let mark = ''
  let markedAt = 0
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at)
    const next = line.charAt(at + 1)
    const isInWord = WORD.test(line.charAt(at - 1))
    if (char === '\\' && (mark === '' ? next === '"' || next === "'" : next === mark)) {
      messages.push({ char: next, at, isQuoted: true })
      at += 1
    } else if (mark === '' && (char === '"' || (char === "'" && !isInWord))) {
      mark = char
      markedAt = at
      messages.push({ char: '', at, isQuoted: true })
    } else if (char === mark && !(char === "'" && isInWord && WORD.test(next))) {
      mark = ''
      messages.push({ char: '', at, isQuoted: true })
    } else messages.push({ char, at, isQuoted: mark !== '' })
  }
  if (mark !== '')
    throw errors.quicksearch_wrong({
      word: line.slice(markedAt),
      place: markedAt + 1,
      why: `the quotation mark ${mark} is opened and not closed`,
    })
  return messages
}

const WORD = /[\p{L}\p{N}_]/u

export function textOf(messages: QuickText): string {
  return messages.map(({ char }) => char).join('')
}

/** Whether the character stands there with its special meaning. */
export function isUnquoted(message: QuickCharacter | undefined, char: string): boolean {
  return message !== undefined && !message.isQuoted && message.char === char
}

/** The parts between separators that are not quoted; parts of nothing are left out. */
export function partsOf(messages: QuickText, isSeparator: (char: string) => boolean): QuickText[] {
  const parts: QuickCharacter[][] = [[]]
  for (const message of messages)
    if (!message.isQuoted && isSeparator(message.char)) parts.push([])
    else parts.at(-1)?.push(message)
  return parts.filter((part) => part.length > 0)
}

/** The parts of a list with commas. */
export function splitAtCommas(messages: QuickText): QuickText[] {
  return partsOf(messages, (char) => char === ',')
}
