import type { VerifyResult } from './verify-servers.ts'
import type { DifferenceExample } from './verify-tally.ts'

/** Exit codes: the servers agree, they differ, they could not be compared (wholly). */
export const [AGREE, DIFFER, NOT_COMPARED] = [0, 1, 2]

export function exitCodeOf({ tally, brokenOff }: VerifyResult) {
  if (brokenOff !== undefined || tally.answers.unanswered > 0) return NOT_COMPARED
  return tally.answers.differ > 0 ? DIFFER : AGREE
}

/** The result as JSON, for programs. */
export function resultAsJson(result: VerifyResult): object {
  const { tally, ...facts } = result
  return {
    ...facts,
    answers: tally.answers,
    differences: byCount([...tally.differences.values()]),
    known_differences: byCount([...tally.known.values()]),
    exit_code: exitCodeOf(result),
  }
}

/** The result as text, for people. */
export function resultAsText({ old, new: own, people, bugs, tally, brokenOff }: VerifyResult): string {
  const { compared, agree, knownDifferences, differ, unanswered } = tally.answers
  const lines = [
    `Old: ${old.address} (${old.version})`,
    `New: ${own.address} (${own.version})`,
    `Compared ${number(bugs.compared)} of ${number(bugs.found)} bugs, as ${people.join(', ')}.`,
    `${number(compared)} answers: ${number(agree)} agree, ${number(knownDifferences)} differ only in known ways, ${number(differ)} differ.`,
    ...(unanswered > 0 ? [`${number(unanswered)} calls had no answer.`] : []),
    ...(brokenOff === undefined ? [] : [brokenOff]),
  ]
  const differences = byCount([...tally.differences.values()])
  if (differences.length > 0) lines.push('', 'Differences:')
  for (const { call, path, kind, count, examples } of differences)
    lines.push(`  ${call}: ${path} ${kind} (${number(count)})`, ...examples.map(exampleLine))
  const known = byCount([...tally.known.values()])
  if (known.length > 0) lines.push('', 'Known differences, which docs/compat.md explains:')
  for (const { name, says, count, examples } of known)
    lines.push(`  ${name} (${number(count)}): ${says}`, ...examples.slice(0, 1).map(exampleLine))
  return lines.join('\n')
}

function exampleLine({ as, call, old, new: own }: DifferenceExample) {
  return `    ${as}, ${call.length > 100 ? `${call.slice(0, 100)}…` : call}: ${printable(own === '' ? old : `${old} → ${own}`)}`
}

/** Text of another server must not steer the terminal. */
function printable(text: string) {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ')
}

function byCount<Counted extends { count: number }>(counted: Counted[]): Counted[] {
  return counted.sort((one, other) => other.count - one.count)
}

function number(count: number) {
  return count.toLocaleString('en')
}
