/** One delivery of one event to one webhook. */
export interface WebhookJob {
  webhook: number
  /** The position of the event. */
  event: number
  isReplay?: boolean
}
