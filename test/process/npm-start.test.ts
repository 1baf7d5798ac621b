import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

describe('npm start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lacewing-start-'))
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('ends the server when npm gets a signal', async () => {
    const npm = spawn('npm', ['start', '--silent'], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { ...process.env, LACEWING_PORT: '0', LACEWING_DATA: folder },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const address = await new Promise<string>((resolve) => {
      let said = ''
      npm.stdout.on('data', (text) => {
        said += text
        const found = /listens on (\S+)\n/.exec(said)
        if (found?.[1]) resolve(found[1])
      })
    })
    assert.equal((await fetch(`${address}/rest/version`)).status, 200)
    npm.kill('SIGTERM')
    assert.equal(await new Promise((resolve) => npm.once('exit', resolve)), 0)
    await assert.rejects(fetch(`${address}/rest/version`))
  })
})
