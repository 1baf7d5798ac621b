import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { ApiError } from '../../errors.ts'
import type { ReadLimits } from './read-limits.ts'
import { SlowReads } from './slow-reads.ts'
import { USUAL_SIZES } from './slow-reads-queue.ts'
import { SlowReadsThread } from './slow-reads-thread.ts'

const ENDLESS = `with recursive numbers (number) as (select 1 union all select number + 1 from numbers)
  select count(*) as count from numbers where number & 63 <> 0 or require_time()`
/** One call of a function that takes minutes. */
const STUCK = `select has_pattern(hex(zeroblob(30000000)), '(0?1?2?3?4?5?6?7?8?9?){30}z') as found`
const QUICK = 'select ? as value'

describe('a slow read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lacewing-slow-'))
  const file = join(folder, 'empty.db')
  new DatabaseSync(file).exec('create table empty (id integer)')
  const all: SlowReads[] = []
  const open = (sizes = USUAL_SIZES) => {
    const reads = new SlowReads(() => new SlowReadsThread(file), sizes)
    all.push(reads)
    return reads
  }
  after(async () => {
    await Promise.all(all.map((reads) => reads.close()))
    rmSync(folder, { recursive: true, force: true })
  })

  it('ends at its time limit, and its thread can be used again', async () => {
    const reads = open({ ...USUAL_SIZES, threads: 1 })
    await refusedWith('search_too_slow', reads.rows(ENDLESS, [], limits({ milliseconds: 20 })))
    assert.deepEqual(await reads.rows(QUICK, [7], limits()), [{ value: 7 }])
    const idle = { waiting: 0, running: 0, waitMilliseconds: 0, workers: 1 }
    assert.deepEqual(reads.counts(), { ...idle, refused: 0, late: 1, abandoned: 0 })
  })

  it('ends when its client disconnects, whether it runs or waits', async () => {
    const reads = open({ ...USUAL_SIZES, threads: 1 })
    const [first, second] = [new AbortController(), new AbortController()]
    const running = reads.rows(ENDLESS, [], limits({ signal: first.signal }))
    const waiting = reads.rows(ENDLESS, [], limits({ signal: second.signal }))
    second.abort()
    await refusedWith('client_left', waiting)
    first.abort()
    await refusedWith('client_left', running)
    assert.deepEqual(await reads.rows(QUICK, [7], limits()), [{ value: 7 }])
    assert.equal(reads.counts().abandoned, 2)
    await refusedWith('client_left', reads.rows(QUICK, [7], limits({ signal: first.signal })))
  })

  it('is ended with its thread when it does not react to its time limit', async () => {
    const reads = open({ ...USUAL_SIZES, threads: 1 })
    await refusedWith('search_too_slow', reads.rows(STUCK, [], limits({ milliseconds: 20 })))
    assert.deepEqual(await reads.rows(QUICK, [7], limits()), [{ value: 7 }])
  })

  it('shares one deadline with all reads of its request', async () => {
    const reads = open()
    const shared = limits({ milliseconds: 20 })
    await refusedWith('search_too_slow', reads.rows(ENDLESS, [], shared))
    await refusedWith('search_too_slow', reads.rows(QUICK, [7], shared))
  })

  it('does not wait for long reads of other callers or of its own caller', async () => {
    const reads = open()
    const leave = new AbortController()
    const long = Array.from({ length: 6 }, () =>
      reads.rows(ENDLESS, [], { ...limits({ signal: leave.signal }), spent: { milliseconds: 2000 } }),
    )
    const ended = Promise.allSettled(long)
    assert.deepEqual(await reads.rows(QUICK, [7], limits()), [{ value: 7 }])
    assert.deepEqual(await reads.rows(QUICK, [8], limits({ caller: 'user 2' })), [{ value: 8 }])
    assert.deepEqual([reads.counts().running, reads.counts().waiting], [1, 5])
    leave.abort()
    await ended
  })

  it('gives its thread to a short read when it turns out to be long, and runs again later', async () => {
    const reads = open({ ...USUAL_SIZES, longMilliseconds: 50 })
    const leave = new AbortController()
    const long = Array.from({ length: 6 }, () => reads.rows(ENDLESS, [], limits({ signal: leave.signal })))
    const others = ['user 2', 'user 3', 'user 4'].map((caller) =>
      reads.rows(ENDLESS, [], limits({ caller, signal: leave.signal })),
    )
    const ended = Promise.allSettled([...long, ...others])
    assert.deepEqual(await reads.rows(QUICK, [7], limits()), [{ value: 7 }])
    assert.deepEqual(await reads.rows(QUICK, [8], limits({ caller: 'user 5' })), [{ value: 8 }])
    assert.equal(reads.counts().running + reads.counts().waiting, 9, 'none of the long ones has ended')
    leave.abort()
    const reasons = (await ended).map((one) => one.status === 'rejected' && one.reason.reason)
    assert.deepEqual([...new Set(reasons)], ['client_left'])
    assert.deepEqual(await reads.rows(QUICK, [9], limits()), [{ value: 9 }])
  })

  it('finishes after it was interrupted', async () => {
    const reads = open({ ...USUAL_SIZES, threads: 2, threadsOfLong: 1, longMilliseconds: 1 })
    const counting = ENDLESS.replace('from numbers)', 'from numbers where number < 200000)')
    const counted = ['user 1', 'user 2'].map((caller) => reads.rows(counting, [], limits({ caller })))
    await setTimeout(5)
    assert.deepEqual(await reads.rows(QUICK, [7], limits({ caller: 'user 3' })), [{ value: 7 }])
    assert.deepEqual(await Promise.all(counted), [[{ count: 200_000 }], [{ count: 200_000 }]])
    assert.deepEqual([reads.counts().waiting, reads.counts().running], [0, 0])
  })

  it('is refused with Retry-After when too many are waiting', async () => {
    const reads = open({ ...USUAL_SIZES, requestsOfCaller: 2 })
    const leave = new AbortController()
    const ended = Promise.allSettled([
      reads.rows(ENDLESS, [], limits({ signal: leave.signal })),
      reads.rows(ENDLESS, [], limits({ signal: leave.signal })),
    ])
    const refused = await refusedWith('overloaded', reads.rows(QUICK, [7], limits()))
    assert.deepEqual([refused.status, refused.code, refused.headers], [503, 32000, { 'Retry-After': '5' }])
    assert.deepEqual(await reads.rows(QUICK, [8], limits({ caller: 'user 2' })), [{ value: 8 }])
    leave.abort()
    await ended
    assert.equal(reads.counts().refused, 1)
  })

  it('does not use a thread that ended while it was idle', async () => {
    const threads: SlowReadsThread[] = []
    const start = () => {
      const thread = new SlowReadsThread(file)
      threads.push(thread)
      return thread
    }
    const reads = new SlowReads(start, { ...USUAL_SIZES, threads: 1 })
    all.push(reads)
    assert.deepEqual(await reads.rows(QUICK, [7], limits()), [{ value: 7 }])
    await threads[0]?.end()
    assert.deepEqual(await reads.rows(QUICK, [8], limits({ milliseconds: 5000 })), [{ value: 8 }])
    assert.deepEqual([threads.length, reads.counts().workers], [2, 1])
  })

  it('that cannot read the file is refused as unavailable, and its thread is not used again', async () => {
    const damaged = join(folder, 'damaged.db')
    const made = new DatabaseSync(damaged)
    made.exec('create table words (word text)')
    made
      .prepare('insert into words select hex(randomblob(2000)) from json_each(?)')
      .run(JSON.stringify(Array(50).fill(0)))
    made.close()
    const whole = readFileSync(damaged)
    const reads = new SlowReads(() => new SlowReadsThread(damaged), { ...USUAL_SIZES, threads: 1 })
    all.push(reads)
    const COUNT = 'select count(word) as count from words'
    assert.deepEqual(await reads.rows('select count(*) as tables from sqlite_schema', [], limits()), [{ tables: 1 }])
    writeFileSync(damaged, whole.fill('x', 4096))
    const { status } = await refusedWith('database_unavailable', reads.rows(COUNT, [], limits()))
    assert.deepEqual([status, reads.counts().workers], [503, 0])
    rmSync(damaged)
    await refusedWith('database_unavailable', reads.rows(COUNT, [], limits()))
    assert.equal(reads.counts().workers, 0)
  })

  it('leaves nothing behind in the queue', async () => {
    const reads = open()
    await Promise.allSettled(
      Array.from({ length: 16 }, (_, number) =>
        number % 4 === 0
          ? reads.rows(ENDLESS, [], limits({ milliseconds: 30, caller: `user ${number % 3}` }))
          : reads.rows(QUICK, [number], limits({ caller: `user ${number % 3}` })),
      ),
    )
    while (reads.counts().running > 0) await setTimeout(10)
    assert.equal(reads.counts().waiting, 0)
    assert.deepEqual(await reads.rows(QUICK, [7], limits()), [{ value: 7 }])
  })
})

async function refusedWith(reason: string, read: Promise<unknown>): Promise<ApiError> {
  const fault = await read.then(
    () => undefined,
    (fault) => fault,
  )
  assert.ok(fault instanceof ApiError, String(fault))
  assert.equal(fault.reason, reason)
  return fault
}

function limits({
  caller = 'user 1',
  milliseconds = 30_000,
  signal = new AbortController().signal,
}: {
  caller?: string
  milliseconds?: number
  signal?: AbortSignal
} = {}): ReadLimits {
  return { caller, deadline: performance.now() + milliseconds, signal, spent: { milliseconds: 0 } }
}
