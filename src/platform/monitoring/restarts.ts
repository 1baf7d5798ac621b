/** A run of this length did not fail at its start. */
const LIVED_MILLISECONDS = 60_000

/**
 * How long to wait before something that has failed is restarted: longer each time, so that it does not restart
 * endlessly.
 */
export class Restarts {
  private readonly shortest: number
  private readonly longest: number
  private failures = 0

  constructor(shortestMilliseconds: number, longestMilliseconds: number) {
    this.shortest = shortestMilliseconds
    this.longest = longestMilliseconds
  }

  /** The pause after a run of this many milliseconds. */
  pauseAfter(lived: number): number {
    this.failures = lived < LIVED_MILLISECONDS ? this.failures + 1 : 1
    return Math.min(this.longest, this.shortest * 2 ** (this.failures - 1))
  }
}
