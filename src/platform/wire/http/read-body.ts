import type { IncomingMessage } from 'node:http'
import { type ApiError, errors } from '../../errors.ts'
import { readJsonBody } from '../json/json-body.ts'
import type { RequestParams } from '../params.ts'

/** The maximum length of a body, and the error for a longer one. */
export interface BodyLimit {
  bytes: number
  refusal: () => ApiError
  /** The parameter that may contain a file; other texts are short. */
  fileIn?: string
}

const JSON_TYPE = /^application\/json\s*(;|$)/i

/** Whether the body is declared as JSON, which is required. */
export function isJson({ headers }: IncomingMessage) {
  const type = headers['content-type']
  return type !== undefined && JSON_TYPE.test(type)
}

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i

export function isUrlEncoded({ headers }: IncomingMessage) {
  return FORM_TYPE.test(headers['content-type'] ?? '')
}

/** The fields of a form, of which each has one value. */
export async function readForm(raw: IncomingMessage, limit: BodyLimit): Promise<RequestParams> {
  const length = lengthOf(raw)
  if (length !== undefined && length > limit.bytes) throw limit.refusal()
  const fields = new URLSearchParams(length === 0 ? '' : (await bytesOf(raw, limit)).toString('utf8'))
  return Object.assign(Object.create(null), Object.fromEntries(fields)) as RequestParams
}

/** The length of the body; undefined if it is not declared. */
export function lengthOf({ headers }: IncomingMessage): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined
  return Number(headers['content-length'] ?? 0)
}

/** The body of a request; undefined if it has none. */
export async function readBody(raw: IncomingMessage, limit: BodyLimit): Promise<RequestParams | undefined> {
  const length = lengthOf(raw)
  if (length === 0) return isJson(raw) ? {} : undefined
  if (!isJson(raw)) throw errors.not_json()
  if (length !== undefined && length > limit.bytes) throw limit.refusal()
  return readJsonBody(await bytesOf(raw, limit), limit.fileIn)
}

/** The body as it is, up to this length. */
export async function readBytes(raw: IncomingMessage, most: number): Promise<Buffer> {
  const limit = { bytes: most, refusal: () => errors.body_too_large({ limit: most }) }
  const length = lengthOf(raw)
  if (length !== undefined && length > most) throw limit.refusal()
  return length === 0 ? Buffer.alloc(0) : bytesOf(raw, limit)
}

function bytesOf(raw: IncomingMessage, { bytes, refusal }: BodyLimit): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let received = 0
    raw.on('data', (chunk: Buffer) => {
      received += chunk.length
      // The rest is received and discarded, because a client that is still sending does not read the response.
      if (received > bytes) reject(refusal())
      else chunks.push(chunk)
    })
    raw.once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, received)))
    raw.once('error', () => reject(errors.unreadable_body({ why: 'the connection ended before the end of the body' })))
  })
}
