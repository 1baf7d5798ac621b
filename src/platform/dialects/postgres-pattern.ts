import { RE2JS } from 're2js'
import { dictionary } from '../dictionary.ts'
import { compilePattern } from '../regexps.ts'

/**
 * A case-insensitive pattern of regexps.ts in PostgreSQL's own syntax, to be matched with `~` in the collation "C": the same texts match,
 * on either engine. Whether a character matches is written out as ranges, since the two know different classes, escapes and flags.
 * Throws a plain Error that says what is wrong with the pattern.
 */
export function postgresPattern(source: string): string {
  const known = kept.get(source)
  if (known !== undefined) return known
  compilePattern(source)
  const pattern = new Translation(source).whole()
  if (kept.size > 200) kept.clear()
  kept.set(source, pattern)
  return pattern
}

const kept = new Map<string, string>()

/** A pattern of many large classes would take longer to read than any text takes to match. */
const LONGEST = 100_000
const MOST_REPEATS = 255

/** What letters after a question mark switch on and off, from there to the end of the brackets that they stand in. */
interface Flags {
  /** i: capital letters and small ones are the same. */
  folds: boolean
  /** s: a dot is a line feed, too. */
  dotAll: boolean
  /** m: ^ and $ are the beginning and the end of every line. */
  lines: boolean
}

class Translation {
  private readonly source: string
  private at = 0
  private written = ''
  private flags: Flags = { folds: true, dotAll: false, lines: false }
  private readonly outside: Flags[] = []

  constructor(source: string) {
    this.source = source
  }

  whole(): string {
    while (this.at < this.source.length) {
      this.step()
      if (this.written.length > LONGEST) throw new Error('it names too many characters to be matched quickly')
    }
    return this.written
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

  /** Nothing is captured, so all brackets are alike; only the flags that they hold are kept. */
  private open() {
    const [all, name, on = '', off = '', end] =
      /^\((?:\?(?:P?<(\w+)>|([imsU]*)(?:-([imsU]*))?([:)])))?/.exec(this.source.slice(this.at)) ?? []
    const given = this.with(name === undefined ? on : '', off)
    if (end === ')') this.flags = given
    else {
      this.outside.push(this.flags)
      this.flags = given
      this.written += '(?:'
    }
    this.at += all?.length ?? 1
  }

  private with(on: string, off: string): Flags {
    const decided = (letter: string, now: boolean) => (on.includes(letter) || now) && !off.includes(letter)
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

  /** Between \Q and \E every character means itself. */
  private quoted() {
    const start = this.at + 2
    const end = this.source.indexOf('\\E', start)
    for (const char of this.source.slice(start, end < 0 ? undefined : end)) this.writeSet(`\\x{${hexOf(char)}}`)
    this.at = end < 0 ? this.source.length : end + 2
  }

  /** Whether as much or as little as possible is taken makes no difference to whether a text matches. */
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

/** Between characters. A word is one of ASCII here, as it is in regexps.ts. */
const EDGES: Readonly<Record<string, string>> = dictionary({
  '\\A': '(?:\\A)',
  '\\z': '(?:\\Z)',
  '\\b': `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`,
  '\\B': `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`,
})

const ESCAPE = /^\\(?:[pP](?:\{[^}]*\}|.)|x(?:\{[^}]*\}|..)|[0-7]{1,3}|.)/su

/** A class ends with the first bracket that is not its first character, escaped, or that of a name such as [:alpha:]. */
function endOfClass(source: string, start: number): number {
  const [found = source] = /^\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]/su.exec(source.slice(start)) ?? []
  return start + found.length
}

/** The characters that one character of the pattern stands for, as PostgreSQL writes them; it has none with the number 0. */
function setOf(part: string, flags: Flags): string {
  const ranges = rangesOf(part, flags).flatMap(([first, last]) =>
    last === 0 ? [] : [[Math.max(first, 1), last] as const],
  )
  const written = ranges.map(([first, last]) => (first === last ? code(first) : `${code(first)}-${code(last)}`))
  return written.length === 0 ? NO_CHARACTER : `[${written.join('')}]`
}

/** None comes after the end. */
const NO_CHARACTER = `(?:\\Z[${code(1)}-${code(0x10ffff)}])`

/**
 * re2js does not tell what it has read, so this looks at the one instruction for a character in what it has compiled. There, a character
 * that is compared without regard to case stands alone, even when it was given as a class; beside another, it brings its other forms.
 */
function rangesOf(part: string, flags: Flags): [number, number][] {
  const runes = runesOf(part, flags)
  const [only = 0, ...more] = runes
  if (runes.length === 0 || more.length > 0) return pairs(runes)
  return flags.folds ? pairs(runesOf(`[\\x{${only.toString(16)}}\\x00]`, flags)) : [[only, only]]
}

function runesOf(part: string, { folds, dotAll }: Flags): readonly number[] {
  const flags = (folds ? RE2JS.CASE_INSENSITIVE : 0) | (dotAll ? RE2JS.DOTALL : 0)
  const { inst } = RE2JS.compile(part, flags).re2Input.prog as { inst: readonly Instruction[] }
  return [...(inst.find(({ op }) => op >= FIRST_OF_CHARACTERS && op <= LAST_OF_CHARACTERS)?.runes ?? [])]
}

interface Instruction {
  op: number
  runes: Int32Array
}

const FIRST_OF_CHARACTERS = 8
const LAST_OF_CHARACTERS = 11

function pairs(runes: readonly number[]): [number, number][] {
  return Array.from({ length: runes.length / 2 }, (_, index) => [runes[2 * index] ?? 0, runes[2 * index + 1] ?? 0])
}

function hexOf(char: string) {
  return (char.codePointAt(0) ?? 0).toString(16)
}

function code(point: number): string {
  return `\\U${point.toString(16).padStart(8, '0')}`
}

/** Why a pattern cannot be searched for, the same on both engines; undefined when it can. */
export function faultInSearched(source: string): string | undefined {
  // What stands before the options would be repeated a second time, which the engines do in different ways.
  if (REPEATED_OPTIONS.test(source)) return 'options such as (?i) cannot be repeated'
  try {
    postgresPattern(source)
    return undefined
  } catch (fault) {
    return (fault as Error).message
  }
}

const REPEATED_OPTIONS = /\(\?[a-zA-Z-]+\)[*+?{]/
