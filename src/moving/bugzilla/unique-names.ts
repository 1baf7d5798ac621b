import { fold } from '../../platform/text/fold.ts'

/** Gives each object a name that differs from all others, without regard to case. */
export class UniqueNames {
  private readonly taken = new Set<string>()

  constructor(taken: Iterable<string> = []) {
    for (const name of taken) this.taken.add(fold(name))
  }

  /** The name, or the name with the number behind it if another object has it already. */
  take(name: string, id: number): string {
    const unique = this.has(name) ? `${name} (${id})` : name
    this.taken.add(fold(unique))
    return unique
  }

  has(name: string) {
    return this.taken.has(fold(name))
  }
}
