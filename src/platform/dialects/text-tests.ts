import { fold } from '../text/fold.ts'
import { compilePattern } from '../text/regexps.ts'
import { hasWord } from './sqlite-text-functions.ts'

/** One condition on a text. What is compared case-insensitively is already folded (see fold.ts). */
export type TextTest =
  | { readonly contains: string }
  | { readonly containsExactly: string }
  | { readonly equalsAny: readonly string[] }
  | { readonly hasWord: string }
  | { readonly hasPattern: string }
  | { readonly isBelow: string; readonly orEqual: boolean }
  | { readonly isAbove: string; readonly orEqual: boolean }

/** Conditions on the texts of one row, each of which names its text by index. */
export type TextTree =
  | { readonly all: readonly TextTree[] }
  | { readonly any: readonly TextTree[] }
  | { readonly not: TextTree }
  | { readonly index: number; readonly test: TextTest }

/** The texts of one row, each folded at most once. */
export class RowTexts {
  private readonly texts: readonly unknown[]
  private readonly folded: string[] = []

  constructor(texts: readonly unknown[]) {
    this.texts = texts
  }

  /** A condition on a missing text is false. */
  hold(tree: TextTree): boolean {
    if ('all' in tree) return tree.all.every((part) => this.hold(part))
    if ('any' in tree) return tree.any.some((part) => this.hold(part))
    if ('not' in tree) return !this.hold(tree.not)
    const text = this.texts[tree.index]
    return text !== null && text !== undefined && this.passes(String(text), tree.index, tree.test)
  }

  private passes(text: string, index: number, test: TextTest): boolean {
    if ('containsExactly' in test) return text.includes(test.containsExactly)
    if ('hasPattern' in test) return compilePattern(test.hasPattern).occursIn(text)
    this.folded[index] ??= fold(text)
    const folded = this.folded[index] as string
    if ('contains' in test) return folded.includes(test.contains)
    if ('hasWord' in test) return hasWord(folded, test.hasWord)
    if ('equalsAny' in test) return setOf(test.equalsAny).has(folded)
    const order = 'isBelow' in test ? compare(folded, test.isBelow) : compare(test.isAbove, folded)
    return order < 0 || (test.orEqual && order === 0)
  }
}

function setOf(texts: readonly string[]): ReadonlySet<string> {
  const set = sets.get(texts) ?? new Set(texts)
  sets.set(texts, set)
  return set
}

const sets = new WeakMap<readonly string[], ReadonlySet<string>>()

/**
 * Compares like both engines: by characters, not by UTF-16 units, whose surrogate pairs stand for the highest
 * characters.
 */
function compare(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  let index = 0
  while (index < length && one.charCodeAt(index) === other.charCodeAt(index)) index++
  if (index === length) return one.length - other.length
  return rank(one.charCodeAt(index)) - rank(other.charCodeAt(index))
}

function rank(unit: number) {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit
}
