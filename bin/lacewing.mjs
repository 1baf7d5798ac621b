#!/usr/bin/env node
// Runs `lacewing …` with the Node that npm has installed for it. This file may itself run under an older Node, so it
// uses nothing newer than Node 18.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const words = process.argv.slice(2)

// A container has all packages and no installer.
const installer = `${root}scripts/install.mjs`
if (existsSync(installer)) {
  const { status } = spawnSync(process.execPath, [installer, 'server'], { stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(1)
}

/** As in the script `start` of package.json. */
const FOR_SERVER = ['--max-semi-space-size=8', '--no-parallel-scavenge', '--heap-growing-percent=30']
const ENVIRONMENT_FOR_SERVER = { MALLOC_MMAP_THRESHOLD_: '1048576', MALLOC_TRIM_THRESHOLD_: '8388608' }

/** Long work with much garbage: collecting it early keeps memory small. */
const FOR_IMPORT = ['--max-semi-space-size=16', '--heap-growing-percent=50']

const isServer = words[0] === 'start'
const installed = `${root}node_modules/.bin/node`
const node = existsSync(installed) ? installed : process.execPath
const flags = ['--disable-warning=ExperimentalWarning', ...(isServer ? FOR_SERVER : words[0] === 'import' ? FOR_IMPORT : [])]
const child = spawn(node, [...flags, `${root}src/lacewing.mjs`, ...words], {
  stdio: 'inherit',
  env: { ...process.env, ...(isServer || words[0] === 'import' ? ENVIRONMENT_FOR_SERVER : {}) },
})
// A terminal sends SIGINT to both processes; other signals reach only this one.
process.on('SIGINT', () => {})
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code ?? 1)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})
