import type { StatementSync } from 'node:sqlite'
import type { Connection } from './sqlite-connection.ts'

/**
 * No other program should write to the file of a running server, but a restore or a manual repair may, and is noticed
 * soon.
 */
export class OtherWriters {
  seen = 0
  private readonly timer: NodeJS.Timeout

  constructor(reader: Connection, everyMilliseconds: number, noticed: () => void) {
    const version = reader.connection.prepare('pragma data_version')
    let last = versionOf(version)
    this.timer = setInterval(() => {
      const now = versionOf(version)
      if (now === last) return
      last = now
      this.seen++
      noticed()
    }, everyMilliseconds)
    this.timer.unref()
  }

  close() {
    clearInterval(this.timer)
  }
}

/** A file that cannot be read at the moment counts as unchanged; requests report the reason. */
function versionOf(version: StatementSync): unknown {
  try {
    return version.get()?.data_version
  } catch {
    return undefined
  }
}
