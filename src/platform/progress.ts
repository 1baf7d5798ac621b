/** What is reported while long work runs. */
export interface Progress {
  /**
   * Begins a step. `total` is in the same unit as `advance`; undefined if it is not known. `before` was done by an
   * earlier run.
   */
  begin(step: string, total?: number, unit?: Unit, before?: number): void
  /** How much of the step is done. */
  advance(done: number): void
  /** Ends the step that was begun last. */
  end(): void
  /** One line between the steps. */
  note(line: string): void
}

export type Unit = 'rows' | 'bytes' | 'bugs' | 'files' | 'indexes'

/** For tests, and for callers that want no output. */
export const NO_PROGRESS: Progress = { begin() {}, advance() {}, end() {}, note() {} }

/** Lines go to a log, so there are few of them. */
const BAR_MILLISECONDS = 200
const LINE_MILLISECONDS = 10_000
const BAR_CHARACTERS = 24

/** Shows a bar with rate and time left on a terminal, and plain lines elsewhere. */
export class ProgressReporter implements Progress {
  private readonly output: NodeJS.WritableStream & { isTTY?: boolean; columns?: number }
  private step = ''
  private total: number | undefined
  private unit: Unit = 'rows'
  private done = 0
  private before = 0
  private startedAt = 0
  private shownAt = 0
  private isOpen = false

  constructor(output: NodeJS.WritableStream & { isTTY?: boolean; columns?: number } = process.stderr) {
    this.output = output
  }

  begin(step: string, total?: number, unit: Unit = 'rows', before = 0) {
    if (this.isOpen) this.end()
    this.step = step
    this.total = total
    this.unit = unit
    this.done = before
    this.before = before
    this.startedAt = performance.now()
    this.shownAt = this.startedAt
    this.isOpen = true
    if (this.output.isTTY) this.draw()
  }

  advance(done: number) {
    this.done = done
    const now = performance.now()
    if (now - this.shownAt < (this.output.isTTY ? BAR_MILLISECONDS : LINE_MILLISECONDS)) return
    this.shownAt = now
    this.draw()
  }

  end() {
    if (!this.isOpen) return
    this.isOpen = false
    const seconds = (performance.now() - this.startedAt) / 1000
    const own = this.before === 0 ? '' : `, ${(this.done - this.before).toLocaleString('en')} of them now,`
    const isCounted = this.total !== undefined || this.done > 0
    const line = isCounted
      ? `${this.step}: ${amount(this.done, this.unit)}${own} in ${duration(seconds)}${this.rateAfter(seconds)}`
      : `${this.step}: ${duration(seconds)}`
    this.output.write(this.output.isTTY ? `\r\x1b[K${line}\n` : `${line}\n`)
  }

  note(line: string) {
    this.output.write(this.output.isTTY ? `\r\x1b[K${line}\n` : `${line}\n`)
    if (this.isOpen && this.output.isTTY) this.draw()
  }

  private draw() {
    const seconds = (performance.now() - this.startedAt) / 1000
    const line = `${this.step}: ${this.shareDone()}${amount(this.done, this.unit)}${this.rateAfter(seconds)}${this.timeLeft(seconds)}`
    if (!this.output.isTTY) return void this.output.write(`${line}\n`)
    this.output.write(`\r\x1b[K${line.slice(0, (this.output.columns ?? 80) - 1)}`)
  }

  private shareDone() {
    if (!this.total) return ''
    const share = Math.min(1, this.done / this.total)
    const percent = `${String(Math.floor(share * 100)).padStart(3)} % `
    if (!this.output.isTTY) return percent.trimStart()
    const full = Math.round(share * BAR_CHARACTERS)
    return `[${'#'.repeat(full)}${'.'.repeat(BAR_CHARACTERS - full)}] ${percent}`
  }

  private rateAfter(seconds: number) {
    const own = this.done - this.before
    return seconds < 1 || own <= 0 ? '' : `, ${amount(Math.round(own / seconds), this.unit)}/s`
  }

  private timeLeft(seconds: number) {
    const own = this.done - this.before
    if (!this.total || seconds < 2 || own <= 0 || this.done >= this.total) return ''
    return `, ${duration((seconds / own) * (this.total - this.done))} left`
  }
}

function amount(count: number, unit: Unit) {
  if (unit !== 'bytes') return `${count.toLocaleString('en')} ${unit}`
  const megabytes = count / 1_000_000
  return `${megabytes.toFixed(megabytes < 10 ? 1 : 0)} MB`
}

export function duration(seconds: number) {
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`
  return `${(seconds / 3600).toFixed(1)} h`
}
