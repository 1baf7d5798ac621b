import { connect } from 'node:net'

/**
 * The request to repeat. In path and body, `{id}` becomes a random number from 1 to `most`, and `{n}` a different
 * number each time.
 */
export interface Target {
  host: string
  port: number
  path: string
  headers: Record<string, string>
  method?: 'GET' | 'POST' | 'PUT'
  body?: string
  most?: number
}

export interface Load {
  requests: number
  seconds: number
  /** Milliseconds from request to response, sorted. */
  latencies: Float64Array
}

export interface Effort {
  connections: number
  /** Ends after this time, or after this many requests, whichever comes first. */
  milliseconds: number
  requests?: number
}

/**
 * Sends requests over several connections, each as soon as the previous response is complete. Every response must be a
 * success.
 */
export async function load(target: Target, effort: Effort): Promise<Load> {
  const state = {
    sent: 0,
    latencies: [] as number[],
    most: effort.requests ?? Number.POSITIVE_INFINITY,
    until: performance.now() + effort.milliseconds,
  }
  const started = performance.now()
  const next = requestsTo(target)
  await Promise.all(Array.from({ length: effort.connections }, () => askAgain(target, next, state)))
  const seconds = (performance.now() - started) / 1000
  return { requests: state.latencies.length, seconds, latencies: Float64Array.from(state.latencies).sort() }
}

interface State {
  sent: number
  latencies: number[]
  most: number
  until: number
}

function askAgain(target: Target, next: () => Buffer, state: State): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: target.host, port: target.port, noDelay: true })
    let context = 0
    /** How much of the response is still missing; undefined before its length is known. */
    let missing: number | undefined
    let head: Buffer | undefined
    const ask = () => {
      const now = performance.now()
      if (now >= state.until || state.sent >= state.most) return void socket.end(resolve)
      state.sent++
      context = now
      missing = undefined
      head = undefined
      socket.write(next())
    }
    socket.once('connect', ask)
    socket.once('error', reject)
    socket.on('data', (chunk: Buffer) => {
      if (missing === undefined) {
        head = head === undefined ? chunk : Buffer.concat([head, chunk])
        const length = lengthOf(head)
        if (length === undefined) return
        if (!isSuccess(head))
          return void socket.destroy(new Error(`${target.path} was refused: ${head.toString('latin1', 0, 2000)}`))
        missing = length - head.length
      } else missing -= chunk.length
      if (missing > 0) return
      state.latencies.push(performance.now() - context)
      ask()
    })
  })
}

/** The length of the whole response; undefined until its headers are complete. */
function lengthOf(answer: Buffer): number | undefined {
  const end = answer.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const length = /content-length: (\d+)/i.exec(answer.toString('latin1', 0, end))
  if (!length) throw new Error('A response has no Content-Length')
  return end + 4 + Number(length[1])
}

const SUCCESS = Buffer.from('HTTP/1.1 20')

function isSuccess(chunk: Buffer) {
  return chunk.compare(SUCCESS, 0, SUCCESS.length, 0, SUCCESS.length) === 0
}

let count = 0

const PLACEHOLDER = /\{(id|n)\}/

function requestsTo(target: Target): () => Buffer {
  const { path, body, most = 1 } = target
  if (!PLACEHOLDER.test(path) && !PLACEHOLDER.test(body ?? '')) {
    const request = Buffer.from(wordingOf(target, path, body))
    return () => request
  }
  const filled = (text: string) =>
    text.replaceAll('{id}', String(1 + Math.floor(Math.random() * most))).replaceAll('{n}', String(++count))
  return () => Buffer.from(wordingOf(target, filled(path), body === undefined ? undefined : filled(body)))
}

function wordingOf({ host, port, headers, method = 'GET' }: Target, path: string, body?: string) {
  const all = { Host: `${host}:${port}`, Accept: 'application/json', ...headers, ...(body && bodyHeaders(body)) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}

function bodyHeaders(body: string) {
  return { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }
}

export function quantile({ latencies }: Load, share: number) {
  return latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
}
