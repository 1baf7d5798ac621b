import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker'
import { faultInArguments } from './check-arguments.ts'
import { markedRefusal, markedResult, NOTICE } from './marked-data.ts'
import { listResources, RESOURCE_TEMPLATES, readResource } from './resources.ts'
import { type Arguments, isUsable, listedTool, type Tool } from './tool.ts'
import { TOOLS, toolNamed } from './tools.ts'
import { type Tracker, TrackerRefusal } from './tracker.ts'

const MINUTE = 60_000

export interface ServerFacts {
  /** What the installation is called. */
  title: string
  version: string
  /** Of a defect, which the program does not learn more about. */
  report(fault: unknown): void
}

const INSTRUCTIONS = `This is a bug tracker. You act in the name of its user, with the rights of that user. ${NOTICE} Search before you file. A change is tried first and made with a second call. If an answer says “Stored as proposal”, nothing has changed yet.`

/** Checks arguments. Made once: it keeps nothing of what it checks. */
const schemaCheck = new CfWorkerJsonSchemaValidator()

/** The tools and resources of a tracker, for one request or one connection. */
export function agentServer(tracker: Tracker, { title, version, report }: ServerFacts): Server {
  const server = new Server(
    { name: 'lacewing', title, version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions: INSTRUCTIONS,
      jsonSchemaValidator: schemaCheck,
      cacheHints: {
        'tools/list': { ttlMs: 5 * MINUTE, cacheScope: 'private' },
        'resources/templates/list': { ttlMs: 5 * MINUTE, cacheScope: 'private' },
      },
    },
  )
  server.setRequestHandler('tools/list', () => ({
    tools: TOOLS.filter((tool) => isUsable(tool, tracker.scopes)).map((tool) => listedTool(tool, tracker)),
  }))
  server.setRequestHandler('tools/call', ({ params }) => {
    const tool = toolNamed(params.name)
    // What was sent is not repeated: it may be long, or of somebody else.
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown tool')
    // The key may be able to do more than was wished, as with --read-only.
    if (!isUsable(tool, tracker.scopes))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The access does not include this tool')
    return callTool(tracker, tool, params.arguments ?? {}, report)
  })
  server.setRequestHandler('resources/list', async ({ params }) => {
    const listed = await listResources(tracker, params?.cursor)
    if (listed === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid cursor')
    return listed
  })
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [...RESOURCE_TEMPLATES] }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const text = await readResource(tracker, uri).catch((fault) => {
      if (!(fault instanceof TrackerRefusal)) {
        report(fault)
        throw new ProtocolError(ProtocolErrorCode.InternalError, 'The server has made a mistake')
      }
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Refused by the tracker (code ${fault.code})`)
    })
    if (text === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such resource')
    return { contents: [{ uri, mimeType: 'text/plain', text }] }
  })
  return server
}

async function callTool(
  tracker: Tracker,
  tool: Tool,
  args: Arguments,
  report: ServerFacts['report'],
): Promise<CallToolResult> {
  const fault = faultInArguments(args, tool.input, schemaCheck)
  if (fault !== undefined) return markedRefusal(`Wrong arguments for ${tool.name}: nothing was done.`, { fault })
  try {
    return markedResult(await tool.run(tracker, args))
  } catch (refusal) {
    if (!(refusal instanceof TrackerRefusal)) {
      report(refusal)
      return markedRefusal('The server has made a mistake.', {})
    }
    const { code, reason, message } = refusal
    return markedRefusal('Refused: nothing was done.', { code, ...(reason !== undefined && { reason }), message })
  }
}
