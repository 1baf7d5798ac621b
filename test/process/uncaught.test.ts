import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newInstallation, ServerProcess, stopAll } from '../support/server-process.ts'
import { until } from '../support/until.ts'

const FAULTS = new URL('../support/uncaught-faults.ts', import.meta.url).href

after(() => stopAll())

/** Waits until the log of the server has this number of such events. */
async function logged(server: ServerProcess, event: string, times = 1) {
  for (let tries = 0; tries < 400; tries++) {
    if (server.stderr.split(`"event":"${event}"`).length > times) return
    await sleep(50)
  }
  assert.fail(`The log does not have ${event} ${times} times: ${server.stderr.slice(-2000)}`)
}

describe('uncaught failures', () => {
  let server: ServerProcess
  let url = ''
  before(async () => {
    const installation = await newInstallation('sqlite')
    // The delivery thread is there as long as there is mail to be taken.
    const maildir = join(installation.LACEWING_DATA, '../mail')
    mkdirSync(maildir)
    const more = { LACEWING_MAILDIR: maildir, DELIVERY: 'fails' }
    server = new ServerProcess({ ...installation, ...more }, [], { preload: FAULTS })
    url = (await server.listening()).url
  })

  it('end only the thread that they happened in, if it is not that of requests', async () => {
    await logged(server, 'uncaught exception', 2)
    await logged(server, 'unhandled rejection', 2)
    assert.match(server.stderr, /an exception in a thread/)
    assert.equal((await fetch(`${url}/rest/version`)).status, 200)
    assert.equal(server.child.exitCode, null)
  })

  it('are logged and do not end the server, if they are rejected promises', async () => {
    server.child.send('reject')
    await until(() => server.stderr.includes('a promise that nobody waits for'))
    assert.match(server.stderr, /"event":"unhandled rejection".*a promise that nobody waits for/)
    assert.equal((await fetch(`${url}/rest/version`)).status, 200)
    assert.equal(server.child.exitCode, null)
  })

  it('are logged and end the server in good order, if they are exceptions', async () => {
    const asking = Promise.allSettled(Array.from({ length: 20 }, () => fetch(`${url}/rest/field/bug`)))
    server.child.send('throw')
    assert.equal(await server.ended, 1)
    assert.match(server.stderr, /"event":"uncaught exception".*an exception that nobody catches/)
    // Earlier requests are answered; later ones are refused.
    for (const answer of await asking) assert.ok(answer.status === 'rejected' || answer.value.status === 200)
  })
})
