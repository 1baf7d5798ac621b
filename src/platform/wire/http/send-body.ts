import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Sends a body that may have to wait for its reader. The response ends when all of it is sent: Node regards a connection whose response
 * has ended as idle, and closes it when the server ends.
 */
export function sendLongBody(response: ServerResponse, body: string | Buffer, encoding: BufferEncoding) {
  response.write(body, encoding, (fault) => {
    if (!fault) response.end()
  })
}

/** Sends a stream as fast as it is read, and ends the response likewise. A stream that fails cuts the response off. */
export async function sendStream(response: ServerResponse, stream: Readable): Promise<void> {
  try {
    await pipeline(stream, response, { end: false })
  } catch (fault) {
    // A pipeline that does not end the response does not destroy it either.
    response.destroy()
    throw fault
  }
  await new Promise<void>((resolve) => {
    response.once('close', resolve)
    response.write('', () => response.end(resolve))
  })
}
