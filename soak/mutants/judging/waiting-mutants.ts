import type { Coverage } from '../coverage.ts'
import type { Mutant } from '../instrumented-copy.ts'
import { filesReaching } from './choose-files.ts'

/** Gives each process mutants that the files which it has run may catch: a file runs first without one, which takes as long. */
export class WaitingMutants {
  private readonly all: readonly Mutant[]
  private readonly coverage: readonly Coverage[]
  private readonly waiting: Mutant[]
  private readonly filesOf = new Map<Mutant, Coverage[]>()
  /** Files with which a process has begun. */
  private readonly begun = new Set<Coverage>()
  private readonly failed = new Set<Coverage>()
  private readonly leftOut = new Set<Coverage>()

  constructor(waiting: readonly Mutant[], all: readonly Mutant[], coverage: readonly Coverage[]) {
    this.waiting = [...waiting]
    this.all = all
    this.coverage = coverage
  }

  get size() {
    return this.waiting.length
  }

  filesFor(mutant: Mutant): Coverage[] {
    const files = this.filesOf.get(mutant) ?? filesReaching(mutant, this.all, this.coverage)
    this.filesOf.set(mutant, files)
    return files.filter((file) => !this.leftOut.has(file))
  }

  /** A file that has failed without a mutant. It may have been the fault of its process, so it is left out the second time. */
  noteFailure(file: Coverage) {
    if (this.failed.has(file)) this.leftOut.add(file)
    this.failed.add(file)
  }

  take(own: ReadonlySet<Coverage>): Mutant | undefined {
    const indexOf = (isFit: (first: Coverage | undefined) => boolean) =>
      this.waiting.findIndex((mutant) => isFit(this.filesFor(mutant)[0]))
    const indexes = [
      indexOf((first) => first !== undefined && own.has(first)),
      indexOf((first) => first !== undefined && !this.begun.has(first)),
      0,
    ]
    const [mutant] = this.waiting.splice(indexes.find((index) => index >= 0) ?? 0, 1)
    const first = mutant && this.filesFor(mutant)[0]
    if (first) this.begun.add(first)
    return mutant
  }

  giveBack(mutant: Mutant) {
    this.waiting.push(mutant)
  }
}
