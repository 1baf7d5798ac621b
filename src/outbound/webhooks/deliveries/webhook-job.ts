/** One hook that is to be told of one event. */
export interface WebhookJob {
  webhook: number
  /** The position of the event. */
  event: number
  isReplay?: boolean
}
