import assert from 'node:assert/strict'
import { Client as SdkClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { AnyBody } from './body-types.ts'
import type { World } from './world.ts'

/** With a handshake, as programs have sent it since 2025, or without one, as the protocol of 2026 says. */
export const GENERATIONS = ['legacy', 'auto'] as const
export type Generation = (typeof GENERATIONS)[number]

export interface ToolAnswer {
  text: string
  isError: boolean
  structured: AnyBody
  /** What users wrote, as the text has it between its marks. */
  data: AnyBody
}

/** The official client, connected to a server. */
export class McpClient {
  readonly sdk: SdkClient

  private constructor(sdk: SdkClient) {
    this.sdk = sdk
  }

  static async connect(world: World, apiKey: string, mode: Generation = 'auto'): Promise<McpClient> {
    const transport = new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${apiKey}` } },
    })
    const sdk = new SdkClient({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
    await sdk.connect(transport)
    return new McpClient(sdk)
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
    const result = (await this.sdk.callTool({ name, arguments: args })) as AnyBody
    return answerIn(result)
  }

  /** The same for a call that must succeed: the data. */
  async data(name: string, args: Record<string, unknown> = {}): Promise<AnyBody> {
    const { isError, text, data } = await this.call(name, args)
    assert.equal(isError, false, text)
    return data
  }

  close() {
    return this.sdk.close()
  }
}

const MARKED = /^<(untrusted-data-[0-9a-f]{16})>\n(.*)\n<\/\1>$/ms

/** Everything that a tool answers must be the same in both forms, and all of it between marks but the words of the tool. */
export function answerIn(result: AnyBody): ToolAnswer {
  const text: string = result.content[0].text
  const [, , json = ''] = MARKED.exec(text) ?? []
  assert.notEqual(json, '', text)
  const data = JSON.parse(json)
  const structured = result.structuredContent
  if (structured !== undefined) assert.deepEqual(structured.untrusted_data, data)
  return { text, isError: result.isError === true, structured, data }
}

/** The words of an answer that are not between its marks. */
export function wordsOutside({ text, structured }: ToolAnswer): string {
  const { untrusted_data: _, ...rest } = structured ?? {}
  return text.replace(MARKED, '') + JSON.stringify(rest)
}

/** A message as it is, without the official client. */
export function rpc(world: World, message: unknown, headers: Record<string, string> = {}) {
  return fetch(`${world.url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })
}
