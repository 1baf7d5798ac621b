export interface ResponseHead {
  status: number
  lines: [string, string][]
  contentType: string
  /** Whether the server closes the connection after this response. */
  isLast: boolean
}

export interface Response {
  head: ResponseHead
  text: string
}

/** How the end of the body is found: after so many bytes, after the last chunk, or where the connection ends. */
type Extent = number | 'chunked' | 'until close'

/** Reads one response of HTTP/1.1 from the pieces in which it arrives. */
export class ResponseReader {
  private readonly method: string
  private arrived: Buffer = Buffer.alloc(0)
  private head: ResponseHead | undefined
  private extent: Extent = 0

  constructor(method: string) {
    this.method = method
  }

  /** The response, once all of it has arrived. */
  read(chunk: Buffer): Response | undefined {
    this.arrived = this.arrived.length === 0 ? chunk : Buffer.concat([this.arrived, chunk])
    while (this.head === undefined) {
      const end = this.arrived.indexOf('\r\n\r\n')
      if (end < 0) return undefined
      const head = headOf(this.arrived.toString('latin1', 0, end))
      this.arrived = this.arrived.subarray(end + 4)
      if (head.status < 200) continue
      this.head = head
      this.extent = this.extentOf(head)
    }
    const body = bodyOf(this.arrived, this.extent)
    return body && { head: this.head, text: textOf(body) }
  }

  /** The response, if the end of the connection is the end of its body. */
  end(): Response | undefined {
    if (this.head === undefined || this.extent !== 'until close') return undefined
    return { head: this.head, text: textOf(this.arrived) }
  }

  private extentOf({ status, lines }: ResponseHead): Extent {
    if (this.method === 'HEAD' || status === 204 || status === 304) return 0
    if (headerIn(lines, 'transfer-encoding') !== '') return 'chunked'
    const length = headerIn(lines, 'content-length')
    return length === '' ? 'until close' : Number(length)
  }
}

function headOf(text: string): ResponseHead {
  const [first = '', ...rest] = text.split('\r\n')
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(first) ?? []
  if (status === undefined) throw new Error(`Not a response: ${first.slice(0, 100)}`)
  const lines = rest.map((line): [string, string] => {
    const colon = line.indexOf(':')
    if (colon < 1) throw new Error(`Not a header: ${line}`)
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  return {
    status: Number(status),
    lines,
    contentType: headerIn(lines, 'content-type'),
    isLast: headerIn(lines, 'connection').toLowerCase() === 'close',
  }
}

function headerIn(lines: readonly [string, string][], name: string): string {
  return lines.find(([it]) => it.length === name.length && it.toLowerCase() === name)?.[1] ?? ''
}

/** Undefined as long as a part of it has not arrived. */
function bodyOf(arrived: Buffer, extent: Extent): Buffer | undefined {
  if (extent === 'until close') return undefined
  if (extent === 'chunked') return chunksOf(arrived)
  if (arrived.length > extent) throw new Error('More arrived than the length of the response')
  return arrived.length === extent ? arrived : undefined
}

function chunksOf(arrived: Buffer): Buffer | undefined {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const end = arrived.indexOf('\r\n', at)
    if (end < 0) return undefined
    const length = Number.parseInt(arrived.toString('latin1', at, end), 16)
    if (Number.isNaN(length)) throw new Error('Not the length of a chunk')
    at = end + 2 + length + 2
    if (arrived.length < at) return undefined
    if (length === 0) return Buffer.concat(chunks)
    chunks.push(arrived.subarray(end + 2, end + 2 + length))
  }
}

const decoder = new TextDecoder()

/** Without a byte order mark, as fetch reads it. */
function textOf(body: Buffer): string {
  return decoder.decode(body)
}
