import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { isIP } from 'node:net'
import { readJsonBody } from '../../../platform/wire/json/json-body.ts'
import {
  guardedLookup,
  Refused,
  reasonOf,
  requireReachable,
  TimeLimit,
  UNRESOLVED,
  Unresolved,
} from '../../webhooks/http/guarded-post.ts'

export interface ApiRequest {
  method: 'GET' | 'POST'
  url: string
  headers: Readonly<Record<string, string>>
  body?: string
}

/** `isPassing` if another attempt may have a response. */
type ApiResult =
  | { status: number; body: unknown; fault?: undefined }
  | { fault: string; isPassing: boolean; status?: undefined }

const MOST_BYTES = 1024 * 1024
const LIMIT_MILLISECONDS = 15_000

/**
 * Sends requests to the APIs of sources, whose addresses administrators enter. Like webhooks, they reach only public addresses and those of
 * the parameter webhook_networks. Redirects are not followed, so that no token is sent elsewhere.
 */
export async function callApi(request: ApiRequest, networks: string): Promise<ApiResult> {
  const limit = new TimeLimit(LIMIT_MILLISECONDS)
  try {
    const { statusCode: status = 0, bytes } = await respond(request, networks, limit)
    const body = status === 204 || bytes.length === 0 ? {} : await jsonIn(bytes)
    return { status, body }
  } catch (fault) {
    if (fault instanceof Unresolved || limit.isResolving) return { fault: UNRESOLVED, isPassing: true }
    if (limit.isOver) return { fault: `no response within ${LIMIT_MILLISECONDS / 1000} seconds`, isPassing: true }
    return { fault: reasonOf(fault), isPassing: !(fault instanceof Refused) }
  } finally {
    limit.end()
  }
}

/** A list, or a JSON value behind the line with which Gerrit begins its responses. */
async function jsonIn(bytes: Buffer): Promise<unknown> {
  const start = bytes.subarray(0, 5).toString() === ")]}'\n" ? 5 : 0
  const wrapped = Buffer.concat([Buffer.from('{"value":'), bytes.subarray(start), Buffer.from('}')])
  return Promise.resolve(wrapped)
    .then((it) => readJsonBody(it))
    .then(
      ({ value }) => value,
      () => undefined,
    )
}

async function respond(
  { method, url: address, headers, body = '' }: ApiRequest,
  networks: string,
  limit: TimeLimit,
): Promise<{ statusCode: number | undefined; bytes: Buffer }> {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) > 0) requireReachable([host], networks)
  const start = url.protocol === 'https:' ? secureRequest : plainRequest
  const options = {
    method,
    headers: {
      Accept: 'application/json',
      'User-Agent': 'Lacewing',
      ...headers,
      'Content-Length': Buffer.byteLength(body),
    },
    lookup: guardedLookup(networks, limit),
    // A connection that is kept would outlive a change of the permitted networks.
    agent: false as const,
  }
  return new Promise((resolve, reject) => {
    const sent = start(url, options, (answer: IncomingMessage) => {
      bytesOf(answer).then((bytes) => resolve({ statusCode: answer.statusCode, bytes }), reject)
    })
    limit.guard(sent)
    sent.on('error', reject)
    sent.end(body)
  })
}

function bytesOf(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  return new Promise((resolve, reject) => {
    answer.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > MOST_BYTES) answer.destroy(new Refused('the response is too long'))
      else chunks.push(chunk)
    })
    answer.on('error', reject)
    answer.on('end', () => resolve(Buffer.concat(chunks)))
  })
}
