import { existsSync, readFileSync } from 'node:fs'

const STAT = '/proc/self/stat'
/** What the times in /proc are counted in; the same on every Linux (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100

/**
 * User and system time of this process and of the processes that it started and that have ended, with all that these started. Only Linux
 * says the latter (proc_pid_stat(5), fields 14 to 17); elsewhere it is the time of this process alone.
 */
export function processorSeconds(): number {
  if (!existsSync(STAT)) {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  const stat = readFileSync(STAT, 'utf8')
  // The second field is the name of the program, which may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND
}

/** User and system time of this thread: other programs on the machine do not count. */
export function processorMilliseconds(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
