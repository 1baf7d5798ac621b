import { createInterface } from 'node:readline/promises'
import { timeZoneNamed } from '../moving/bugzilla/time-zone.ts'

const QUESTION =
  'Bugzilla stores local times, and the dump does not say of which time zone.\nTime zone of the old host, such as Europe/Berlin: '

/** Asks at the terminal until the answer is the name of a time zone. */
export async function askTimeZone(): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    for (let question = QUESTION; ; ) {
      const name = (await terminal.question(question)).trim()
      if (name !== '' && timeZoneNamed(name) !== undefined) return name
      question = `There is no time zone ${JSON.stringify(name)}. Time zone of the old host: `
    }
  } finally {
    terminal.close()
  }
}
