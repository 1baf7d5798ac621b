// What a new bug may get, judged by the bugs that may be the same.
import type { Bug } from '../../core/server/types.ts'

const PROPOSED = ['component', 'severity', 'priority', 'type'] as const
export type ProposedField = (typeof PROPOSED)[number]
export type Proposals = Partial<Record<ProposedField, { value: string; count: number }>>

/** So many likely duplicates must have the same value, and more of them than have another one. */
const FEWEST = 2
/** Stands for “not yet decided”, which is no proposal. */
const UNDECIDED = new Set(['', '---'])

/** The values that most of the likely duplicates share and the bug does not have. Only values that can be chosen are proposed. */
export function proposalsFrom(
  bug: Pick<Bug, ProposedField>,
  others: readonly Pick<Bug, ProposedField>[],
  choices: Readonly<Record<ProposedField, readonly string[]>>,
): Proposals {
  const proposals: Proposals = {}
  for (const name of PROPOSED) {
    const counts = Map.groupBy(others, (other) => String(other[name] ?? ''))
    for (const [value, { length: count }] of counts) {
      const isMost = count >= FEWEST && count * 2 > others.length
      const isChoice = choices[name].includes(value) && !UNDECIDED.has(value)
      if (isMost && isChoice && value !== bug[name]) proposals[name] = { value, count }
    }
  }
  return proposals
}
