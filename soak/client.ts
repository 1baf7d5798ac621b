import { ADMIN } from '../bench/processes.ts'
import type { BodyAt } from '../test/support/body-types.ts'

/** A response, or undefined if the connection broke before there was one. */
export interface Answered<Body> {
  status: number
  body: Body
}

export async function send<const Verb extends string, const Path extends string>(
  port: number,
  method: Verb,
  path: Path,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answered<BodyAt<Verb, `/rest${Path}`>> | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/rest${path}`, {
      method,
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/json',
        'X-TRACKER-API-KEY': ADMIN.LACEWING_ADMIN_API_KEY,
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as BodyAt<Verb, `/rest${Path}`> }
  } catch {
    return undefined
  }
}

/** For requests that must succeed, because no server is being killed. */
export async function mustSend<const Verb extends string, const Path extends string>(
  port: number,
  method: Verb,
  path: Path,
  body?: unknown,
): Promise<BodyAt<Verb, `/rest${Path}`>> {
  const answered = await send(port, method, path, body)
  if (answered === undefined || answered.status >= 300)
    throw new Error(`${method} ${path} failed: ${JSON.stringify(answered)}`)
  return answered.body
}
