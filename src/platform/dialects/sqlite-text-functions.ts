import type { DatabaseSync } from 'node:sqlite'
import { fold } from '../text/fold.ts'
import { compilePattern } from '../text/regexps.ts'

// The threads for slow reads load this file, so it imports no query builder: loading one took most of their start.

/**
 * To be called on every connection. A read whose time is over ends with the next row that calls require_time; `countRow` may end one with
 * each row that it tests.
 */
export function addTextFunctions(
  connection: DatabaseSync,
  hasTime: () => boolean = () => true,
  countRow: () => void = () => {},
) {
  connection.function('is_row_allowed', { directOnly: true }, () => {
    countRow()
    return 1
  })
  connection.function('require_time', { directOnly: true }, () => {
    if (!hasTime()) throw new Error('The time limit of this read is over')
    return 1
  })
  const pure = { deterministic: true, directOnly: true }
  connection.function('folded', pure, (text: unknown) => (text === null ? null : fold(String(text))))
  connection.function('without_domains', pure, (text: unknown) => withoutDomains(String(text)))
  connection.function('has_word', pure, (text: unknown, word: unknown) => Number(hasWord(String(text), String(word))))
  connection.function('has_pattern', pure, (text: unknown, source: unknown) =>
    Number(compilePattern(String(source)).occursIn(String(text))),
  )
}

/** Addresses in a line of history are separated by spaces, commas and parentheses. */
export function withoutDomains(text: string): string {
  return text.replace(/@[^\s,()]*/g, '')
}

const ENDS_IN_WORD = /[\p{L}\p{Nd}]$/u
const BEGINS_WITH_WORD = /^[\p{L}\p{Nd}]/u

export function hasWord(text: string, word: string): boolean {
  if (word === '') return false
  for (let start = text.indexOf(word); start !== -1; start = text.indexOf(word, start + 1)) {
    const end = start + word.length
    const before = text.slice(Math.max(0, start - 2), start)
    if (!ENDS_IN_WORD.test(before) && !BEGINS_WITH_WORD.test(text.slice(end, end + 2))) return true
  }
  return false
}
