import { type Coverage, hasPassed, PROCESSES, textOf } from '../coverage.ts'
import type { Mutant } from '../instrumented-copy.ts'
import type { Result } from '../results.ts'
import { filesNear } from './choose-files.ts'
import { type Engines, type Outcome, TestProcess, type TestRun } from './test-process.ts'
import { WaitingMutants } from './waiting-mutants.ts'

interface Judging {
  run: TestRun
  all: readonly Mutant[]
  coverage: readonly Coverage[]
  report: (result: Result) => void
}

/** What the tests do on PostgreSQL is left out first: few mutants differ there only, such as those of locks. */
export async function judgeMutants(judging: Judging, mutants: readonly Mutant[]) {
  const left: Mutant[] = []
  const report = (result: Result) => (result.failure === undefined ? left.push(result.mutant) : judging.report(result))
  await judgeOn('sqlite', { ...judging, report }, mutants)
  await judgeOn('both engines', judging, left)
}

interface Phase extends Judging {
  engines: Engines
  waiting: WaitingMutants
}

/** In a few processes that have loaded the server: loading it takes longer than most tests. */
async function judgeOn(engines: Engines, judging: Judging, mutants: readonly Mutant[]) {
  const waiting = new WaitingMutants(mutants, judging.all, judging.coverage)
  const work = async () => {
    while (waiting.size > 0 && !judging.run.stop.aborted)
      await new WarmProcess({ ...judging, engines, waiting }).judgeWhileSound()
  }
  await Promise.all(Array.from({ length: PROCESSES }, work))
}

interface Caught {
  mutant: Mutant
  by: Coverage
  failure: string
}

/** So many mutants may be caught before a file must pass without one, because the last mutant could have left something behind. */
const MOST_UNCONFIRMED = 10

/** A process that runs files with one mutant after another, each file first without one. */
class WarmProcess {
  private readonly phase: Phase
  private readonly process: TestProcess
  private readonly ranWithout = new Set<Coverage>()
  /** Since a file has last passed. */
  private caught: Caught[] = []
  private isSound = true

  constructor(phase: Phase) {
    this.phase = phase
    this.process = new TestProcess(phase.run, phase.engines)
  }

  /** Until no mutant is left or the process cannot be trusted. */
  async judgeWhileSound() {
    const { waiting, run } = this.phase
    while (this.isSound && !run.stop.aborted) {
      const mutant = waiting.take(this.ranWithout)
      if (mutant === undefined) break
      await this.judge(mutant)
    }
    if (this.isSound && this.caught.length > 0) await this.control(this.caught.at(-1)?.by)
    await this.process.end()
    if (!run.stop.aborted) await this.judgeCaughtAgain()
  }

  private async judge(mutant: Mutant) {
    const { coverage, report, waiting } = this.phase
    const files = waiting.filesFor(mutant)
    let isReached = false
    for (const file of files) {
      if (!this.ranWithout.has(file) && !(await this.control(file))) {
        waiting.giveBack(mutant)
        return
      }
      const outcome = await this.run(file, mutant)
      if (outcome.end !== undefined) {
        this.isSound = false
        const again = await runInNewProcess(this.phase, mutant, [file])
        if (again === undefined) waiting.giveBack(mutant)
        else report({ mutant, failure: again.text })
        return
      }
      if (outcome.failure !== undefined) {
        this.caught.push({ mutant, by: file, failure: textOf(outcome) })
        if (this.caught.length >= MOST_UNCONFIRMED) await this.control(file)
        return
      }
      this.confirm()
      isReached ||= outcome.reached.has(mutant.id)
    }
    const isInOnceCode =
      (files.length > 0 && !isReached) || coverage.some(({ whileLoading }) => whileLoading.has(mutant.id))
    report({ mutant, failure: isInOnceCode ? await judgeOnceCode(this.phase, mutant) : undefined })
  }

  /** Runs a file without a mutant. */
  private async control(file: Coverage | undefined): Promise<boolean> {
    if (file === undefined) return true
    const outcome = await this.run(file)
    const isSlow = this.ranWithout.has(file) && outcome.processorSeconds > file.processorSeconds * 3 + 3
    this.isSound = hasPassed(outcome) && !isSlow
    if (this.isSound) {
      this.ranWithout.add(file)
      this.confirm()
      return true
    }
    console.log(`without a mutant: ${isSlow ? `${file.file} is slow` : textOf(outcome)}`)
    if (!this.phase.run.stop.aborted) this.phase.waiting.noteFailure(file)
    return false
  }

  private run({ file, seconds }: Coverage, mutant?: Mutant): Promise<Outcome> {
    return this.process.runFile(file, mutant?.id, longestSeconds(seconds))
  }

  private confirm() {
    for (const { mutant, failure } of this.caught.splice(0)) this.phase.report({ mutant, failure })
  }

  private async judgeCaughtAgain() {
    for (const { mutant, by } of this.caught.splice(0)) {
      const again = await runInNewProcess(this.phase, mutant, [by])
      if (again === undefined) this.phase.waiting.giveBack(mutant)
      else this.phase.report({ mutant, failure: again.text })
    }
  }
}

/** Code that runs while modules are loaded, or that fills a cache, is mutated only in a process that starts with the mutant. */
async function judgeOnceCode(phase: Phase, mutant: Mutant): Promise<string | undefined> {
  const caught = await runInNewProcess(phase, mutant, filesNear(mutant, phase.all, phase.coverage))
  if (!caught?.isEnd) return caught?.text
  // The process may have been slow for another reason.
  return (await runInNewProcess(phase, mutant, [caught.file]))?.text
}

/** What catches the mutant, if anything does. */
async function runInNewProcess({ run, engines }: Phase, mutant: Mutant, files: readonly Coverage[]) {
  const process = new TestProcess(run, engines, mutant.id)
  try {
    for (const file of files) {
      const outcome = await process.runFile(file.file, mutant.id, longestSeconds(file.seconds) + 10)
      if (!hasPassed(outcome)) return { file, text: textOf(outcome), isEnd: outcome.failure === undefined }
    }
    return undefined
  } finally {
    await process.end()
  }
}

function longestSeconds(usual: number) {
  return Math.ceil(usual * 4 + 20)
}
