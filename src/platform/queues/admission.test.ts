import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Admission, REQUEST_CLASSES, type RequestClass } from './admission.ts'

const LOG = { info() {}, error() {}, flush: async () => {} }
const DELAY = 20
const COST = 0.5
const COST_OF_REFUSAL = 0.05
/** Of all requests, as trackers see them. */
const SHARES: Readonly<Record<RequestClass, number>> = {
  ...{ anonymous_search: 0.03, anonymous: 0.3, search: 0.07, read: 0.55, write: 0.05 },
}

interface Phase {
  /** Relative to what the server can carry. */
  load: number
  seconds: number
  /** Of the users and addresses that make the requests. */
  callers?: number
  shares?: Partial<Record<RequestClass, number>>
}

interface Served {
  admitted: number
  refused: number
}

/** A server with one thread in which a turn takes as long as what arrived during the turn before it, in simulated time. */
class SimulatedServer {
  now = 0
  turn = 0
  searchWait = 0
  readonly events: string[] = []
  private readonly atEnd: (() => void)[] = []
  private random = 1
  readonly admission = new Admission({
    delayMilliseconds: DELAY,
    waits: {
      turn: (done) => done(this.turn),
      endOfTurn: (done) => this.atEnd.push(done),
      search: () => this.searchWait,
      connection: () => 0,
    },
    log: { ...LOG, info: (event) => this.events.push(event), error: (event) => this.events.push(event) },
    noteOverload: () => this.events.push('noted'),
  })

  run({ load, seconds, callers = 50, shares = SHARES }: Phase) {
    const served = new Map(REQUEST_CLASSES.map((kind): [RequestClass, Served] => [kind, { admitted: 0, refused: 0 }]))
    const turns: number[] = []
    for (const until = this.now + seconds * 1000; this.now < until; ) {
      const arrived = Math.max(1, Math.round((Math.max(this.turn, COST) * load) / COST))
      let took = 0
      for (let request = 0; request < arrived; request++) {
        const kind = this.kindIn(shares)
        const { admission, now } = this
        const isRefused = admission.isOverloaded(now + took) && admission.refuses(kind, this.any(callers), now + took)
        const own = served.get(kind) as Served
        if (isRefused) own.refused++
        else own.admitted++
        took += isRefused ? COST_OF_REFUSAL : COST
      }
      for (const end of this.atEnd.splice(0)) end()
      this.turn = took
      // With less load than the server can carry it waits for requests in between.
      this.now += Math.max(took, (arrived * COST) / load)
      turns.push(took)
    }
    return { served, turns, of: (kind: RequestClass) => served.get(kind) as Served }
  }

  private kindIn(shares: Phase['shares']): RequestClass {
    let left = this.next()
    for (const [kind, share] of Object.entries(shares ?? {})) {
      left -= share
      if (left <= 0) return kind as RequestClass
    }
    return 'read'
  }

  private any(callers: number) {
    return `user ${Math.floor(this.next() * callers)}`
  }

  private next() {
    this.random = (Math.imul(this.random, 1_664_525) + 1_013_904_223) >>> 0
    return this.random / 2 ** 32
  }
}

describe('admission', () => {
  const partOf = ({ admitted, refused }: Served) => refused / (admitted + refused)
  const middleOf = (turns: number[]) => turns.toSorted((a, b) => a - b)[turns.length >> 1] ?? 0

  it('refuses nothing that the server can carry', () => {
    const server = new SimulatedServer()
    const { served } = server.run({ load: 0.9, seconds: 10 })
    for (const { refused } of served.values()) assert.equal(refused, 0)
    assert.deepEqual(server.events, [])
  })

  it('refuses anonymous callers and searches first at twice the load, and no changes', () => {
    const server = new SimulatedServer()
    server.run({ load: 0.8, seconds: 2 })
    const onset = server.run({ load: 2, seconds: 3 })
    assert.ok(Math.max(...onset.turns) < 10 * DELAY, 'turns stay short from the beginning')
    const { of, turns } = server.run({ load: 2, seconds: 10 })
    assert.ok(partOf(of('anonymous_search')) > 0.99 && partOf(of('anonymous')) > 0.95)
    assert.ok(partOf(of('search')) > partOf(of('read')))
    assert.ok(partOf(of('read')) < 0.5)
    assert.equal(of('write').refused, 0)
    assert.ok(middleOf(turns) < 1.5 * DELAY)
  })

  it('keeps turns short at five times the load, and answers most changes', () => {
    const server = new SimulatedServer()
    const onset = server.run({ load: 5, seconds: 3 })
    assert.ok(Math.max(...onset.turns) < 20 * DELAY)
    const { of, turns } = server.run({ load: 5, seconds: 10 })
    assert.ok(middleOf(turns) < 2 * DELAY)
    assert.ok(partOf(of('write')) < 0.1)
  })

  it('refuses a caller with very many requests before others of the same class', () => {
    const server = new SimulatedServer()
    server.run({ load: 2, seconds: 2, callers: 1, shares: { read: 1 } })
    const flood = server.run({ load: 2, seconds: 1, callers: 1, shares: { read: 1 } })
    assert.ok(partOf(flood.of('read')) > 0.2)
    for (let request = 0; request < 5; request++)
      assert.equal(server.admission.refuses('read', 'another user', server.now), false)
  })

  it('recovers by itself within seconds, and logs the beginning and the end', () => {
    const server = new SimulatedServer()
    server.run({ load: 2, seconds: 3 })
    server.run({ load: 0.8, seconds: 1 })
    const { served } = server.run({ load: 0.8, seconds: 10 })
    for (const { refused } of served.values()) assert.equal(refused, 0)
    assert.deepEqual(server.events, ['overloaded: requests are refused', 'noted', 'no longer overloaded'])
  })

  it('refuses only searches while only searches wait', () => {
    const server = new SimulatedServer()
    server.searchWait = 50 * DELAY
    server.run({ load: 0.5, seconds: 2 })
    const { of } = server.run({ load: 0.5, seconds: 2 })
    assert.ok(partOf(of('anonymous_search')) > 0.9 && partOf(of('search')) > 0.9)
    for (const kind of ['anonymous', 'read', 'write'] as const) assert.equal(of(kind).refused, 0)
  })

  it('is never overloaded without a limit', () => {
    const admission = new Admission({
      delayMilliseconds: 0,
      waits: { turn: (done) => done(1000), endOfTurn: (done) => done(), search: () => 1000, connection: () => 1000 },
      log: LOG,
      noteOverload() {},
    })
    for (let now = 0; now < 1000; now++) assert.equal(admission.isOverloaded(now), false)
  })
})
