// Installs what the next npm script needs, once: `npm start` needs the packages of the server, `npm test` all of them.
// It may run under an old Node, so it uses nothing newer than Node 18.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
// What `npm test` has installed stays when the server’s packages change.
const everything = process.argv[2] !== 'server' || existsSync(`${root}node_modules/typescript`)
const installed = `${root}node_modules/.package-lock.json`
const fresh = existsSync(installed) && statSync(installed).mtimeMs >= statSync(`${root}package-lock.json`).mtimeMs
const complete = !everything || existsSync(`${root}node_modules/typescript`)

if (!fresh || !complete) {
  console.error(`Installing ${everything ? 'all packages' : 'the server’s packages'} (once) …`)
  const words = ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...(everything ? [] : ['--omit=dev'])]
  const { status } = spawnSync('npm', words, { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) {
    console.error('The packages could not be installed: see the lines above. Is the npm registry reachable?')
    process.exit(1)
  }
}
