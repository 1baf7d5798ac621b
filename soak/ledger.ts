/** What the server has acknowledged, and what must therefore exist from then on. */
export class Ledger {
  readonly bugs: { id: number; marker: string }[] = []
  readonly comments: { id: number; bugId: number; text: string }[] = []
  readonly changes: { bugId: number; field: string; removed: string; added: string }[] = []
  readonly attachments: { id: number; bugId: number; data: string }[] = []
  acknowledged = 0
  /** Requests whose result the client does not know. */
  unanswered = 0
  /** Repeated after a kill with the same Idempotency-Key. */
  repeated = 0
  /** Refused for a reason, for example because a bug would be a duplicate of itself. */
  refused = 0
  readonly failures: string[] = []
  private markers = 0

  marker() {
    return `m${++this.markers}`
  }

  someBug() {
    return this.bugs[Math.floor(Math.random() * this.bugs.length)]?.id
  }
}
