import findMyWay from 'find-my-way'
import type { Method } from '../call.ts'

export interface Found<Target> {
  /** Null if the address cannot be decoded. */
  target: Target | null
  /** A copy for this request. */
  query: Record<string, unknown>
  /** The variables of the path. */
  path: Record<string, string>
}

/** What is at which address. Building the routes of all calls takes many milliseconds; servers can share them. */
export class Routes<Target> {
  // The length of a whole address is limited before it is looked up.
  private readonly router = findMyWay({ maxParamLength: Number.MAX_SAFE_INTEGER, onBadUrl: () => {} })

  add(method: Method, path: string, target: Target) {
    this.router.on(method, path, () => {}, target)
  }

  find(method: Method, url: string): Found<Target> | undefined {
    const found = this.router.find(method, url)
    if (found === null) return undefined
    return { target: found.store, query: found.searchParams, path: found.params as Record<string, string> }
  }
}
