import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { isEquivalent } from './equivalent-mutants.ts'
import type { Mutant } from './instrumented-copy.ts'

export interface Result {
  mutant: Mutant
  /** What caught it. */
  failure?: string | undefined
  /** The list says that nothing can catch it, so no test was run. */
  isEquivalent?: true
}

type Line = Mutant & Pick<Result, 'failure'>

/** Prints what was not caught. A log has a line of JSON for each result, which is not judged again unless its source file has changed. */
export class Results {
  readonly all: Result[] = []
  private readonly log: string | undefined
  private readonly started = performance.now()
  private readonly logged = new Map<string, string | undefined>()

  constructor(log: string | undefined) {
    this.log = log
    if (log === undefined || !existsSync(log)) return
    for (const line of readFileSync(log, 'utf8').split('\n').filter(Boolean)) {
      const { failure, ...mutant }: Line = JSON.parse(line)
      this.logged.set(keyOf(mutant), failure)
    }
  }

  get minutes() {
    return ((performance.now() - this.started) / 60_000).toFixed(1)
  }

  get caught() {
    return this.all.filter(({ failure }) => failure !== undefined).length
  }

  /** Whether the result is known without tests. */
  recall(mutant: Mutant): boolean {
    const key = keyOf(mutant)
    const isListed = isEquivalent(mutant)
    if (isListed) this.note({ mutant, isEquivalent: true })
    else if (this.logged.has(key)) this.note({ mutant, failure: this.logged.get(key) })
    else return false
    return true
  }

  add({ mutant, failure }: Result) {
    if (this.log !== undefined) appendFileSync(this.log, `${JSON.stringify({ ...mutant, failure } satisfies Line)}\n`)
    this.note({ mutant, failure })
    if (this.all.length % 20 === 0)
      console.log(`${this.caught} of ${this.all.length} caught, after ${this.minutes} min`)
  }

  private note(result: Result) {
    this.all.push(result)
    if (result.failure === undefined && !result.isEquivalent) console.log(describeMutant(result.mutant))
  }
}

function keyOf({ file, source, line, column, original, replacement }: Mutant) {
  return JSON.stringify([file, source, line, column, original, replacement])
}

function describeMutant({ file, line, kind, original, replacement }: Mutant) {
  const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 100)
  return `not caught: ${file}:${line} ${kind}: ${short(original)} → ${short(replacement)}`
}
