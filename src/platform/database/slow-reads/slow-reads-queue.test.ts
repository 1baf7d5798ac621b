import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ReadLimits } from './read-limits.ts'
import { type QueuedRead, SlowReadsQueue, USUAL_SIZES } from './slow-reads-queue.ts'

describe('the queue of slow reads', () => {
  it('lets callers take turns, however many reads one of them has', () => {
    const queue = new SlowReadsQueue<QueuedRead>(USUAL_SIZES)
    const flood = Array.from({ length: 10 }, () => request('flood'))
    const [calm, other] = [request('calm'), request('other')]
    for (const read of [...flood, calm, other]) queue.add(read)
    assert.deepEqual([queue.take(0), queue.take(0), queue.take(0)], [flood[0], calm, other])
  })

  it('takes the request first that has run least, among those of one caller', () => {
    const queue = new SlowReadsQueue<QueuedRead>(USUAL_SIZES)
    const [older, newer] = [request('one', 500), request('one')]
    queue.add(older)
    queue.add(newer)
    assert.equal(queue.take(0), newer)
    assert.equal(queue.take(0), older)
  })

  it('leaves a thread free for other callers', () => {
    const queue = new SlowReadsQueue<QueuedRead>(USUAL_SIZES)
    const flood = Array.from({ length: 3 }, () => request('flood'))
    for (const read of flood) queue.add(read)
    assert.deepEqual([queue.take(0), queue.take(0), queue.take(0)], [flood[0], flood[1], undefined])
    const calm = request('calm')
    queue.add(calm)
    assert.equal(queue.take(0), calm)
  })

  it('gives one thread to the long requests of a caller, and two to all long requests', () => {
    const queue = new SlowReadsQueue<QueuedRead>(USUAL_SIZES)
    const long = [request('a', 5000), request('a', 5000), request('b', 5000), request('c', 5000)]
    for (const read of long) queue.add(read)
    assert.deepEqual([queue.take(0), queue.take(0), queue.take(0)], [long[0], long[2], undefined])
    const short = request('a')
    queue.add(short)
    assert.equal(queue.take(0), short, 'a short search of the same caller does not wait for its long ones')
  })

  it('takes short requests before long ones', () => {
    const queue = new SlowReadsQueue<QueuedRead>(USUAL_SIZES)
    const [long, short] = [request('a', 5000), request('b', 1)]
    queue.add(long)
    queue.add(short)
    assert.deepEqual([queue.take(0), queue.take(0)], [short, long])
  })

  it('counts the time of a read that runs', () => {
    const queue = new SlowReadsQueue<QueuedRead>(USUAL_SIZES)
    const [first, second] = [request('a'), request('a', 2000)]
    queue.add(first)
    assert.equal(queue.take(0), first)
    queue.add(second)
    assert.equal(queue.take(5000), undefined)
    queue.remove(first)
    assert.equal(queue.take(5000), second)
  })

  it('interrupts the newest of too many long reads for a waiting short one', () => {
    const queue = new SlowReadsQueue<QueuedRead>(USUAL_SIZES)
    const [a, b, c] = [request('a'), request('b'), request('c')]
    for (const read of [a, b, c]) queue.add(read)
    assert.deepEqual([queue.take(0), queue.take(0), queue.take(100)].length, 3)
    assert.equal(queue.surplus(5000), undefined, 'nobody waits')
    queue.add(request('d', 5000))
    assert.equal(queue.surplus(5000), undefined, 'only a long one waits')
    const short = request('e')
    queue.add(short)
    assert.equal(queue.surplus(550), undefined, 'two may be long')
    assert.equal(queue.surplus(5000), c)
    c.limits.spent.milliseconds = 4900
    queue.putBack(c)
    assert.deepEqual([queue.take(5000), queue.take(5000)], [short, undefined])
    assert.deepEqual([queue.waitingCount, queue.runningCount], [2, 3])
  })

  it('interrupts a long read only if the short one waits because of it', () => {
    const queue = new SlowReadsQueue<QueuedRead>(USUAL_SIZES)
    const [one, two, other] = [request('a'), request('a', 300), request('b')]
    queue.add(one)
    queue.add(two)
    assert.ok(queue.take(0) && queue.take(0))
    queue.add(other)
    assert.equal(queue.surplus(5000), undefined, 'another caller has a free thread')
    queue.add(request('a'))
    assert.equal(queue.surplus(300), undefined, 'only one is long')
    assert.equal(queue.surplus(5000), one)
  })

  it('limits the requests in total and per caller', () => {
    const queue = new SlowReadsQueue<QueuedRead>({ ...USUAL_SIZES, requests: 3, requestsOfCaller: 2 })
    const [one, two, three] = [request('a'), request('a'), request('b')]
    queue.add(one)
    queue.add({ limits: one.limits })
    assert.ok(queue.hasRoomFor(two.limits))
    queue.add(two)
    assert.ok(!queue.hasRoomFor(request('a').limits))
    assert.ok(queue.hasRoomFor(one.limits), 'a request that reads may go on')
    assert.ok(queue.hasRoomFor(request('a', 1).limits), 'a request that has read may go on')
    queue.add(three)
    assert.ok(!queue.hasRoomFor(request('c').limits))
    queue.remove(two)
    assert.ok(queue.hasRoomFor(request('c').limits))
    assert.deepEqual([queue.waitingCount, queue.runningCount], [3, 0])
  })
})

function request(caller: string, milliseconds = 0): QueuedRead {
  const limits: ReadLimits = { caller, deadline: 1e9, signal: new AbortController().signal, spent: { milliseconds } }
  return { limits }
}
