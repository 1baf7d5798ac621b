import type { Log } from './log.ts'

/**
 * What nobody caught. A rejected promise that nothing waits for is logged: its request is answered by other code. An exception may
 * have left something half done, so it is logged, and the process (or thread) ends in good order: another one takes its place.
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

/** What is known about a fault, which may be anything that was thrown. */
export function stackOf(fault: unknown): string {
  try {
    return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)
  } catch {
    return 'something that cannot be written'
  }
}
