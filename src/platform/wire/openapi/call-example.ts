/**
 * The examples and descriptions from docs/api: one description per resource, and one exchange per call, by `METHOD
 * /path`.
 */
export interface ApiReference {
  resources: Readonly<Record<string, string>>
  examples: Readonly<Record<string, CallExample>>
}

export interface CallExample {
  /** Path and query string as a client sends them. */
  path: string
  request?: unknown
  response?: unknown
}
