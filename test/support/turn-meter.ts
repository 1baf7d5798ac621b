import type { ChildProcess } from 'node:child_process'
import type { Question } from './turn-monitor.ts'

/** The module that a server loads so that its turns can be measured (`ServerProcess` with `preload`). */
export const TURN_MONITOR = new URL('./turn-monitor.ts', import.meta.url).href

/** So many requests of one kind are sent at once, and so long may they occupy the main thread without a turn, on a usual machine. */
export const AT_ONCE = 20
export const LONGEST_TURN_MILLISECONDS = 300
/** What the reference work takes on such a machine. */
const REFERENCE_MILLISECONDS = 100

/** Asks the monitor of a server for the longest turn since the last question, or for the time of the reference work. */
export function askTurns(child: ChildProcess, question: Question): Promise<number> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('The server has ended'))
    child.once('exit', onExit)
    child.once('message', (answer) => {
      child.off('exit', onExit)
      resolve(Math.round((answer as { milliseconds: number }).milliseconds))
    })
    child.send(question)
  })
}

/** How long a turn may be on this machine: more if the reference work takes longer. Undefined if this turn was short enough. */
export async function excessOf(child: ChildProcess, longest: number): Promise<string | undefined> {
  if (longest <= LONGEST_TURN_MILLISECONDS) return undefined
  const reference = await askTurns(child, 'reference')
  const most = LONGEST_TURN_MILLISECONDS * Math.max(1, reference / REFERENCE_MILLISECONDS)
  return longest <= most ? undefined : `nobody else was served for ${longest} ms, more than ${Math.round(most)} ms`
}
