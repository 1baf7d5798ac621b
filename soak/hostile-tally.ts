import { type HostileKind, NO_RESPONSE, type Outcome } from './hostile-client.ts'

/** What became of the requests of each kind. */
export class HostileTally {
  readonly failures: string[] = []
  private readonly kinds = new Map<string, Map<string, number>>()

  /** Counts a response, and notes a failure if it is one of 5xx or missing. */
  note(request: Pick<HostileKind, 'kind' | 'title' | 'leaves'>, outcome: Outcome) {
    const { status, retryAfter, fault } = outcome
    const { kind, title, leaves } = request
    const isBusy = status === 503 && retryAfter !== undefined
    if (isBusy) this.count(kind, BUSY)
    else if (status === NO_RESPONSE) this.count(kind, leaves ? LEFT : NONE)
    else this.count(kind, String(status))
    if (status >= 500 && !isBusy) this.fail(kind, `${title}: ${status} ${outcome.text.slice(0, 200)}`)
    if (status === NO_RESPONSE && !leaves) this.fail(kind, `${title}: ${fault}`)
  }

  count(kind: string, word: string) {
    const words = this.kinds.get(kind) ?? new Map<string, number>()
    this.kinds.set(kind, words.set(word, (words.get(word) ?? 0) + 1))
  }

  fail(kind: string, what: string) {
    this.failures.push(`${kind}: ${what}`)
  }

  get sent() {
    return this.sumOf(() => true)
  }

  get left() {
    return this.sumOf((word) => word === LEFT)
  }

  get busy() {
    return this.sumOf((word) => word === BUSY)
  }

  get faults() {
    return this.sumOf((word) => word === NONE || /^5\d\d$/.test(word))
  }

  /** One line for each kind: how many requests, and what they got. */
  table(): string[] {
    const widest = Math.max(...[...this.kinds.keys()].map(({ length }) => length))
    return [...this.kinds].sort().map(([kind, words]) => {
      const got = [...words].sort().map(([word, count]) => `${word} × ${count}`)
      const count = [...words.values()].reduce((sum, it) => sum + it, 0)
      return `  ${kind.padEnd(widest)} ${String(count).padStart(5)}  ${got.join(', ')}`
    })
  }

  private sumOf(isMeant: (word: string) => boolean): number {
    const counts = [...this.kinds.values()].flatMap((words) => [...words])
    return counts.reduce((sum, [word, count]) => (isMeant(word) ? sum + count : sum), 0)
  }
}

const BUSY = '503 with Retry-After'
const LEFT = 'client left'
const NONE = 'no response'
