import { write } from 'node:fs'
import { masked } from '../text/masked.ts'
import { quoted } from '../text/quoted.ts'

/** One line of JSON per event, on standard error. It contains nothing from a client except what the caller passes. */
export interface Log {
  info(event: string, facts?: Facts): void
  error(event: string, facts?: Facts): void
  /** Waits until all lines are written. */
  flush(): Promise<void>
}

export type Facts = Readonly<Record<string, string | number | boolean | null | undefined>>

const STANDARD_ERROR = 2
/** Waking another thread for each line would cost more than the rest of a small request. */
const TOGETHER_MILLISECONDS = 100
const MOST_WAITING = 8 * 1024 * 1024

/**
 * Lines are collected and written in batches, off the main thread. If the reader of the log is too slow, lines are
 * dropped; requests never wait.
 */
export function logTo(fd = STANDARD_ERROR): Log {
  const waiting = new WaitingLines()
  let isWriting = false
  let dropped = 0
  let soon: NodeJS.Timeout | undefined
  let idle: (() => void)[] = []

  const line = (level: string, event: string, facts: Facts = {}) => {
    if (waiting.length > MOST_WAITING) return void dropped++
    waiting.add(`{"time":"${moment()}","level":"${level}","event":${quoted(event)}${factsAsJson(facts)}}\n`)
    if (!isWriting) soon ??= setTimeout(next, TOGETHER_MILLISECONDS)
  }

  const next = () => {
    clearTimeout(soon)
    soon = undefined
    isWriting = waiting.length > 0
    if (!isWriting) {
      for (const resolve of idle) resolve()
      idle = []
      return
    }
    const batch = waiting.take()
    if (dropped > 0) waiting.add(`{"level":"error","event":"log lines dropped","dropped":${dropped}}\n`)
    dropped = 0
    writeAll(batch)
  }

  const writeAll = (rest: Buffer) => {
    write(fd, rest, (fault, written) => {
      if (fault?.code === 'EAGAIN') setTimeout(writeAll, 50, rest)
      else if (!fault && written < rest.length) writeAll(rest.subarray(written))
      else next()
    })
  }

  return {
    info: (event, facts) => line('info', event, facts),
    error: (event, facts) => line('error', event, facts),
    flush: () =>
      new Promise((resolve) => {
        idle.push(resolve)
        if (!isWriting) next()
      }),
  }
}

const FIRST_BYTES = 64 * 1024
const MOST_BYTES_OF_CHARACTER = 3

/** Lines as bytes: one text that grows with every line costs the garbage collector much time. */
class WaitingLines {
  private bytes = Buffer.allocUnsafe(FIRST_BYTES)
  length = 0

  add(line: string) {
    const most = this.length + line.length * MOST_BYTES_OF_CHARACTER
    if (most > this.bytes.length) this.growTo(Math.max(most, 2 * this.bytes.length))
    this.length += this.bytes.write(line, this.length)
  }

  take(): Buffer {
    const taken = this.bytes.subarray(0, this.length)
    this.bytes = Buffer.allocUnsafe(FIRST_BYTES)
    this.length = 0
    return taken
  }

  private growTo(size: number) {
    const larger = Buffer.allocUnsafe(size)
    this.bytes.copy(larger, 0, 0, this.length)
    this.bytes = larger
  }
}

function factsAsJson(facts: Facts) {
  let text = ''
  for (const name in facts) {
    const value = facts[name]
    if (value !== undefined) text += `,"${name}":${typeof value === 'string' ? quoted(loggable(name, value)) : value}`
  }
  return text
}

/** The text of an error may repeat client input. */
function loggable(name: string, value: string) {
  return name === 'stack' || name === 'why' ? masked(value) : value
}

let lastMillisecond = 0
let lastMoment = ''

/** Many lines share a millisecond, and formatting a date costs as much as the rest of the line. */
function moment() {
  const now = Date.now()
  if (now !== lastMillisecond) {
    lastMillisecond = now
    lastMoment = new Date(now).toISOString()
  }
  return lastMoment
}
