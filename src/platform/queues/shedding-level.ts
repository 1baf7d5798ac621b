/** How fast the level follows the delay, for each interval. */
const GAIN = 0.1
/** How much the current delay counts beside what has built up, so that the level does not swing. */
const DAMPING = 0.2
const MOST_TIMES_TOO_LONG = 10
const MOST_IDLE_INTERVALS = 50
/** A class without a request for so long is passed over: refusing it would relieve nothing. */
const SEEN_MILLISECONDS = 1000

/**
 * How much must be refused: classes of requests below the whole part of the level entirely, and of the class at the whole part as much as
 * the fraction says. The level rises while requests are delayed for longer than they may be, and falls otherwise.
 */
export class SheddingLevel {
  private readonly classes: readonly number[]
  private readonly seenAt: number[]
  private built = 0
  private level = 0

  /** `classes` are those that this level is about, the first to be refused first. */
  constructor(classes: readonly number[]) {
    this.classes = classes
    this.seenAt = classes.map(() => Number.NEGATIVE_INFINITY)
  }

  /** 0 if nothing is refused. */
  get value() {
    return this.level
  }

  noteSeen(kind: number, now: number) {
    const at = this.classes.indexOf(kind)
    if (at !== -1) this.seenAt[at] = now
  }

  /** The part of this class that is refused, from 0 to 1. */
  partOf(kind: number): number {
    const at = this.classes.indexOf(kind)
    return at === -1 ? 0 : Math.min(1, Math.max(0, this.level - at))
  }

  /** `times` is the delay relative to the longest that is wanted; `intervals` is the time since the last adjustment. */
  adjust(times: number, intervals: number, now: number) {
    const excess = Math.min(times - 1, MOST_TIMES_TOO_LONG)
    if (excess > 0) this.built = this.raised(this.built + GAIN * excess, now)
    else this.built = this.lowered(this.built + GAIN * excess * Math.min(intervals, MOST_IDLE_INTERVALS), now)
    const damped = this.built === 0 && excess <= 0 ? 0 : this.built + DAMPING * Math.min(excess, 2)
    this.level = Math.min(this.classes.length, Math.max(0, damped))
  }

  private raised(level: number, now: number): number {
    const at = Math.floor(level)
    const next = this.seenAt.findIndex((seen, place) => place >= at && this.isSeen(seen, now))
    return Math.min(this.classes.length, next === -1 ? level : Math.max(level, next))
  }

  private lowered(level: number, now: number): number {
    if (level <= 0) return 0
    const at = Math.floor(level)
    if (this.isSeen(this.seenAt[at] ?? 0, now)) return level
    const last = this.seenAt.findLastIndex((seen, place) => place < at && this.isSeen(seen, now))
    return Math.min(level, last + 1)
  }

  private isSeen(seen: number, now: number) {
    return now - seen < SEEN_MILLISECONDS
  }
}
