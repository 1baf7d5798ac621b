import type { NewRow } from '../../../platform/database/insert-rows.ts'

/** What is known about a bug only after its other rows were read. */
export interface BugTotals {
  workHundredths: number
  votes: number
  lists: number
}

/** A bug that can be written. */
export interface NewBug {
  id: number
  created: string
  creator: number
  summary: string
  row(totals: BugTotals): NewRow<'bugs'>
}
