/** The queue of deliveries to webhooks, with a lane for each webhook. */
export const WEBHOOK_QUEUE = 'webhooks'

export function laneOfWebhook(id: number) {
  return String(id)
}

/** A delivery that is sent again does not wait for the others. */
export function replayLaneOfWebhook(id: number) {
  return `${id} again`
}
