import { connect, type Socket } from 'node:net'
import { type MixedCallers, type MixedClass, mixedRequest } from './mix.ts'

/** So many requests a second, whether earlier ones are answered or not. */
export interface OpenLoad extends MixedCallers {
  rate: number
  milliseconds: number
  mostConnections: number
}

export interface ClassFigures {
  kind: MixedClass
  answered: number
  /** With 503 and Retry-After. */
  refused: number
  failed: number
  /** Milliseconds, of those that were answered. */
  p50: number
  p99: number
  /** The same of those that were refused. */
  refusedP99: number
}

export interface OpenFigures {
  seconds: number
  /** Requests that were not sent, because all connections were waiting. */
  unsent: number
  firstFailure: string | undefined
  classes: ClassFigures[]
}

const TICK_MILLISECONDS = 2
const LONGEST_WAIT_MILLISECONDS = 20_000

interface Waiting {
  kind: MixedClass
  since: number
}

interface Outcomes {
  answered: number[]
  refused: number[]
  failed: number
}

/** Connections that are used again, one request at a time. */
class Pool {
  private readonly free: Connection[] = []
  private readonly load: OpenLoad
  private open = 0
  readonly outcomes = new Map<MixedClass, Outcomes>()
  unsent = 0
  waiting = 0
  firstFailure: string | undefined

  constructor(load: OpenLoad) {
    this.load = load
  }

  send() {
    const { kind, text } = mixedRequest(this.load)
    const since = performance.now()
    const connection = this.free.pop() ?? this.another()
    if (connection === undefined) return void this.unsent++
    this.waiting++
    connection.send(text, { kind, since })
  }

  note({ kind, since }: Waiting, status: number, answer: string, connection: Connection | undefined) {
    this.waiting--
    const own = this.outcomes.get(kind) ?? { answered: [], refused: [], failed: 0 }
    this.outcomes.set(kind, own)
    const took = performance.now() - since
    if (status >= 200 && status < 300) own.answered.push(took)
    else if (status === 503 && /\r\nretry-after: /i.test(answer)) own.refused.push(took)
    else {
      own.failed++
      this.firstFailure ??= answer.slice(0, 1500)
    }
    if (connection === undefined) this.open--
    else this.free.push(connection)
  }

  end() {
    for (const connection of this.free) connection.end()
  }

  private another(): Connection | undefined {
    if (this.open >= this.load.mostConnections) return undefined
    this.open++
    return new Connection(this.load.port, this)
  }
}

class Connection {
  private readonly socket: Socket
  private readonly pool: Pool
  private current: Waiting | undefined
  private head = ''
  private missing: number | undefined

  constructor(port: number, pool: Pool) {
    this.pool = pool
    this.socket = connect({ host: '127.0.0.1', port, noDelay: true })
    this.socket.on('data', (chunk: Buffer) => this.receive(chunk))
    this.socket.on('error', () => {})
    this.socket.once('close', () => {
      if (this.current !== undefined) pool.note(this.current, 0, 'The connection was closed', undefined)
    })
  }

  send(text: string, waiting: Waiting) {
    this.current = waiting
    this.head = ''
    this.missing = undefined
    this.socket.write(text)
  }

  end() {
    this.socket.destroy()
  }

  private receive(chunk: Buffer) {
    if (this.missing === undefined) {
      this.head += chunk.toString('latin1')
      const end = this.head.indexOf('\r\n\r\n')
      if (end === -1) return
      const length = /\r\ncontent-length: (\d+)/i.exec(this.head)
      this.missing = end + 4 + Number(length?.[1] ?? 0) - this.head.length
    } else this.missing -= chunk.length
    if (this.missing > 0 || this.current === undefined) return
    const { current } = this
    this.current = undefined
    this.pool.note(current, Number(this.head.slice(9, 12)), this.head, this)
  }
}

/** Sends the mixed load at this rate, at random moments, and waits for the responses. */
export async function openLoad(load: OpenLoad): Promise<OpenFigures> {
  const pool = new Pool(load)
  const began = performance.now()
  let due = nextAfter(began, load.rate)
  while (performance.now() - began < load.milliseconds) {
    for (; due <= performance.now(); due = nextAfter(due, load.rate)) pool.send()
    await pause(TICK_MILLISECONDS)
  }
  const seconds = (performance.now() - began) / 1000
  const late = performance.now() + LONGEST_WAIT_MILLISECONDS
  while (pool.waiting > 0 && performance.now() < late) await pause(TICK_MILLISECONDS)
  pool.end()
  const classes = [...pool.outcomes].map(([kind, own]) => figuresOf(kind, own))
  return { seconds, unsent: pool.unsent, firstFailure: pool.firstFailure, classes }
}

function figuresOf(kind: MixedClass, { answered, refused, failed }: Outcomes): ClassFigures {
  return {
    ...{ kind, answered: answered.length, refused: refused.length, failed },
    ...{ p50: quantileOf(answered, 0.5), p99: quantileOf(answered, 0.99), refusedP99: quantileOf(refused, 0.99) },
  }
}

export function quantileOf(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Requests of many callers come at random moments. */
function nextAfter(moment: number, rate: number) {
  return moment - (Math.log(1 - Math.random()) * 1000) / rate
}

function pause(milliseconds: number) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
