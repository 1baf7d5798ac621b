import type { Json } from '../rest-client/rest-server.ts'
import type { AnswerDifference } from './compare-answers.ts'
import { KNOWN_DIFFERENCES, type KnownDifference } from './known-differences.ts'

/** One case of a difference, with values that are cut to what differs. */
export interface DifferenceExample {
  readonly as: string
  readonly call: string
  readonly old: string
  readonly new: string
}

/** A kind of difference: the same field in the same kind of call. */
export interface DifferenceCount {
  readonly call: string
  readonly path: string
  readonly kind: string
  count: number
  readonly examples: DifferenceExample[]
}

export interface KnownCount {
  readonly name: string
  readonly says: string
  count: number
  readonly examples: DifferenceExample[]
}

/** More kinds than this are counted as one, so that memory does not depend on the servers. */
const MOST_KINDS = 500

/** Counts what two servers answered. */
export class VerifyTally {
  readonly answers = { compared: 0, agree: 0, knownDifferences: 0, differ: 0, unanswered: 0 }
  readonly differences = new Map<string, DifferenceCount>()
  readonly known = new Map<string, KnownCount>()
  private readonly examples: number
  private readonly knownOnes: readonly KnownDifference[]

  /** Two servers of the same program have no known differences. */
  constructor(examples: number, areSameProgram: boolean) {
    this.examples = examples
    this.knownOnes = areSameProgram ? [] : KNOWN_DIFFERENCES
  }

  /** `kind` is the kind of the call, such as `comment`. */
  add(
    kind: string,
    as: string,
    call: string,
    differences: readonly AnswerDifference[],
    isHidden: (bug: number) => boolean,
  ) {
    this.answers.compared++
    let isDifferent = false
    const answer = { call: kind, differences, isHidden }
    for (const difference of differences) {
      const known = this.knownOnes.find((it) => it.matches(difference, answer))
      const example = () => exampleOf(as, call, difference)
      if (known === undefined) {
        isDifferent = true
        count(this.differenceFor(kind, difference), this.examples, example)
      } else {
        const counted = this.known.get(known.name) ?? { name: known.name, says: known.says, count: 0, examples: [] }
        this.known.set(known.name, counted)
        count(counted, this.examples, example)
      }
    }
    if (isDifferent) this.answers.differ++
    else if (differences.length > 0) this.answers.knownDifferences++
    else this.answers.agree++
  }

  /** A call to which a server gave no answer. */
  unanswered(kind: string, as: string, call: string, why: string) {
    this.answers.unanswered++
    const difference = { path: '(answer)', kind: 'no answer' as const, old: why, new: undefined }
    count(this.differenceFor(kind, difference), this.examples, () => ({ as, call, old: why, new: '' }))
  }

  private differenceFor(call: string, { path, kind }: { path: string; kind: string }): DifferenceCount {
    const key = this.differences.size >= MOST_KINDS ? 'others' : `${call} ${path} ${kind}`
    const known = this.differences.get(key)
    if (known) return known
    const made =
      key === 'others' ? { call: '', path: 'others', kind: 'differ' } : { call, path: path.slice(0, 200), kind }
    const counted: DifferenceCount = { ...made, count: 0, examples: [] }
    this.differences.set(key, counted)
    return counted
  }
}

function count(
  counted: { count: number; examples: DifferenceExample[] },
  examples: number,
  example: () => DifferenceExample,
) {
  counted.count++
  if (counted.examples.length < examples) counted.examples.push(example())
}

const SHOWN = 120
const BEFORE = 30

function exampleOf(as: string, call: string, { old, new: own }: AnswerDifference): DifferenceExample {
  const [left, right] = [jsonText(old), jsonText(own)]
  let at = 0
  while (at < left.length && at < right.length && left[at] === right[at]) at++
  const from = Math.max(left.length, right.length) <= SHOWN ? 0 : Math.max(0, at - BEFORE)
  return { as, call, old: cut(left, from), new: cut(right, from) }
}

function jsonText(value: Json | undefined) {
  return value === undefined ? '(nothing)' : JSON.stringify(value)
}

function cut(text: string, from: number) {
  const part = text.slice(from, from + SHOWN)
  return `${from === 0 ? '' : '…'}${part}${from + SHOWN < text.length ? '…' : ''}`
}
