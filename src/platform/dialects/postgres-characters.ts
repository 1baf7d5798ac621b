import { RE2JS } from 're2js'
import { forgetOldest } from '../queues/forget-oldest.ts'

/** The flags that a group such as (?i) sets or clears, from there to the end of the enclosing parentheses. */
export interface Flags {
  /** i: ignores case. */
  folds: boolean
  /** s: a dot also matches a line feed. */
  dotAll: boolean
  /** m: ^ and $ also match at the beginning and end of every line. */
  lines: boolean
}

/** The characters that one element of the pattern matches, in PostgreSQL's syntax; PostgreSQL has no character 0. */
export function setOf(part: string, flags: Flags): string {
  const key = `${flags.folds} ${flags.dotAll} ${part}`
  const known = sets.get(key)
  if (known !== undefined) return known
  const set = writtenSet(part, flags)
  sets.set(key, set)
  forgetOldest(sets, MOST_SETS)
  return set
}

const sets = new Map<string, string>()
const MOST_SETS = 1000

function writtenSet(part: string, flags: Flags): string {
  const ranges = rangesOf(part, flags).flatMap(([first, last]) =>
    last === 0 ? [] : [[Math.max(first, 1), last] as const],
  )
  const written = ranges.map(([first, last]) => (first === last ? code(first) : `${code(first)}-${code(last)}`))
  return written.length === 0 ? NO_CHARACTER : `[${written.join('')}]`
}

/** Never matches: no character follows the end. */
const NO_CHARACTER = `(?:\\Z[${code(1)}-${code(0x10ffff)}])`

/**
 * re2js does not expose its parse result, so this inspects the one instruction for a character in the compiled program.
 * There, a case-insensitive character is stored alone, even if it was a class; next to another one, its other forms are
 * included.
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

export function hexOf(char: string) {
  return (char.codePointAt(0) ?? 0).toString(16)
}

function code(point: number): string {
  return `\\U${point.toString(16).padStart(8, '0')}`
}
