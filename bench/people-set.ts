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

const LOOK_EVERY_MILLISECONDS = 100
/** Longer than a change waits for others before it is told together with them. */
const QUIET_MILLISECONDS = 1000

/** Waits until nobody is to be told anything any more: nothing waits, and nothing has been written for a while. */
export async function allTold(folder: string) {
  const database = new DatabaseSync(join(folder, 'lacewing.db'), { readOnly: true })
  const state = database.prepare('select exists (select 1 from jobs) as waits, data_version from pragma_data_version')
  let version: unknown
  for (let since = performance.now(); performance.now() - since < QUIET_MILLISECONDS; ) {
    const now = state.get()
    if (now?.waits === 1 || now?.data_version !== version) since = performance.now()
    version = now?.data_version
    await sleep(LOOK_EVERY_MILLISECONDS)
  }
  database.close()
}
