import type { Random } from './random.ts'
import type { Tracker } from './tracker.ts'

/** Something that a user does at some time. */
export interface Step {
  at: number
  who: string
  act: (as: Tracker) => Promise<unknown>
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Hours (UTC) between which most employees work. */
const [WORK_BEGINS, WORK_ENDS] = [7, 18]

/** The course of one thing, step by step; each step some hours after the one before. */
export class Course {
  readonly steps: Step[] = []
  private readonly random: Random
  private at: number

  constructor(random: Random, begin: number) {
    this.random = random
    this.at = workingTime(random, begin)
  }

  get time() {
    return this.at
  }

  /** Right after the previous step. */
  now(who: string, act: Step['act']): this {
    this.steps.push({ at: this.at, who, act })
    this.at += 1000
    return this
  }

  /** After this many hours, at most twice as many. */
  after(hours: number, who: string, act: Step['act']): this {
    this.at = workingTime(this.random, this.at + this.random.between(hours, 2 * hours) * HOUR)
    return this.now(who, act)
  }
}

/** The same time, or the next working time. */
function workingTime(random: Random, time: number): number {
  const date = new Date(time)
  const hour = date.getUTCHours()
  const isWorking = hour >= WORK_BEGINS && hour < WORK_ENDS
  const day = isWorking || hour < WORK_BEGINS ? time : time + DAY
  const morning = Math.floor(day / DAY) * DAY + WORK_BEGINS * HOUR
  const at = isWorking ? time : morning + random.between(0, 3 * HOUR)
  const weekday = new Date(at).getUTCDay()
  const isWeekend = weekday === 0 || weekday === 6
  return isWeekend && random.chance(0.8) ? at + (weekday === 6 ? 2 : 1) * DAY : at
}
