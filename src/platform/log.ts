import { write } from 'node:fs'

/** One line of JSON per event, on standard error. Nothing that was sent by a client stands in it but what the caller names. */
export interface Log {
  info(event: string, facts?: Facts): void
  error(event: string, facts?: Facts): void
  /** Waits until all lines are out. */
  flush(): Promise<void>
}

export type Facts = Readonly<Record<string, string | number | boolean | null | undefined>>

const STANDARD_ERROR = 2
const MOST_WAITING = 8 * 1024 * 1024

/** Lines are gathered and written together, off the main thread. A reader that stops reading costs lines, never answers. */
export function logTo(fd = STANDARD_ERROR): Log {
  let waiting = ''
  let isWriting = false
  let dropped = 0
  let idle: (() => void)[] = []

  const line = (level: string, event: string, facts: Facts = {}) => {
    if (waiting.length > MOST_WAITING) return void dropped++
    waiting += `${JSON.stringify({ time: new Date().toISOString(), level, event, ...facts })}\n`
    if (!isWriting) {
      isWriting = true
      setImmediate(next)
    }
  }

  const next = () => {
    if (waiting === '') {
      isWriting = false
      for (const resolve of idle) resolve()
      idle = []
      return
    }
    const batch = waiting
    waiting = dropped > 0 ? `${JSON.stringify({ level: 'error', event: 'log lines dropped', dropped })}\n` : ''
    dropped = 0
    writeAll(Buffer.from(batch))
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
    flush: () => (isWriting ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve()),
  }
}

export const silentLog: Log = { info() {}, error() {}, flush: async () => {} }
