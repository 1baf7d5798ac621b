import { connect } from 'node:net'

/** The response of a server to malformed bytes. */
export interface RawReply {
  status: number
  headers: Map<string, string>
  body: string
}

/** Sends a request exactly as it is, without the normalisation of fetch. */
export function rawRequest(
  url: string,
  method: string,
  target: string,
  { headers = {}, body = '' }: { headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<RawReply> {
  const lines = Object.entries({ Host: new URL(url).host, Connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return rawExchange(
    url,
    Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`), Buffer.from(body)]),
  )
}

/** Sends bytes and reads until the server closes the connection. */
export async function rawExchange(url: string, bytes: string | Buffer): Promise<RawReply> {
  return parsed(await textUntilClosed(url, bytes))
}

/** The same with several responses, each with a length or without a body. */
export async function rawReplies(url: string, bytes: string | Buffer): Promise<RawReply[]> {
  return repliesIn(await textUntilClosed(url, bytes))
}

export function repliesIn(text: string): RawReply[] {
  const replies: RawReply[] = []
  for (let rest = text; rest !== ''; ) {
    const reply = parsed(rest)
    const length = Number(reply.headers.get('content-length') ?? 0)
    const end = rest.indexOf('\r\n\r\n') + 4 + length
    replies.push({ ...reply, body: reply.body.slice(0, length) })
    rest = rest.slice(end)
  }
  return replies
}

function textUntilClosed(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')))
  })
}

function parsed(text: string): RawReply {
  const end = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = lines.map((line): [string, string] => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ])
  return { status: Number(first.split(' ')[1]), headers: new Map(headers), body: text.slice(end + 4) }
}
