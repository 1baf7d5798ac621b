import { forgetOldest } from '../platform/queues/forget-oldest.ts'

const MOST_PROVEN = 10_000

/** The users of the credentials that were accepted during an overload: what a request shows proves nothing until then. */
export class ProvenCallers {
  private readonly users = new Map<string, number>()

  userOf(secret: string): number | undefined {
    return this.users.get(secret)
  }

  note(secret: string, userId: number) {
    this.users.set(secret, userId)
    forgetOldest(this.users, MOST_PROVEN)
  }
}
