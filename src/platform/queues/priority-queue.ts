import { errors } from '../errors.ts'
import { forgetOldest } from './forget-oldest.ts'

export interface PriorityQueueLimits {
  /** Tasks that run at the same time. */
  readonly running: number
  readonly waiting: number
  readonly waitingOfOneKey: number
  /** When more than this are waiting, the one that came last is next. The others have waited too long already. */
  readonly waitingInOrder: number
  readonly milliseconds: number
}

/** Whom a task is for. */
export interface TaskPlace {
  readonly keys: readonly string[]
  /** Tasks of a lower rank are next, whatever others wait. */
  readonly rank: number
}

interface WaitingTask extends TaskPlace {
  start(): void
  refuse(fault: Error): void
}

/** Recent turns of one key; they count half after so long. */
interface Turns {
  count: number
  at: number
}

const HALF_LIFE_MILLISECONDS = 10_000
/** A key with more recent turns has the last rank, so that nobody keeps others waiting by a good rank alone. */
const MOST_RANKED_TURNS = 5
const LAST_RANK = Number.POSITIVE_INFINITY
const MOST_REMEMBERED = 10_000
const RETRY_SECONDS = 5

/**
 * Runs a few tasks at a time. A task has several keys, such as an account and a network. Of the tasks of the lowest rank, the one whose
 * busiest key had the fewest turns is next, so that many tasks with one key in common do not delay others, however their other keys differ.
 */
export class PriorityQueue {
  private readonly limits: PriorityQueueLimits
  private readonly waiting = new Set<WaitingTask>()
  private readonly turns = new Map<string, Turns>()
  private running = 0

  constructor(limits: PriorityQueueLimits) {
    this.limits = limits
  }

  get waitingCount() {
    return this.waiting.size
  }

  /** Throws 503 if the task waits too long, or if too many are waiting that go before it. */
  async run<Result>(place: TaskPlace, task: () => Promise<Result>): Promise<Result> {
    if (this.running < this.limits.running) this.running++
    else await this.turnOf(place)
    this.countTurn(place.keys)
    try {
      return await task()
    } finally {
      const next = this.takeNext()
      if (next === undefined) this.running--
      else next.start()
    }
  }

  private turnOf({ keys, rank }: TaskPlace): Promise<void> {
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
      const task: WaitingTask = { keys, rank, start, refuse }
      const timer = setTimeout(() => refuse(overloaded()), this.limits.milliseconds)
      this.waiting.add(task)
      this.refuseTooMany(task)
    })
  }

  /** Refuses the last of the busiest of the last rank. If all are equal, it is not the one that comes, which would be next. */
  private refuseTooMany(newest: WaitingTask) {
    const together = new Map<string, number>()
    for (const task of this.waiting) for (const key of task.keys) together.set(key, (together.get(key) ?? 0) + 1)
    const crowded = newest.keys.find((key) => (together.get(key) ?? 0) > this.limits.waitingOfOneKey)
    if (crowded === undefined && this.waiting.size <= this.limits.waiting) return
    const among = [...this.waiting].filter((task) => crowded === undefined || task.keys.includes(crowded))
    if (crowded === undefined) among.unshift(...among.splice(-1))
    const placeOf = (task: WaitingTask) => this.placeOf(task, (key) => this.turnsOf(key) + (together.get(key) ?? 0))
    lastOf(among, placeOf)?.refuse(overloaded())
  }

  /** Of equal tasks, the one that has waited longest, or the newest if very many wait. */
  private takeNext(): WaitingTask | undefined {
    const tasks = [...this.waiting]
    if (tasks.length <= this.limits.waitingInOrder) tasks.reverse()
    return lastOf(tasks, (task) => {
      const { rank, load } = this.placeOf(task, (key) => this.turnsOf(key))
      return { rank: -rank, load: -load }
    })
  }

  private placeOf({ keys, rank }: WaitingTask, countOf: (key: string) => number): Place {
    const isBusy = keys.some((key) => this.turnsOf(key) > MOST_RANKED_TURNS)
    return { rank: isBusy ? LAST_RANK : rank, load: Math.max(...keys.map(countOf)) }
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

interface Place {
  rank: number
  load: number
}

/** The task of the highest rank, of those the one with the highest load, and of those the last. */
function lastOf(tasks: readonly WaitingTask[], placeOf: (task: WaitingTask) => Place): WaitingTask | undefined {
  let last: { task: WaitingTask; rank: number; load: number } | undefined
  for (const task of tasks) {
    const { rank, load } = placeOf(task)
    if (last === undefined || rank > last.rank || (rank === last.rank && load >= last.load)) last = { task, rank, load }
  }
  return last?.task
}

function decayed({ count, at }: Turns) {
  return count * 0.5 ** ((performance.now() - at) / HALF_LIFE_MILLISECONDS)
}

function overloaded() {
  return errors.overloaded({ seconds: RETRY_SECONDS })
}
