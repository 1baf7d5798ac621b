import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../errors.ts'
import { PriorityQueue, type TaskPlace } from './priority-queue.ts'

const isRefused = (fault: unknown) => fault instanceof ApiError && fault.reason === 'overloaded' && fault.status === 503

const placeWith = (keys: readonly string[], rank = 0) => ({ keys, rank })

/** Starts a task for each place while none can run, and returns the order in which they ran. */
async function orderOf(places: readonly TaskPlace[]): Promise<number[]> {
  const limits = { running: 1, waiting: 1000, waitingOfOneKey: 1000, waitingInOrder: 20, milliseconds: 60_000 }
  const queue = new PriorityQueue(limits)
  const gate = Promise.withResolvers<void>()
  const first = queue.run(placeWith(['first']), () => gate.promise)
  const order: number[] = []
  const all = places.map((place, number) => queue.run(place, async () => void order.push(number)))
  gate.resolve()
  await Promise.all([first, ...all])
  return order
}

const flood = (keysOf: (number: number) => string[], rank = 0) =>
  Array.from({ length: 150 }, (_, number) => placeWith(keysOf(number), rank))

describe('a priority queue', () => {
  for (const [what, keysOf] of [
    ['of many accounts from one network', (number: number) => [`account ${number}`, 'network']],
    ['of one account from many networks', (number: number) => ['account', `network ${number}`]],
  ] as const)
    it(`lets a task of another account and network run after one turn of 150 ${what}`, async () => {
      const order = await orderOf([...flood(keysOf), placeWith(['right account', 'right network'])])
      assert.ok(order.indexOf(150) <= 1, String(order.indexOf(150)))
      assert.equal(order.length, 151)
    })

  const unknownCallers = flood((number) => [`account ${number}`, `network ${number}`], 2)

  it('takes the newest first when very many wait whose accounts and networks all differ', async () => {
    const order = await orderOf([...unknownCallers, placeWith(['right account', 'right network'], 2)])
    assert.deepEqual(order.slice(0, 2), [150, 149])
    assert.deepEqual(
      order.slice(-20),
      Array.from({ length: 20 }, (_, number) => number),
    )
  })

  it('takes a lower rank first, whenever it came, until it has had many turns', async () => {
    const ranked = [placeWith(['b'], 1), placeWith(['a'], 0)]
    assert.deepEqual((await orderOf([...ranked, ...unknownCallers])).slice(0, 2), [1, 0])
    const greedy = flood((number) => ['one account', `device ${number}`])
    const order = await orderOf([...greedy, placeWith(['unknown'], 2)])
    assert.ok(order.indexOf(150) <= 8, String(order.indexOf(150)))
  })

  it('refuses the last rank when too many wait, and of equal ones not the one that comes', async () => {
    const limits = { running: 1, waiting: 2, waitingOfOneKey: 9, waitingInOrder: 0, milliseconds: 60_000 }
    const queue = new PriorityQueue(limits)
    const gate = Promise.withResolvers<void>()
    const run = (key: string, rank: number) => queue.run(placeWith([key], rank), () => gate.promise)
    const taken = [run('running', 2), run('known', 0)]
    const unknown = run('unknown', 2)
    taken.push(run('other unknown', 2))
    await assert.rejects(unknown, isRefused)
    const refused = taken.pop() as Promise<void>
    taken.push(run('also known', 1))
    await assert.rejects(refused, isRefused)
    await assert.rejects(run('third unknown', 2), isRefused)
    gate.resolve()
    await Promise.all(taken)
  })

  it('takes tasks with the same keys in their order', async () => {
    assert.deepEqual(await orderOf(['a', 'a', 'b', 'a', 'b'].map((key) => placeWith([key]))), [0, 2, 1, 4, 3])
  })

  it('refuses the last of the busiest when too many wait, not the one that comes', async () => {
    const queue = new PriorityQueue({
      running: 1,
      waiting: 3,
      waitingOfOneKey: 3,
      waitingInOrder: 3,
      milliseconds: 60_000,
    })
    const gate = Promise.withResolvers<void>()
    const run = (keys: string[]) => queue.run(placeWith(keys), () => gate.promise)
    const [first, second, third, fourth] = [1, 2, 3, 4].map((number) => run([`account ${number}`, 'network']))
    const right = run(['right account', 'right network'])
    await assert.rejects(fourth as Promise<void>, isRefused)
    gate.resolve()
    await Promise.all([first, second, third, right])
  })

  it('refuses the last of one key when too many of it wait', async () => {
    const queue = new PriorityQueue({
      running: 1,
      waiting: 9,
      waitingOfOneKey: 2,
      waitingInOrder: 9,
      milliseconds: 60_000,
    })
    const gate = Promise.withResolvers<void>()
    const run = (keys: string[]) => queue.run(placeWith(keys), () => gate.promise)
    const taken = [run(['a', 'network']), run(['b', 'network']), run(['c', 'network'])]
    await assert.rejects(run(['d', 'network']), isRefused)
    taken.push(run(['d', 'other']))
    gate.resolve()
    await Promise.all(taken)
  })

  it('refuses what has waited too long, and goes on after a task that fails', async () => {
    const queue = new PriorityQueue({ running: 1, waiting: 3, waitingOfOneKey: 3, waitingInOrder: 3, milliseconds: 1 })
    const gate = Promise.withResolvers<void>()
    const failing = queue.run(placeWith(['a']), async () => {
      await gate.promise
      assert.fail('no')
    })
    await assert.rejects(
      queue.run(placeWith(['b']), async () => {}),
      isRefused,
    )
    gate.resolve()
    await assert.rejects(failing, /no/)
    assert.equal(await queue.run(placeWith(['a']), async () => 7), 7)
  })
})
