import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after } from 'node:test'
import { itInSoak } from '../support/sample.ts'
import { newInstallation, ServerProcess, stopAll } from '../support/server-process.ts'
import { startOptions } from '../support/start-options.ts'

const LOGINS = 15
/** A password check takes 19 while it runs, and two run at once. */
const MOST_MEGABYTES = 45

after(stopAll)

itInSoak('a server that npm start has started returns the memory of password checks', async () => {
  const server = new ServerProcess({ ...startOptions().variables, ...(await newInstallation('sqlite')) })
  const { url } = await server.listening()
  const logIn = (name: string) => fetch(`${url}/rest/login?login=${name}@example.org&password=wrong-password`)
  assert.equal((await logIn('first')).status, 401)
  const before = megabytes(server)
  const replies = await Promise.all(Array.from({ length: LOGINS }, (_, number) => logIn(`user${number}`)))
  for (const { status } of replies) assert.ok(status === 401 || status === 503, String(status))
  const growth = megabytes(server) - before
  assert.ok(growth < MOST_MEGABYTES, `it grew by ${growth.toFixed(0)} MB`)
})

function megabytes({ child }: ServerProcess): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}
