import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Three fields that Node keeps on every HTTP connection, but does not document. `connections.test.ts` fails if they change. */
export interface HttpSocket extends Socket {
  /** The response that is sent now, or next. Responses of pipelined requests take turns. */
  _httpMessage?: ServerResponse | null
  /** `incoming` is the request that the parser read last. */
  parser?: { incoming?: IncomingMessage | null } | null
  /** `writeQueueSize` has the bytes that the operating system has not taken yet. */
  _handle?: { writeQueueSize?: number } | null
}

/** Announces the end of the connection in its response, unless a pipelined request waits behind it. */
export function closeAfterResponse({ _httpMessage: response, parser }: HttpSocket) {
  if (response && !response.headersSent && response.req === parser?.incoming) response.setHeader('Connection', 'close')
}
