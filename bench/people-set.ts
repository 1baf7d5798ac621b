import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { clientOf, type Server } from './processes.ts'

/** Creates accounts through the API. They have no passwords, because hashing would take longer than the rest. */
export async function makePeople(server: Server, count: number) {
  const admin = clientOf(server)
  for (let number = 0; number < count; number++)
    await admin.post('/user', { email: `person${number}@bench.test`, full_name: `Person ${number}` })
}

const LOOK_EVERY_MILLISECONDS = 100
/** Longer than a change waits for others to be delivered together with them. */
const QUIET_MILLISECONDS = 1000

/** Waits until all deliveries are done: no job waits, and nothing has been written for a while. */
export async function allDelivered(folder: string) {
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
