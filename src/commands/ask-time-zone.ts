import { createInterface } from 'node:readline/promises'
import { timeZoneNamed } from '../moving/bugzilla/time-zone.ts'
import { Refusal } from '../platform/refusal.ts'

const QUESTION =
  'Bugzilla stores local times, and the dump does not say of which time zone.\nTime zone of the old host, such as Europe/Berlin: '

/** Asks at the terminal until the answer is the name of a time zone. Ctrl C, Ctrl D and the end of the terminal end the command. */
export async function askTimeZone(): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const isClosed = new Promise<never>((_, reject) => {
    const refusal = new Refusal('No time zone was given. Name it with --time-zone, or give the command again.')
    terminal.once('close', () => reject(refusal))
  })
  try {
    for (let question = QUESTION; ; ) {
      const answer = terminal.question(question).catch(() => isClosed)
      const name = (await Promise.race([answer, isClosed])).trim()
      if (name !== '' && timeZoneNamed(name) !== undefined) return name
      question = `There is no time zone ${JSON.stringify(name)}. Time zone of the old host: `
    }
  } finally {
    terminal.close()
  }
}
