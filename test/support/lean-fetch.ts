import { connect, type Socket } from 'node:net'
import { type ResponseHead, ResponseReader } from './response-reader.ts'

export interface Answer {
  status: number
  contentType: string
  headers: Headers
  text: string
}

/** Connections that wait for the next request, by host and port. */
const free = new Map<string, Socket[]>()
/** The server closes a connection that has been idle for several times as long. */
const LONGEST_IDLE_MILLISECONDS = 1_000
/** A response that has not come after this time does not come; a busy machine is quicker. */
const LONGEST_WAIT_MILLISECONDS = 120_000
const freeSince = new WeakMap<Socket, number>()

/**
 * A request like fetch without redirects, but with less overhead, because tests make very many of them: it writes the request to a socket and
 * reads the response by itself.
 */
export async function leanFetch(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: string | undefined,
): Promise<Answer> {
  const { host, path } = partsOf(url)
  const socket = takeFree(host) ?? connectTo(host)
  return new Promise((resolve, reject) => {
    const reader = new ResponseReader(method)
    const end = (work: () => void) => {
      socket.off('data', read).off('close', close).off('error', fail).off('timeout', giveUp).setTimeout(0)
      work()
    }
    const fail = (fault: Error) => end(() => reject(fault))
    const finish = (head: ResponseHead, text: string) =>
      end(() => {
        if (head.isLast) socket.destroy()
        else putFree(host, socket)
        resolve(answerOf(head, text))
      })
    const read = (chunk: Buffer) => {
      try {
        const response = reader.read(chunk)
        if (response !== undefined) finish(response.head, response.text)
      } catch (fault) {
        socket.destroy()
        fail(fault as Error)
      }
    }
    const close = () => {
      const response = reader.end()
      if (response === undefined) fail(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }))
      else finish(response.head, response.text)
    }
    const giveUp = () => {
      const { bytesWritten, bytesRead } = socket
      const what = `${bytesWritten} bytes sent and ${bytesRead} received on this connection`
      fail(new Error(`No response in ${LONGEST_WAIT_MILLISECONDS / 1000} s: ${method} ${url.slice(0, 200)} (${what})`))
      socket.destroy()
    }
    socket.on('data', read).on('close', close).on('error', fail)
    socket.setTimeout(LONGEST_WAIT_MILLISECONDS, giveUp)
    send(socket, headOf(method, path, host, headers, body), body)
  })
}

function connectTo(host: string): Socket {
  const at = host.lastIndexOf(':')
  return connect({ host: host.slice(0, at), port: Number(host.slice(at + 1)), noDelay: true })
}

/** In one packet, if it fits. */
function send(socket: Socket, head: string, body = '') {
  socket.cork()
  socket.write(head, 'latin1')
  if (body !== '') socket.write(body)
  socket.uncork()
}

function takeFree(host: string): Socket | undefined {
  const waiting = free.get(host)
  for (let socket = waiting?.pop(); socket !== undefined; socket = waiting?.pop()) {
    socket.off('close', forget).off('error', ignore)
    if (performance.now() - (freeSince.get(socket) ?? 0) < LONGEST_IDLE_MILLISECONDS) return socket.ref()
    socket.destroy()
  }
  return undefined
}

/** It does not keep the process alive. */
function putFree(host: string, socket: Socket) {
  if (socket.destroyed || socket.readableEnded) return
  const waiting = free.get(host) ?? []
  free.set(host, waiting)
  freeSince.set(socket, performance.now())
  waiting.push(socket.unref().on('close', forget).on('error', ignore))
}

function forget(this: Socket) {
  for (const [host, waiting] of free) {
    const left = waiting.filter((it) => it !== this)
    if (left.length === 0) free.delete(host)
    else free.set(host, left)
  }
}

function ignore() {}

/** What URL would not change. */
const PLAIN = /^http:\/\/([\d.]+:\d+)((?:\/(?!\.)[\w\-~!$&()*+,;=:@%.]*)+(?:\?[\w\-.~!$&()*+,;=:@%/?]*)?)$/

function partsOf(url: string): { host: string; path: string } {
  const [, host, path] = PLAIN.exec(url) ?? []
  if (host !== undefined && path !== undefined) return { host, path }
  const parsed = new URL(url)
  return { host: parsed.host, path: parsed.pathname + parsed.search }
}

const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'])

function headOf(
  method: string,
  path: string,
  host: string,
  headers: Record<string, string>,
  body: string | undefined,
): string {
  const names = Object.keys(headers)
  const has = (name: string) => names.some((it) => it.toLowerCase() === name)
  let head = `${method} ${path} HTTP/1.1\r\n`
  for (const name of names) head += `${name}: ${headers[name]}\r\n`
  if (!has('host')) head += `Host: ${host}\r\n`
  if (!has('connection')) head += 'Connection: keep-alive\r\n'
  if (body !== undefined) head += `Content-Length: ${Buffer.byteLength(body)}\r\n`
  else if (!WITHOUT_BODY.has(method)) head += 'Content-Length: 0\r\n'
  return `${head}\r\n`
}

/** Few tests read headers, so they are copied into an object of fetch only for these. */
function answerOf(head: ResponseHead, text: string): Answer {
  let headers: Headers | undefined
  return {
    status: head.status,
    contentType: head.contentType,
    text,
    get headers() {
      headers ??= new Headers(head.lines)
      return headers
    },
  }
}
