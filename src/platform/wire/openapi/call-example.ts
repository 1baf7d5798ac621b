/** What docs/api says about the calls: a description of each resource, and one exchange for each call, by `METHOD /path`. */
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
