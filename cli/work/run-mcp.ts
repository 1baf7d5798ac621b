import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { agentServer } from '../../shared/mcp/agent-server.ts'
import { type Context, wrongCommandLine } from '../context.ts'
import type { Connection } from '../servers/connection.ts'
import { ClientTracker } from './client-tracker.ts'

export interface McpOptions {
  readonly readOnly?: boolean
}

const ONLY_READ: ReadonlySet<string> = new Set(['read'])

/** Serves the tools of MCP on standard input and output, until the input ends. All else is printed on standard error. `version` is that of the command. */
export async function runMcp(version: string, { readOnly = false }: McpOptions, { output, connect }: Context) {
  if (output.isJson)
    throw wrongCommandLine('Standard output is for the program that has started this: --json has no use.')
  const connection = connect()
  const isLacewing = await connection.isLacewing()
  const scopes = readOnly ? ONLY_READ : isLacewing ? await scopesOf(connection) : undefined
  const tracker = new ClientTracker(connection, isLacewing, scopes)
  const facts = {
    title: connection.name,
    version,
    report: (fault: unknown) => output.complain(String(fault)),
  }
  output.note(`MCP for ${connection.name}${readOnly ? ', only reading' : ''}, until standard input ends.`)
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
  })
  const served = serveStdio(() => agentServer(tracker, facts), { onerror: (fault) => output.complain(fault.message) })
  await ended
  await served.close()
}

/** What the key may do, so that only tools are offered that work. */
async function scopesOf({ client }: Connection): Promise<ReadonlySet<string>> {
  return new Set((await client.get('/whoami')).scopes)
}
