import { errors } from '../errors.ts'
import { forgetOldest } from './forget-oldest.ts'

export interface PriorityQueueLimits {
  /** Tasks that run at the same time. */
  readonly running: number
  readonly waiting: number
  readonly waitingOfOneKey: number
  readonly milliseconds: number
}

interface WaitingTask {
  readonly keys: readonly string[]
  start(): void
  refuse(fault: Error): void
}

/** Recent turns of one key; they count half after so long. */
interface Turns {
  count: number
  at: number
}

const HALF_LIFE_MILLISECONDS = 10_000
const MOST_REMEMBERED = 10_000
const RETRY_SECONDS = 5

/**
 * Runs a few tasks at a time. A task has several keys, such as an account and a network. The task whose busiest key had the fewest turns
 * is next, so that many tasks with one key in common do not delay others, however their other keys differ.
 */
export class PriorityQueue {
  private readonly limits: PriorityQueueLimits
  private readonly waiting = new Set<WaitingTask>()
  private readonly turns = new Map<string, Turns>()
  private running = 0

  constructor(limits: PriorityQueueLimits) {
    this.limits = limits
  }

  /** Throws 503 if the task waits too long, or if too many are waiting that had fewer turns. */
  async run<Result>(keys: readonly string[], task: () => Promise<Result>): Promise<Result> {
    if (this.running < this.limits.running) this.running++
    else await this.turnOf(keys)
    this.countTurn(keys)
    try {
      return await task()
    } finally {
      const next = this.leastBusy()
      if (next === undefined) this.running--
      else next.start()
    }
  }

  private turnOf(keys: readonly string[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const refuse = (fault: Error) => {
        clearTimeout(timer)
        this.waiting.delete(task)
        reject(fault)
      }
      const start = () => {
        clearTimeout(timer)
        this.waiting.delete(task)
        resolve()
      }
      const task: WaitingTask = { keys, start, refuse }
      const timer = setTimeout(() => refuse(overloaded()), this.limits.milliseconds)
      this.waiting.add(task)
      this.refuseTooMany(task)
    })
  }

  private refuseTooMany({ keys }: WaitingTask) {
    const together = new Map<string, number>()
    for (const task of this.waiting) for (const key of task.keys) together.set(key, (together.get(key) ?? 0) + 1)
    const crowded = keys.find((key) => (together.get(key) ?? 0) > this.limits.waitingOfOneKey)
    if (crowded === undefined && this.waiting.size <= this.limits.waiting) return
    const among = [...this.waiting].filter((task) => crowded === undefined || task.keys.includes(crowded))
    busiestOf(among, (key) => this.turnsOf(key) + (together.get(key) ?? 0))?.refuse(overloaded())
  }

  /** Of equally busy tasks, the one that has waited longest. */
  private leastBusy(): WaitingTask | undefined {
    let least: { task: WaitingTask; load: number } | undefined
    for (const task of this.waiting) {
      const load = loadOf(task, (key) => this.turnsOf(key))
      if (least === undefined || load < least.load) least = { task, load }
    }
    return least?.task
  }

  /** In whole turns, so that tasks that differ only in age wait in their order. */
  private turnsOf(key: string) {
    const turns = this.turns.get(key)
    return turns === undefined ? 0 : Math.round(decayed(turns))
  }

  private countTurn(keys: readonly string[]) {
    for (const key of keys) {
      const before = this.turns.get(key)
      this.turns.delete(key)
      this.turns.set(key, { count: (before === undefined ? 0 : decayed(before)) + 1, at: performance.now() })
    }
    forgetOldest(this.turns, MOST_REMEMBERED)
  }
}

function loadOf({ keys }: WaitingTask, countOf: (key: string) => number) {
  return Math.max(...keys.map(countOf))
}

/** Of equally busy tasks, the one that came last. */
function busiestOf(tasks: readonly WaitingTask[], countOf: (key: string) => number): WaitingTask | undefined {
  let most: { task: WaitingTask; load: number } | undefined
  for (const task of tasks) {
    const load = loadOf(task, countOf)
    if (most === undefined || load >= most.load) most = { task, load }
  }
  return most?.task
}

function decayed({ count, at }: Turns) {
  return count * 0.5 ** ((performance.now() - at) / HALF_LIFE_MILLISECONDS)
}

function overloaded() {
  return errors.overloaded({ seconds: RETRY_SECONDS })
}
