import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newInstallation, ServerProcess, stopAll } from '../support/server-process.ts'

const FAULTS = new URL('../support/uncaught-faults.ts', import.meta.url).href

after(() => stopAll())

async function started(more: Record<string, string> = {}) {
  const server = new ServerProcess({ ...(await newInstallation('sqlite')), ...more }, [], { preload: FAULTS })
  const { url } = await server.listening()
  return { server, url, status: async (path: string) => (await fetch(url + path)).status }
}

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
    ;({ server, url } = await started())
  })

  it('is logged and does not end the server, if it is a rejected promise', async () => {
    server.child.send('reject')
    await logged(server, 'unhandled rejection')
    assert.match(server.stderr, /a promise that nobody waits for/)
    assert.equal((await fetch(`${url}/rest/version`)).status, 200)
    assert.equal(server.child.exitCode, null)
  })

  it('is logged and ends the server in good order, if it is an exception', async () => {
    const asking = Promise.allSettled(Array.from({ length: 20 }, () => fetch(`${url}/rest/field/bug`)))
    server.child.send('throw')
    await logged(server, 'uncaught exception')
    assert.equal(await server.ended, 1)
    assert.match(server.stderr, /an exception that nobody catches/)
    // Earlier requests are answered; later ones are refused.
    for (const answer of await asking) assert.ok(answer.status === 'rejected' || answer.value.status === 200)
  })
})

it('an uncaught exception ends only the thread that it happened in', async () => {
  const installation = await newInstallation('sqlite')
  const maildir = join(installation.LACEWING_DATA, '../mail')
  mkdirSync(maildir)
  const more = { LACEWING_MAILDIR: maildir, DELIVERY: 'fails' }
  const { server, status } = await started({ ...installation, ...more })
  await logged(server, 'uncaught exception', 2)
  await logged(server, 'unhandled rejection', 2)
  assert.equal(await status('/rest/version'), 200)
  assert.equal(server.child.exitCode, null)
  await server.stop()
})
