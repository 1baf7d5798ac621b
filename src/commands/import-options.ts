/** The options of `lacewing import` for an archive. */
export interface ImportArchiveOptions {
  discardWaiting?: boolean
  attachmentsInFolder?: boolean
}

/** The options of `lacewing import bugzilla`, as the command line has them. */
export interface ImportBugzillaOptions {
  params?: string
  attachments?: string
  timeZone?: string
  report?: string
  force?: boolean
  resume?: boolean
}

/** The options of `lacewing import rest`. */
export interface ImportRestOptions {
  product: string[]
  keyFile?: string
  rate: string
  timeout: string
  report?: string
  force?: boolean
}

export const ATTACHMENTS_IN_FOLDER =
  'Store attachments in the data folder, and empty the parameters of an S3 store: for a copy, or if the store is gone.'
