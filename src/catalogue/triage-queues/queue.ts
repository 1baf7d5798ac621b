/** Bugs that a search finds, which the members of a group triage one after the other. */
export interface TriageQueue {
  id: number
  name: string
  /** Parameters of a search in the form of a URL query string. */
  query: string
  group_id: number
  rotation_id: number | null
  /** A bug should not wait for more days. */
  aim_days: number | null
}

export type QueueEdit = Omit<TriageQueue, 'id'>
