import { type ServerResponse, STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http'

type Headers = Readonly<Record<string, string | string[]>>

/** A header as it was last sent, so that the same value need not be checked again. */
interface CheckedHeader {
  readonly isForNode: boolean
  value: string
  line: string
}

/** How Node makes the head of a response of headers that are checked. It is not documented, and not needed. */
interface HeadMaker {
  _storeHeader?(checkedLines: string, headers: readonly string[]): void
}

/**
 * Does the same as `writeHead` of the response. Most headers are the same in all responses, and checking them again and again takes
 * a tenth of the time that Node needs for a small response.
 */
export function writeHead(response: ServerResponse & HeadMaker, status: number, headers: Headers, size: number) {
  const lines = isOrdinary(response, status) ? checkedLines(headers) : undefined
  const length = String(size)
  if (lines === undefined || response._storeHeader === undefined)
    return void response.writeHead(status, { ...headers, 'Content-Length': length })
  response.statusCode = status
  response.statusMessage = STATUS_CODES[status] ?? ''
  response._storeHeader(`HTTP/1.1 ${status} ${response.statusMessage}\r\n${lines}`, ['Content-Length', length])
}

const OK = 200

/** Node treats other responses in a way of its own. */
function isOrdinary(response: ServerResponse, status: number): boolean {
  if (status !== OK || response.headersSent || response.getHeaderNames().length > 0) return false
  return response.req.headers.expect === undefined
}

const checked = new Map<string, CheckedHeader>()

/** Undefined if one of the headers decides how Node sends the response. */
function checkedLines(headers: Headers): string | undefined {
  let lines = ''
  for (const name in headers) {
    const value = headers[name]
    if (typeof value !== 'string') return undefined
    const known = checked.get(name) ?? newHeader(name)
    if (known.isForNode) return undefined
    if (known.value !== value) {
      validateHeaderValue(name, value)
      known.line = `${name}: ${value}\r\n`
      known.value = value
    }
    lines += known.line
  }
  return lines
}

function newHeader(name: string): CheckedHeader {
  validateHeaderName(name)
  const known = { isForNode: FOR_NODE.has(name.toLowerCase()), value: '', line: `${name}: \r\n` }
  checked.set(name, known)
  return known
}

const FOR_NODE: ReadonlySet<string> = new Set([
  'connection',
  'content-disposition',
  'content-length',
  'date',
  'expect',
  'keep-alive',
  'trailer',
  'transfer-encoding',
])
