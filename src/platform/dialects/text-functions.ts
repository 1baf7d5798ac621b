import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import { postgresPattern } from './postgres-pattern.ts'

/**
 * Conditions on text that no index can answer. Both engines give the same results: SQLite by calling the functions of
 * sqlite-text-functions.ts.
 */
export interface TextFunctions {
  /** The form in which text is compared; see fold.ts. */
  folded(text: RawBuilder<unknown>): RawBuilder<string>
  /** Whether the text contains the word, with no letter or digit next to it. */
  hasWord(text: RawBuilder<unknown>, word: string): RawBuilder<boolean>
  /** Whether the pattern occurs in the text; see regexps.ts, which must support it. */
  hasPattern(text: RawBuilder<unknown>, source: string): RawBuilder<boolean>
  /** The text up to the first @. */
  beforeAt(text: RawBuilder<unknown>): RawBuilder<string>
  /** The text with every address in it cut at its @. */
  withoutDomains(text: RawBuilder<unknown>): RawBuilder<string>
  /** A list such as `5, 7`, filtered by `isKept`. */
  listOf(list: RawBuilder<unknown>, isKept: (part: RawBuilder<string>) => Expression<boolean>): RawBuilder<string>
  /** The id in a text of digits; 0 for any other text. */
  idIn(text: RawBuilder<unknown>): RawBuilder<number>
  /** The seconds of a time since 1970. */
  secondsOf(time: RawBuilder<unknown>): RawBuilder<number>
}

export function textFunctions({ engine }: Dialect): TextFunctions {
  return engine === 'sqlite' ? inSqlite : inPostgres
}

const inSqlite: TextFunctions = {
  folded: (text) => sql`folded(${text})`,
  // Most texts do not contain the word at all, which is faster to find out.
  hasWord: (text, word) => sql`(instr(${text}, ${word}) > 0 and has_word(${text}, ${word}))`,
  hasPattern: (text, source) => sql`has_pattern(${text}, ${source})`,
  beforeAt: (text) => sql`substr(${text}, 1, instr(${text} || '@', '@') - 1)`,
  // Turns `a, b` into the JSON list ["a","b"]: within the quotes that JSON adds, each ", " becomes the end of one text
  // and the start of the next.
  listOf: (list, isKept) => sql`coalesce((select group_concat(part, ', ') from (select value as part
    from json_each('[' || replace(json_quote(${list}), ', ', '","') || ']') where ${isKept(sql`value`)} order by key)), '')`,
  idIn: (text) =>
    sql`(case when ${text} <> '' and ${text} not glob '*[^0-9]*' then cast(${text} as integer) else 0 end)`,
  withoutDomains: (text) => sql`without_domains(${text})`,
  secondsOf: (time) => sql`unixepoch(${time})`,
}

/** ICU, which every PostgreSQL includes, classifies and lowercases the letters of every language. */
const UNICODE = sql`collate "und-x-icu"`

const inPostgres: TextFunctions = {
  // ASCII text is folded many times faster without ICU.
  folded: (text) => sql`(case when octet_length(${text}) = length(${text}) then lower(${text} collate "C")
    else lower(normalize(${text}) ${UNICODE}) collate "C" end)`,
  // Most texts do not contain the word at all, which is a hundred times faster to find out than matching a pattern.
  hasWord: (text, word) =>
    sql`(strpos(${text}, ${word}) > 0 and ${text} ${UNICODE} ~ ${`(^|[^[:alnum:]])${literally(word)}([^[:alnum:]]|$)`})`,
  hasPattern: (text, source) => sql`(${text} collate "C" ~ ${postgresPattern(source)})`,
  beforeAt: (text) => sql`split_part(${text}, '@', 1)`,
  listOf: (list, isKept) => sql`coalesce((select string_agg(part, ', ' order by place)
    from unnest(string_to_array(${list}, ', ')) with ordinality as parts (part, place) where ${isKept(sql`part`)}), '')`,
  idIn: (text) => sql`(case when ${text} ~ '^[0-9]{1,9}$' then cast(${text} as integer) else 0 end)`,
  withoutDomains: (text) => sql`regexp_replace(${text}, '@[^[:space:],()]*', '', 'g')`,
  secondsOf: (time) => sql`cast(extract(epoch from cast(${time} as timestamptz)) as integer)`,
}

function literally(text: string) {
  return text.replace(/[^\p{L}\p{N}]/gu, (sign) => (/^[\x21-\x7e]$/.test(sign) ? `\\${sign}` : sign))
}
