import { RE2JS } from 're2js'
import { forgetOldest } from '../queues/forget-oldest.ts'

/** Administrators write the patterns and anonymous callers the text, so matching takes linear time. */
export interface Pattern {
  occursIn(text: string): boolean
}

const LONGEST = 2000
/** The time to match grows with these steps, and a short pattern such as (a?){1000} can have many. */
const MOST_STEPS = 2500
const kept = new Map<string, Pattern>()
const MOST_KEPT = 500

/** A case-insensitive pattern; throws a plain Error that says what is wrong with it. */
export function compilePattern(source: string): Pattern {
  const known = kept.get(source)
  if (known) return known
  if (source.length > LONGEST) throw new Error(`it must have at most ${LONGEST} characters`)
  const compiled = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE)
  if (compiled.programSize() > MOST_STEPS) throw new Error('it has too many repetitions to be matched quickly')
  const pattern = { occursIn: (text: string) => compiled.matcher(text).find() }
  kept.set(source, pattern)
  forgetOldest(kept, MOST_KEPT)
  return pattern
}

/** Why the text is not a usable pattern; undefined if it is one. */
export function faultInPattern(source: string): string | undefined {
  try {
    compilePattern(source)
    return undefined
  } catch (fault) {
    return (fault as Error).message
  }
}
