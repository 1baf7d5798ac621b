import { forgetOldest } from '../platform/queues/forget-oldest.ts'

const MOST_PROVEN = 10_000

/**
 * The users of credentials that were accepted: what a request shows proves nothing until then. Only for taking turns and for what is refused
 * during an overload: each request is authenticated all the same.
 */
export class ProvenCallers {
  private readonly users = new Map<string, number>()

  userOf(secret: string | undefined): number | undefined {
    return secret === undefined ? undefined : this.users.get(secret)
  }

  /** Without a user, what was shown counted for nothing. */
  note(secret: string | undefined, userId: number | null) {
    if (secret === undefined || userId === null) return this.forget(secret)
    if (this.users.get(secret) === userId) return
    this.users.set(secret, userId)
    forgetOldest(this.users, MOST_PROVEN)
  }

  /** What was not accepted is nobody's, also if it was before. */
  forget(secret: string | undefined) {
    if (secret !== undefined) this.users.delete(secret)
  }
}
