import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
/** Accounts to read, made through the interface. Passwords are left out: hashing them would take longer than all the rest. */
export async function makePeople(port: number, apiKey: string, count: number) {
  for (let number = 0; number < count; number++) {
    const response = await fetch(`http://127.0.0.1:${port}/rest/user`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-TRACKER-API-KEY': apiKey },
      body: JSON.stringify({ email: `person${number}@bench.test`, full_name: `Person ${number}` }),
    })
    if (response.status !== 201) throw new Error(`An account could not be made: ${await response.text()}`)
  }
}

const TOLD_EVERY_MILLISECONDS = 200

/** Waits until nobody is to be told anything any more. */
export async function allTold(folder: string) {
  const database = new DatabaseSync(join(folder, 'lacewing.db'), { readOnly: true })
  const waiting = database.prepare('select count(*) as count from jobs')
  while (Number(waiting.get()?.count) > 0) await sleep(TOLD_EVERY_MILLISECONDS)
  database.close()
}
