import type { Call } from '../../src/access/call.ts'
import { calls } from '../../src/routes.ts'
import type { Client, Reply } from './world.ts'

/** All calls, with a function to make them. Variables of the path have no particular value. */
export const everyCall = calls.map((call) => ({ call, title: `${call.method} /rest${call.path}` }))

/** The path of the call, with `ref` for each variable. */
export function addressOf(call: Call, ref = '1'): string {
  return `/rest${call.path.replace(/:\w+/g, encodeURIComponent(ref))}`
}

export function makeCall(
  client: Client,
  call: Call,
  { ref = '1', query = {}, body = {}, headers = {} }: Partial<Made> = {},
): Promise<Reply> {
  const search = new URLSearchParams(query).toString()
  const hasBody = call.method === 'POST' || call.method === 'PUT'
  return client.send(call.method, addressOf(call, ref) + (search && `?${search}`), hasBody ? body : undefined, headers)
}

interface Made {
  ref: string
  query: Record<string, string>
  body: unknown
  headers: Record<string, string>
}
