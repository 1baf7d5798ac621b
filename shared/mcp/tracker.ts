import type { Parameters } from '../rest-address.ts'

export interface TrackerAnswer {
  status: number
  /** Parsed JSON. */
  body: unknown
  etag: string | undefined
}

export interface CallOptions {
  headers?: Readonly<Record<string, string>>
}

/** A tracker as the tools use it: calls of its REST API, made as one user. */
export interface Tracker {
  /** The address of its pages, without a slash at the end. */
  readonly url: string
  /** A Bugzilla has fewer calls, and no dry run. */
  readonly isLacewing: boolean
  /** The scopes of the key in use; undefined if they are not known. */
  readonly scopes: ReadonlySet<string> | undefined
  /** Makes a call such as `GET /bug/:ref`. Throws TrackerRefusal. */
  call(method: string, path: string, params?: Parameters, options?: CallOptions): Promise<TrackerAnswer>
}

/** What the tracker has refused. The message may have texts that people wrote. */
export class TrackerRefusal extends Error {
  readonly status: number
  readonly code: number
  readonly reason: string | undefined

  constructor(it: { status: number; code: number; message: string; reason?: string | undefined }) {
    super(it.message)
    this.status = it.status
    this.code = it.code
    this.reason = it.reason
  }
}

/** Parameters with such a name would decide in whose name a call is made, or how its answer looks. */
export function isReservedName(name: string): boolean {
  return /^(?:callback|ctype|(?:(?:tracker|bugzilla)_)?(?:api_key|token|login|password|restrictlogin))$/i.test(name)
}
