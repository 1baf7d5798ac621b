/** A bug of the load, and what is known about it. */
export interface WrittenBug {
  readonly id: number
  readonly summary: string
  /** The number of the last change that was acknowledged, and of the last that was sent. */
  acknowledged: number
  sent: number
  readonly comments: string[]
}

/** What the cluster has acknowledged, and what was wrong. */
export class ClusterLedger {
  readonly bugs: WrittenBug[] = []
  steps = 0
  writes = 0
  repeated = 0
  unanswered = 0
  reads = 0
  /** In milliseconds, since it was last set to 0. */
  longestRead = 0
  unavailable = 0
  /** Reads of a comment whose visibility changes. */
  rightsChecked = 0
  /** Reads that showed less than what was acknowledged before they were sent. */
  readonly old: string[] = []
  /** Responses that no failover explains. */
  readonly failures: string[] = []
  private markers = 0
  private waitingForWrite: (() => void)[] = []
  private readonly run = Date.now().toString(36)

  marker(kind: string) {
    return `${kind}${this.run}n${++this.markers}`
  }

  someBug(): WrittenBug | undefined {
    return this.bugs[Math.floor(Math.random() * this.bugs.length)]
  }

  noteWrite() {
    this.writes++
    for (const resolve of this.waitingForWrite.splice(0)) resolve()
  }

  noteRefusal(status: number, what: string) {
    // HAProxy itself answers 502 and 503 as well.
    if (status === 503 || status === 502) this.unavailable++
    else this.failures.push(`${status} ${what}`)
  }

  noteRead(milliseconds: number) {
    this.reads++
    this.longestRead = Math.max(this.longestRead, milliseconds)
  }

  nextWrite(): Promise<void> {
    return new Promise((resolve) => this.waitingForWrite.push(resolve))
  }
}
