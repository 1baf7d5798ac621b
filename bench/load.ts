import { connect, type Socket } from 'node:net'

/** One thing to ask for, again and again. */
export interface Target {
  host: string
  port: number
  path: string
  headers: Record<string, string>
}

export interface Load {
  requests: number
  seconds: number
  /** Milliseconds from request to answer, sorted. */
  latencies: Float64Array
}

export interface Effort {
  connections: number
  /** Ends after this long, or after this many requests, whichever comes first. */
  milliseconds: number
  requests?: number
}

/**
 * Asks over several connections, on each as soon as the last answer is there. Answers to one target have one length, so an answer is
 * counted by its bytes; each must begin as a success.
 */
export async function load(target: Target, effort: Effort): Promise<Load> {
  const request = Buffer.from(wordingOf(target))
  const length = await answerLength(target, request)
  const state = {
    sent: 0,
    latencies: [] as number[],
    most: effort.requests ?? Number.POSITIVE_INFINITY,
    until: performance.now() + effort.milliseconds,
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: effort.connections }, () => askAgain(target, request, length, state)))
  const seconds = (performance.now() - started) / 1000
  return { requests: state.latencies.length, seconds, latencies: Float64Array.from(state.latencies).sort() }
}

interface State {
  sent: number
  latencies: number[]
  most: number
  until: number
}

function askAgain(target: Target, request: Buffer, length: number, state: State): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: target.host, port: target.port, noDelay: true })
    let received = 0
    let asked = 0
    const ask = () => {
      const now = performance.now()
      if (now >= state.until || state.sent >= state.most) return void socket.end(resolve)
      state.sent++
      asked = now
      socket.write(request)
    }
    socket.once('connect', ask)
    socket.once('error', reject)
    socket.on('data', (chunk: Buffer) => {
      if (received === 0 && !isSuccess(chunk))
        return void socket.destroy(new Error(`${target.path} was refused: ${chunk.toString('latin1', 0, 300)}`))
      received += chunk.length
      if (received < length) return
      received = 0
      state.latencies.push(performance.now() - asked)
      ask()
    })
  })
}

const SUCCESS = Buffer.from('HTTP/1.1 200')

function isSuccess(chunk: Buffer) {
  return chunk.compare(SUCCESS, 0, SUCCESS.length, 0, SUCCESS.length) === 0
}

function wordingOf({ host, port, path, headers }: Target) {
  const lines = Object.entries({ Host: `${host}:${port}`, Accept: 'application/json', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

function answerLength(target: Target, request: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ host: target.host, port: target.port })
    let answer = Buffer.alloc(0)
    socket.once('error', reject)
    socket.on('data', (chunk: Buffer) => {
      answer = Buffer.concat([answer, chunk])
      const end = answer.indexOf('\r\n\r\n')
      const length = /content-length: (\d+)/i.exec(answer.toString('latin1', 0, Math.max(end, 0)))
      if (end === -1 || !length || answer.length < end + 4 + Number(length[1])) return
      socket.destroy()
      resolve(end + 4 + Number(length[1]))
    })
    socket.write(request)
  })
}

export function quantile({ latencies }: Load, share: number) {
  return latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
}
