import { isTurnLong, laterTurn } from '../monitoring/event-loop.ts'
import { forgetOldest } from '../queues/forget-oldest.ts'
import { dictionary } from '../text/dictionary.ts'
import { compilePattern } from '../text/regexps.ts'
import { type Flags, hexOf, setOf } from './postgres-characters.ts'

/**
 * Translates a case-insensitive pattern of regexps.ts into PostgreSQL's syntax, for `~` in the collation "C", so that
 * both engines match the same texts. Character classes are written out as ranges, since the engines differ in classes,
 * escapes and flags. Throws a plain Error that says what is wrong with the pattern.
 */
export function postgresPattern(source: string): string {
  const known = kept.get(source)
  if (known !== undefined && 'fault' in known) throw new Error(known.fault)
  return (known ?? keep(source, { pattern: translated(source) })).pattern
}

/** Translates patterns in slices and caches them, because a few thousand characters take a second. */
export async function preparePatterns(sources: readonly string[]) {
  for (const source of sources) {
    if (kept.has(source)) continue
    try {
      compilePattern(source)
      const translation = new Translation(source)
      while (!translation.advance(STEPS_UNCHECKED)) if (isTurnLong()) await laterTurn()
      keep(source, { pattern: translation.written })
    } catch (fault) {
      keep(source, { fault: (fault as Error).message })
    }
    if (isTurnLong()) await laterTurn()
  }
}

function translated(source: string): string {
  compilePattern(source)
  const translation = new Translation(source)
  translation.advance(source.length)
  return translation.written
}

function keep<Result extends Translated>(source: string, result: Result): Result {
  kept.set(source, result)
  forgetOldest(kept, MOST_KEPT)
  return result
}

type Translated = { pattern: string } | { fault: string }

const kept = new Map<string, Translated>()
const MOST_KEPT = 200
const STEPS_UNCHECKED = 8

/** A pattern of many large classes would take longer to parse than any text takes to match. */
const LONGEST = 100_000
const MOST_REPEATS = 255

class Translation {
  private readonly source: string
  private at = 0
  written = ''
  private flags: Flags = { folds: true, dotAll: false, lines: false }
  private readonly outside: Flags[] = []

  constructor(source: string) {
    this.source = source
  }

  /** Continues for this many steps. Returns true at the end. */
  advance(steps: number): boolean {
    for (let count = 0; count < steps && this.at < this.source.length; count++) {
      this.step()
      if (this.written.length > LONGEST) throw new Error('it contains too many characters to be matched quickly')
    }
    return this.at >= this.source.length
  }

  private step() {
    const [char = ''] = this.source.slice(this.at, this.at + 2)
    if (char === '(') return this.open()
    if (char === ')') return this.close()
    if (char === '|') return this.write('|', 1)
    if (char === '^' || char === '$') return this.write(this.edge(char), 1)
    if (char === '[') return this.writeSet(this.upTo(endOfClass(this.source, this.at)))
    if (char === '\\') return this.escape()
    return this.repetition() ?? this.writeSet(this.upTo(this.at + char.length))
  }

  /** Nothing is captured, so all parentheses are alike; only their flags are kept. */
  private open() {
    const [all, name, on = '', off = '', end] =
      /^\((?:\?(?:P?<(\w+)>|([imsU]*)(?:-([imsU]*))?([:)])))?/.exec(this.source.slice(this.at)) ?? []
    const flags = this.with(name === undefined ? on : '', off)
    if (end === ')') this.flags = flags
    else {
      this.outside.push(this.flags)
      this.flags = flags
      this.written += '(?:'
    }
    this.at += all?.length ?? 1
  }

  private with(on: string, off: string): Flags {
    const decided = (option: string, now: boolean) => (on.includes(option) || now) && !off.includes(option)
    const { folds, dotAll, lines } = this.flags
    return { folds: decided('i', folds), dotAll: decided('s', dotAll), lines: decided('m', lines) }
  }

  private close() {
    this.flags = this.outside.pop() ?? this.flags
    this.write(')', 1)
  }

  private edge(char: '^' | '$') {
    if (!this.flags.lines) return char === '^' ? '(?:\\A)' : '(?:\\Z)'
    return char === '^' ? '(?:\\A|(?<=\\n))' : '(?:\\Z|(?=\\n))'
  }

  private escape() {
    const rest = this.source.slice(this.at)
    if (rest.startsWith('\\Q')) return this.quoted()
    const edge = EDGES[rest.slice(0, 2)]
    if (edge !== undefined) return this.write(edge, 2)
    const [whole = rest] = ESCAPE.exec(rest) ?? []
    return this.writeSet(this.upTo(this.at + whole.length))
  }

  /** Between \Q and \E every character is literal. */
  private quoted() {
    const start = this.at + 2
    const end = this.source.indexOf('\\E', start)
    for (const char of this.source.slice(start, end < 0 ? undefined : end)) this.writeSet(`\\x{${hexOf(char)}}`)
    this.at = end < 0 ? this.source.length : end + 2
  }

  /** Greedy or lazy makes no difference to whether a text matches. */
  private repetition(): true | undefined {
    const [all, sign, least, comma, most] = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(this.source.slice(this.at)) ?? []
    if (all === undefined) return undefined
    if (Math.max(Number(least ?? 0), Number(most ?? 0)) > MOST_REPEATS)
      throw new Error(`it repeats something more than ${MOST_REPEATS} times`)
    this.write(sign ?? `{${Number(least)}${comma}${most === '' ? '' : Number(most)}}`, all.length)
    return true
  }

  private upTo(end: number): string {
    const part = this.source.slice(this.at, end)
    this.at = end
    return part
  }

  private write(written: string, length: number) {
    this.written += written
    this.at += length
  }

  private writeSet(part: string) {
    this.written += setOf(part, this.flags)
  }
}

const WORD = '[0-9A-Za-z_]'

/** Assertions between characters. A word character is an ASCII one, as in regexps.ts. */
const EDGES: Readonly<Record<string, string>> = dictionary({
  '\\A': '(?:\\A)',
  '\\z': '(?:\\Z)',
  '\\b': `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`,
  '\\B': `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`,
})

const ESCAPE = /^\\(?:[pP](?:\{[^}]*\}|.)|x(?:\{[^}]*\}|..)|[0-7]{1,3}|.)/su

/**
 * A class ends with the first bracket that is not its first character, escaped, or part of a name such as [:alpha:].
 */
function endOfClass(source: string, start: number): number {
  const [found = source] = /^\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]/su.exec(source.slice(start)) ?? []
  return start + found.length
}

/** Why a pattern cannot be searched for, the same on both engines; undefined if it can. */
export function faultInSearched(source: string): string | undefined {
  // What precedes them would be repeated a second time, which the engines handle differently.
  if (REPEATED_OPTIONS.test(source)) return 'options such as (?i) cannot be repeated'
  if (REPEATED_EMPTY_QUOTATION.test(source)) return 'a quotation without characters (\\Q\\E) cannot be repeated'
  try {
    postgresPattern(source)
    return undefined
  } catch (fault) {
    return (fault as Error).message
  }
}

const REPEATED_OPTIONS = /\(\?[a-zA-Z-]+\)[*+?{]/
const REPEATED_EMPTY_QUOTATION = /\\Q\\E[*+?{]/
