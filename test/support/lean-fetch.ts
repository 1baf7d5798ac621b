import { Agent, type IncomingMessage, request } from 'node:http'

export interface Answer {
  status: number
  headers: Headers
  text: string
}

const agent = new Agent({ keepAlive: true })

/** A request like fetch without redirects, but with less overhead, because tests make very many of them. */
export function leanFetch(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: string | undefined,
): Promise<Answer> {
  // Set here because node:http sets it only for methods that usually have a body.
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(url), { method, agent, headers: { ...headers, ...length } }, (response) => {
      read(response).then((text) => resolve(answerOf(response, text)), reject)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function read(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk) => chunks.push(chunk))
    response.on('end', () => resolve(new TextDecoder().decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))))
    response.on('error', reject)
  })
}

function answerOf(response: IncomingMessage, text: string): Answer {
  const headers = new Headers()
  for (let at = 0; at < response.rawHeaders.length; at += 2)
    headers.append(response.rawHeaders[at] as string, response.rawHeaders[at + 1] as string)
  return { status: response.statusCode as number, headers, text }
}
