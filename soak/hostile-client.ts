import { Agent, request } from 'node:http'
import type { HostileRequest } from '../test/support/hostile-requests.ts'

/** A request of one kind. */
export interface HostileKind extends HostileRequest {
  kind: string
  /** The client disconnects before the response. */
  leaves?: boolean
}

/** The response to it, or why there is none. */
export interface Outcome {
  /** 0 without a response. */
  status: number
  retryAfter?: string | undefined
  /** The beginning of the body. */
  text: string
  fault?: string
}

export const NO_RESPONSE = 0
const LEAVES_AFTER_MILLISECONDS = 300
/** A request without a response for so long is a failure. */
const LONGEST_MILLISECONDS = 120_000
const LONGEST_TEXT = 100_000
/** Connections stay open: if one closes with its response, the rest of a body that is too large breaks it before the response is read. */
const AGENT = new Agent({ keepAlive: true })

export function sendHostile(port: number, hostile: HostileKind, key?: string): Promise<Outcome> {
  const { method, root = '/rest', path, body, leaves } = hostile
  const headers = {
    Accept: 'application/json',
    ...(key !== undefined && { 'X-TRACKER-API-KEY': key }),
    ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
    ...hostile.headers,
  }
  return new Promise((resolve) => {
    let text = ''
    const fail = (fault: Error) => resolve({ status: NO_RESPONSE, text, fault: String(fault) })
    const sent = request(
      { port, host: '127.0.0.1', path: `${root}${path}`, method, headers, agent: AGENT },
      (response) => {
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          if (text.length < LONGEST_TEXT) text += chunk
        })
        response.on('error', fail)
        response.on('end', () =>
          resolve({ status: response.statusCode ?? NO_RESPONSE, retryAfter: response.headers['retry-after'], text }),
        )
      },
    )
    sent.setTimeout(leaves ? LEAVES_AFTER_MILLISECONDS : LONGEST_MILLISECONDS, () =>
      sent.destroy(new Error('no response in time')),
    )
    sent.on('error', fail)
    sent.end(body)
  })
}
