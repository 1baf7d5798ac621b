import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../errors.ts'
import { PriorityQueue } from './priority-queue.ts'

const isRefused = (fault: unknown) => fault instanceof ApiError && fault.reason === 'overloaded' && fault.status === 503

/** Starts a task for each list of keys while none can run, and returns the order in which they ran. */
async function orderOf(tasks: readonly (readonly string[])[]): Promise<number[]> {
  const queue = new PriorityQueue({ running: 1, waiting: 1000, waitingOfOneKey: 1000, milliseconds: 60_000 })
  const gate = Promise.withResolvers<void>()
  const first = queue.run(['first'], () => gate.promise)
  const order: number[] = []
  const all = tasks.map((keys, number) => queue.run(keys, async () => void order.push(number)))
  gate.resolve()
  await Promise.all([first, ...all])
  return order
}

const flood = (keysOf: (number: number) => string[]) => Array.from({ length: 150 }, (_, number) => keysOf(number))

describe('a priority queue', () => {
  for (const [what, keysOf] of [
    ['of many accounts from one network', (number: number) => [`account ${number}`, 'network']],
    ['of one account from many networks', (number: number) => ['account', `network ${number}`]],
  ] as const)
    it(`lets a task of another account and network run after one turn of 150 ${what}`, async () => {
      const order = await orderOf([...flood(keysOf), ['right account', 'right network']])
      assert.ok(order.indexOf(150) <= 1, String(order.indexOf(150)))
      assert.equal(order.length, 151)
    })

  it('takes tasks with the same keys in their order', async () => {
    assert.deepEqual(await orderOf([['a'], ['a'], ['b'], ['a'], ['b']]), [0, 2, 1, 4, 3])
  })

  it('refuses the last of the busiest when too many wait, not the one that comes', async () => {
    const queue = new PriorityQueue({ running: 1, waiting: 3, waitingOfOneKey: 3, milliseconds: 60_000 })
    const gate = Promise.withResolvers<void>()
    const run = (keys: string[]) => queue.run(keys, () => gate.promise)
    const [first, second, third, fourth] = [1, 2, 3, 4].map((number) => run([`account ${number}`, 'network']))
    const right = run(['right account', 'right network'])
    await assert.rejects(fourth as Promise<void>, isRefused)
    gate.resolve()
    await Promise.all([first, second, third, right])
  })

  it('refuses the last of one key when too many of it wait', async () => {
    const queue = new PriorityQueue({ running: 1, waiting: 9, waitingOfOneKey: 2, milliseconds: 60_000 })
    const gate = Promise.withResolvers<void>()
    const run = (keys: string[]) => queue.run(keys, () => gate.promise)
    const taken = [run(['a', 'network']), run(['b', 'network']), run(['c', 'network'])]
    await assert.rejects(run(['d', 'network']), isRefused)
    taken.push(run(['d', 'other']))
    gate.resolve()
    await Promise.all(taken)
  })

  it('refuses what has waited too long, and goes on after a task that fails', async () => {
    const queue = new PriorityQueue({ running: 1, waiting: 3, waitingOfOneKey: 3, milliseconds: 1 })
    const gate = Promise.withResolvers<void>()
    const failing = queue.run(['a'], async () => {
      await gate.promise
      assert.fail('no')
    })
    await assert.rejects(
      queue.run(['b'], async () => {}),
      isRefused,
    )
    gate.resolve()
    await assert.rejects(failing, /no/)
    assert.equal(await queue.run(['a'], async () => 7), 7)
  })
})
