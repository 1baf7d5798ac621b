import { dirname } from 'node:path'
import type { Coverage } from '../coverage.ts'
import type { Mutant } from '../instrumented-copy.ts'

/** The test files that reach the mutant, the most promising first, as many as the budget of processor time allows. */
export function filesReaching(mutant: Mutant, all: readonly Mutant[], coverage: readonly Coverage[]): Coverage[] {
  const reaching = coverage.filter(({ mutants }) => mutants.has(mutant.id))
  return affordable(mostPromisingFirst(reaching, mutant, all, coverage), BUDGET_SECONDS)
}

/** Those for a mutant in code that runs only while a module is loaded, or that fills a cache: they reach other code of its file or folder. */
export function filesNear(mutant: Mutant, all: readonly Mutant[], coverage: readonly Coverage[]): Coverage[] {
  const reachingAny = (others: readonly Mutant[]) =>
    coverage.filter(({ mutants }) => others.some(({ id }) => mutants.has(id)))
  const ofFile = reachingAny(all.filter(({ file }) => file === mutant.file))
  const near =
    ofFile.length > 0 ? ofFile : reachingAny(all.filter(({ file }) => dirname(file) === dirname(mutant.file)))
  return affordable(mostPromisingFirst(near, mutant, all, coverage), ONCE_BUDGET_SECONDS)
}

/** Of the processor, for the tests of one mutant. Most are caught by the first. */
const BUDGET_SECONDS = 25
/** They are not chosen by whether they reach it. */
const ONCE_BUDGET_SECONDS = 10

/**
 * The test file beside the source file first, then those that reach what few others reach, of its source file and of the files beside that,
 * and that are short. Code that many files pass through says little about what a file tests.
 */
function mostPromisingFirst(
  files: readonly Coverage[],
  mutant: Mutant,
  all: readonly Mutant[],
  coverage: readonly Coverage[],
): Coverage[] {
  const near = all.filter(({ file }) => dirname(file) === dirname(mutant.file))
  const weights = near.map(({ id, file }) => {
    const reaching = coverage.filter((it) => it.mutants.has(id)).length
    return { id, weight: (file === mutant.file ? SAME_FILE_WEIGHT : 1) / (1 + reaching) }
  })
  const beside = mutant.file.replace(/\.ts$/, '.test.ts')
  const score = ({ file, mutants, processorSeconds }: Coverage) =>
    file === beside
      ? Number.POSITIVE_INFINITY
      : weights.reduce((sum, { id, weight }) => (mutants.has(id) ? sum + weight : sum), 0) / (processorSeconds + 0.5)
  const scored = files.map((file) => ({ file, score: score(file) }))
  return scored.sort((a, b) => b.score - a.score).map(({ file }) => file)
}

const SAME_FILE_WEIGHT = 5

/** Takes as many as take no longer together than the budget, and at least one. One that is too long leaves room for those after it. */
function affordable(files: readonly Coverage[], budgetSeconds: number): Coverage[] {
  let left = budgetSeconds
  return files.filter(({ processorSeconds }, index) => {
    if (processorSeconds > left && index > 0) return false
    left -= processorSeconds
    return true
  })
}
