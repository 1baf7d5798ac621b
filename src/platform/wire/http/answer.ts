import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { ApiError, errors } from '../../errors.ts'
import { htmlPage, PAGE_POLICY, pageAround } from '../formats/html-page.ts'
import { HtmlWriter } from '../formats/html-writer.ts'
import { JsonPieces } from '../json/json-pieces.ts'
import { charactersOf, isLongerThan, jsonSlices, LONG_ANSWER } from '../json/json-slices.ts'
import { etagOfBytes, JsonText, WrittenJson } from '../json/json-text.ts'
import { formFor, type ResponseForm } from './negotiate.ts'
import { VARY } from './request-headers.ts'
import { STREAMED_RESPONSE_BYTES } from './response-memory.ts'

/** The requested format of a response. */
export interface ResponseFormat {
  form: ResponseForm
  callback: string | undefined
  title: string
  /** The path of the base address, for the links of a page. */
  root: string
  /** Shown at the top of a page, as text. */
  notice?: string
}

export interface Answer {
  status: number
  headers: Record<string, string | string[]>
  body: string | Buffer
  /** Sent instead of the body. */
  file?: FileAnswer
  stream?: Readable
  /** The digest of the body, if it is already known. */
  etag?: string
  /** Sent also while too many responses wait to be read: for what an operator needs then. */
  isAlwaysSent?: true
}

/** A response that is streamed to the client as it is, such as a file, of any size. */
export class FileAnswer {
  /** Undefined if the size is known only at the end. */
  readonly size: number | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly etag: string
  readonly open: () => Promise<Readable>
  /** The memory that it takes while it waits for its reader. */
  readonly heldBytes: number

  constructor(it: Pick<FileAnswer, 'size' | 'headers' | 'etag' | 'open'> & { heldBytes?: number }) {
    this.size = it.size
    this.headers = it.headers
    this.etag = it.etag
    this.open = it.open
    this.heldBytes = it.heldBytes ?? (it.size === undefined ? STREAMED_RESPONSE_BYTES : FILE_BYTES)
  }
}

/** Of a file. */
const FILE_BYTES = 128 * 1024

const CALLBACK = /^[A-Za-z0-9_.[\]]{1,128}$/

/**
 * A callback takes precedence over the Accept header, also for errors. An invalid one is ignored; see requireCallback.
 */
export function responseFormatOf(
  accept: string | undefined,
  callback: unknown,
  title: string,
  root = '',
): ResponseFormat {
  return { form: formFor(accept), callback: isCallback(callback) ? callback : undefined, title, root }
}

/** Refuses a callback that is not the name of a function. */
export function requireCallback(callback: unknown) {
  if (callback !== undefined && callback !== '' && !isCallback(callback)) throw errors.bad_callback()
}

function isCallback(callback: unknown): callback is string {
  return typeof callback === 'string' && CALLBACK.test(callback)
}

/** The headers of every response. */
export const COMMON_HEADERS = {
  Vary: VARY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'ETag, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, Idempotent-Replayed, Content-Disposition',
} as const

/**
 * A response to our own pages is for them alone. Browsers share their cache between the ports of a host and between sibling domains, so
 * that a stored response could be read there, even after logging out.
 */
export function forOwnPages(it: Answer): Answer {
  const { 'Access-Control-Allow-Origin': _, 'Access-Control-Expose-Headers': __, ...headers } = it.headers
  return { ...it, headers: { ...headers, 'Cache-Control': 'no-store', 'Cross-Origin-Resource-Policy': 'same-origin' } }
}

const JSON_HEADERS = {
  ...COMMON_HEADERS,
  'Content-Type': 'application/json; charset=UTF-8',
  'Cache-Control': 'private, no-cache',
}
const SCRIPT_HEADERS = { ...JSON_HEADERS, 'Content-Type': 'application/javascript; charset=UTF-8' }
const JSONP_HEADERS = { ...JSON_HEADERS, 'Content-Type': 'text/javascript; charset=UTF-8' }
const PAGE_HEADERS = {
  ...JSON_HEADERS,
  'Content-Type': 'text/html; charset=UTF-8',
  'Content-Security-Policy': PAGE_POLICY,
}

/** A result in the requested format. */
export function answer(status: number, value: unknown, format: ResponseFormat): Answer {
  if (value instanceof FileAnswer)
    return { status, headers: { ...COMMON_HEADERS, ...value.headers }, body: '', file: value, etag: value.etag }
  const pieces = piecesFor(value, format)
  if (pieces !== undefined) return inPieces(status, pieces, format)
  if (format.callback !== undefined) {
    // The comment in front prevents the response from being mistaken for a file of another type that begins with the
    // callback's name.
    return {
      status,
      headers: { ...JSONP_HEADERS },
      body: `/**/${format.callback}(${scriptSafe(jsonOf(value))})`,
    }
  }
  if (format.form === 'html')
    return {
      status,
      headers: { ...PAGE_HEADERS },
      body: htmlPage(format.title, plain(value), format.root, format.notice),
    }
  const headers = { ...(format.form === 'json' ? JSON_HEADERS : SCRIPT_HEADERS) }
  if (value instanceof JsonText) return { status, headers, body: value.bytes, etag: value.etag }
  return { status, headers, body: jsonOf(value) }
}

/** For results that are too long to be written at once without delaying other requests; undefined for all others. */
function piecesFor(value: unknown, format: ResponseFormat): JsonPieces | undefined {
  if (value instanceof JsonPieces) return value
  const isPage = format.form === 'html' && format.callback === undefined
  // A page takes many times as long to write as its JSON.
  const most = isPage ? LONG_PAGE : LONG_ANSWER
  if (value instanceof WrittenJson)
    return value.text.length > most ? new JsonPieces(() => [value.text], value.text.length) : undefined
  // The JSON is already written; only a page needs processing.
  if (value instanceof JsonText)
    return isPage && value.bytes.length > most
      ? new JsonPieces(() => [value.toString()], value.bytes.length)
      : undefined
  return isLongerThan(value, most) ? new JsonPieces(() => jsonSlices(value), charactersOf(value)) : undefined
}

const LONG_PAGE = 64 * 1024

function inPieces(status: number, pieces: JsonPieces, { form, callback, title, root, notice }: ResponseFormat): Answer {
  const sent = (headers: Readonly<Record<string, string>>, open: () => Promise<Readable>): Answer => {
    const heldBytes = STREAMED_RESPONSE_BYTES + pieces.sourceBytes
    const file = new FileAnswer({ size: undefined, headers, etag: '', open, heldBytes })
    return { status, headers: { ...headers }, body: '', file, etag: '' }
  }
  if (callback !== undefined)
    return sent(JSONP_HEADERS, () => pieces.open({ before: `/**/${callback}(`, after: ')', fit: scriptSafe }))
  if (form !== 'html') return sent(form === 'json' ? JSON_HEADERS : SCRIPT_HEADERS, () => pieces.open())
  const { before, after } = pageAround(title, root, notice)
  const writer = new HtmlWriter(root)
  return sent(PAGE_HEADERS, () => pieces.open({ before, after, fit: (piece) => writer.write(piece) }))
}

function jsonOf(value: unknown): string {
  return isWritten(value) ? value.toString() : JSON.stringify(value)
}

function plain(value: unknown): unknown {
  return isWritten(value) ? JSON.parse(value.toString()) : value
}

function isWritten(value: unknown): value is JsonText | WrittenJson {
  return value instanceof WrittenJson || value instanceof JsonText
}

/** Two line ends that are legal in JSON and were not in older JavaScript. */
function scriptSafe(json: string) {
  return json.replace(/[\u2028\u2029]/g, (character) => (character === '\u2028' ? '\\u2028' : '\\u2029'))
}

/** Adds the ETag to the response of a read, or makes it 304 if the client's If-None-Match has that ETag. */
export function withEtag(it: Answer, revision: string | string[] | undefined, request: Conditional): Answer {
  if (request.method !== 'GET' && request.method !== 'HEAD') return it
  const isEndless = it.file !== undefined && it.file.size === undefined
  if (isEndless) {
    if (revision !== undefined) it.headers.ETag = `"${revision}."`
    return it
  }
  const etag = revision === undefined ? etagOf(it) : `"${revision}.${etagOf(it).slice(1)}`
  it.headers.ETag = etag
  const known = request.headers['if-none-match']
  if (known === undefined || !isKnownTo(known, etag)) return it
  const { 'Content-Type': _, ...rest } = it.headers
  return { status: 304, headers: rest, body: '' }
}

interface Conditional {
  readonly method: string
  readonly headers: IncomingHttpHeaders
}

/**
 * A digest of the body. The formats of one result have different bodies, except JSON and JSON as script, which may
 * share it.
 */
function etagOf(it: Answer) {
  return it.etag ?? etagOfBytes(it.body)
}

/** Whether the client's If-None-Match names this response: a list, quoted or not, weak or strong, or `*`. */
export function isKnownTo(ifNoneMatch: string, etag: string) {
  if (ifNoneMatch.trim() === '*') return true
  const bare = etag.slice(1, -1)
  return ifNoneMatch.split(',').some((known) => known.trim().replace(/^W\//, '').replace(/^"|"$/g, '') === bare)
}

/** An error as the REST API returns it. */
export function errorBody(fault: ApiError, baseUrl: string) {
  return {
    error: true,
    code: fault.code,
    message: fault.message,
    documentation: `${baseUrl}/rest/docs/errors#error-${fault.code}`,
    reason: fault.reason,
    ...(fault.field !== undefined && { field: fault.field }),
    ...(fault.parameter !== undefined && { parameter: fault.parameter }),
    ...(fault.values !== undefined && { values: fault.values }),
  }
}

export function isApiError(fault: unknown): fault is ApiError {
  return fault instanceof ApiError
}
