import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { agentServer, type ServerFacts } from '../../shared/mcp/agent-server.ts'
import type { Tracker } from '../../shared/mcp/tracker.ts'

/** One message of MCP, of either generation of the protocol. */
export interface McpMessage {
  headers: Readonly<Record<string, string>>
  body: unknown
  signal: AbortSignal
}

/**
 * Answers one message. There are no sessions and no streams: every message is answered with one JSON document, and nothing is kept. It is
 * loaded when the first message comes, because the library takes a tenth of a second to load.
 */
export async function answerMessage(tracker: Tracker, facts: ServerFacts, message: McpMessage): Promise<Response> {
  const { headers, body, signal } = message
  const request = new Request(ADDRESS, { method: 'POST', headers, signal })
  const server = () => agentServer(tracker, facts)
  if (await isLegacyRequest(request, body)) return answerLegacy(server(), request, body)
  const handler = createMcpHandler(server, { legacy: 'reject', keepAliveMs: 0 })
  try {
    return await whole(await handler.fetch(request, { parsedBody: body }))
  } finally {
    await handler.close()
  }
}

/** The library reads no more of it than that it is an address. */
const ADDRESS = 'http://localhost/mcp'

/** Of the versions of the protocol with a handshake, which this server answers without keeping a session. */
async function answerLegacy(server: Server, request: Request, body: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true, keepAliveMs: 0 })
  await server.connect(transport)
  try {
    return await whole(await transport.handleRequest(request, { parsedBody: body }))
  } finally {
    await server.close()
  }
}

/** With all of its body, so that the server can be closed. */
async function whole(response: Response): Promise<Response> {
  const text = await response.text()
  return new Response(text === '' ? null : text, { status: response.status, headers: response.headers })
}
