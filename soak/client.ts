import { ADMIN } from '../bench/processes.ts'

/** A response, or undefined if the connection broke before there was one. */
export interface Answered {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows its shape
  body: any
}

export async function send(
  port: number,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answered | undefined> {
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
    return { status: response.status, body: await response.json() }
  } catch {
    return undefined
  }
}

/** For requests that must succeed, because no server is being killed. */
export async function mustSend(port: number, method: string, path: string, body?: unknown) {
  const answered = await send(port, method, path, body)
  if (answered === undefined || answered.status >= 300)
    throw new Error(`${method} ${path} failed: ${JSON.stringify(answered)}`)
  return answered.body
}
