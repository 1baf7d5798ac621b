import type { DatabaseSync } from 'node:sqlite'
import { type RawBuilder, sql } from 'kysely'
import { fold } from '../fold.ts'
import { compilePattern } from '../regexps.ts'
import type { Dialect } from './dialect.ts'

/** What is asked of text that no index answers. Both engines answer alike: SQLite by calling the functions below. */
export interface TextFunctions {
  /** The form in which text is compared; see fold.ts. */
  folded(text: RawBuilder<unknown>): RawBuilder<string>
  /** Whether the text has the word in it, with no letter or digit beside it. */
  hasWord(text: RawBuilder<unknown>, word: string): RawBuilder<boolean>
  /** Whether the pattern occurs in the text; see regexps.ts, which must know it. */
  hasPattern(text: RawBuilder<unknown>, source: string): RawBuilder<boolean>
  /** The seconds of a time since 1970. */
  secondsOf(time: RawBuilder<unknown>): RawBuilder<number>
}

export function textFunctions({ engine }: Dialect): TextFunctions {
  return engine === 'sqlite' ? inSqlite : inPostgres
}

const inSqlite: TextFunctions = {
  folded: (text) => sql`folded(${text})`,
  hasWord: (text, word) => sql`has_word(${text}, ${word})`,
  hasPattern: (text, source) => sql`has_pattern(${text}, ${source})`,
  secondsOf: (time) => sql`unixepoch(${time})`,
}

/** To be called on every connection. */
export function addTextFunctions(connection: DatabaseSync) {
  const pure = { deterministic: true, directOnly: true }
  connection.function('folded', pure, (text: unknown) => (text === null ? null : fold(String(text))))
  connection.function('has_word', pure, (text: unknown, word: unknown) => Number(hasWord(String(text), String(word))))
  connection.function('has_pattern', pure, (text: unknown, source: unknown) =>
    Number(compilePattern(String(source)).occursIn(String(text))),
  )
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

/** Letters of every language are told apart from signs, and made small, by ICU, which every PostgreSQL comes with. */
const UNICODE = sql`collate "und-x-icu"`

const inPostgres: TextFunctions = {
  folded: (text) => sql`(lower(normalize(${text}) ${UNICODE}) collate "C")`,
  hasWord: (text, word) => sql`(${text} ${UNICODE} ~ ${`(^|[^[:alnum:]])${literally(word)}([^[:alnum:]]|$)`})`,
  hasPattern: (text, source) => sql`(${text} ${UNICODE} ~* ${source})`,
  secondsOf: (time) => sql`cast(extract(epoch from cast(${time} as timestamptz)) as integer)`,
}

function literally(text: string) {
  return text.replace(/[^\p{L}\p{N}]/gu, (sign) => (/^[\x21-\x7e]$/.test(sign) ? `\\${sign}` : sign))
}
