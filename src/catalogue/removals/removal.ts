/** What is removed in steps, by its class in the audit log. */
export type RemovedClass = 'Product' | 'Component' | 'Milestone' | 'FieldValue' | 'Keyword'

/** `stopped` by a user, `failed` because a rule or the database refused a step. Both can go on; bugs that are done stay so. */
export type RemovalState = 'running' | 'stopped' | 'failed' | 'done'

export interface Removal {
  id: number
  class: RemovedClass
  object_id: number
  name: string
  replacement_id: number | null
  replacement_name: string | null
  /** Who began it, with their login name. */
  user_id: number
  who: string
  change_id: number
  begun_at: string
  ended_at: string | null
  bugs: number
  bugs_done: number
  state: RemovalState
  reason: string | null
}

/** A job in the queue REMOVAL_QUEUE: where the next step begins, and how many bugs it takes. */
export interface RemovalJob {
  removalId: number
  /** The id of the last bug that was looked at. */
  after: number
  most: number
  /** How often all bugs were looked at. */
  rounds: number
}

export const REMOVAL_QUEUE = 'removals'

/** So few bugs need no steps. */
export const FEW_BUGS = 100

/** With more bugs a removal without steps is refused: those who write would wait for seconds. */
export const MOST_BUGS_AT_ONCE = 5000
