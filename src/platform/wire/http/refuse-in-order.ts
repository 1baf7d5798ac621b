import { type DiscardLimits, discardInput, endAndDiscard } from './discard-rest.ts'
import type { HttpSocket } from './http-socket.ts'

/**
 * Refuses what cannot be parsed as a request, and ends the connection. Requests that were complete before it get their responses first.
 * `respond` is not called if the fault is in the body of a request whose response was already sent or begun.
 */
export function refuseInOrder(socket: HttpSocket, limits: DiscardLimits, respond: () => void) {
  const last = socket.parser?.incoming
  const brokenRequest = last?.complete === false ? last : undefined
  discardInput(socket, limits)
  // Node calls this after the last response of a connection.
  socket.destroySoon = () => endAndDiscard(socket, limits)
  refuseNext()

  function refuseNext() {
    const response = socket._httpMessage ?? undefined
    const isOwed = response !== undefined && (response.req !== brokenRequest || response.headersSent)
    if (isOwed) return void response.once('finish', refuseNext)
    if (!socket.writable) return
    if (brokenRequest === undefined || response !== undefined) respond()
    endAndDiscard(socket, limits)
  }
}
