import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** How much of a request is discarded after its response, at most. */
export interface DiscardLimits {
  discardBytes: number
  discardMilliseconds: number
}

/**
 * Closing a connection while data is still arriving resets it, and the reset can delete the response before the client
 * reads it. So a connection whose request is incomplete is closed for writing only, and the rest is discarded, up to a
 * limit.
 */
export function discardRestBeforeClose(raw: IncomingMessage, limits: DiscardLimits) {
  const { socket } = raw
  // Node calls destroySoon after the last response of a connection.
  socket.destroySoon = () => {
    if (raw.complete) Object.getPrototypeOf(socket).destroySoon.call(socket)
    else endAndDiscard(socket, limits)
  }
}

/** Ends the connection for writing. It is destroyed when the client has ended it too, or at a limit. */
export function endAndDiscard(socket: Socket, limits: DiscardLimits) {
  if (socket.destroyed) return
  const timer = setTimeout(() => socket.destroy(), limits.discardMilliseconds)
  socket.once('close', () => clearTimeout(timer))
  discardInput(socket, limits)
  socket.once('end', () => socket.destroy())
  socket.once('error', () => socket.destroy())
  socket.end()
}

/** The parser gets nothing more: it would report the same fault again, or begin another request. */
export function discardInput(socket: Socket, { discardBytes }: DiscardLimits) {
  const mostBytes = socket.bytesRead + discardBytes
  socket.removeAllListeners('data')
  socket.on('data', () => {
    if (socket.bytesRead > mostBytes) socket.destroy()
  })
  socket.resume()
}
