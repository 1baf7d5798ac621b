import type { Log } from './log.ts'

/**
 * Handles uncaught errors. An unhandled rejection is logged; other code answers its request. An exception may have left
 * work half done, so it is logged and the process (or thread) ends in an orderly way; another one replaces it.
 */
export function containUncaught(log: Log, end: (code: number) => void) {
  let isEnding = false
  process.on('unhandledRejection', (fault) => log.error('unhandled rejection', { stack: stackOf(fault) }))
  process.on('uncaughtException', (fault) => {
    log.error('uncaught exception', { stack: stackOf(fault), isEnding: true })
    if (isEnding) return
    isEnding = true
    end(1)
  })
}

/** The stack of an error, which may be any thrown value. */
export function stackOf(fault: unknown): string {
  try {
    return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)
  } catch {
    return 'a value that cannot be shown'
  }
}
