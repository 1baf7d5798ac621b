/** The options of `lacewing import bugzilla`, as the command line has them. */
export interface ImportBugzillaOptions {
  params?: string
  attachments?: string
  timeZone?: string
  report?: string
  resume?: boolean
}

/** The options of `lacewing import rest`. */
export interface ImportRestOptions {
  product: string[]
  keyFile?: string
  rate: string
  timeout: string
  report?: string
}
