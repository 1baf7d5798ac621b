import { type ChildProcess, spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** `npm run dev`: a server that starts again after each change of a source. It ends with this process. */
const root = fileURLToPath(new URL('..', import.meta.url))
/** An editor writes several files at once. */
const PAUSE_MILLISECONDS = 100

let server: ChildProcess | undefined
let isEnding = false
let isChanged = false

function start() {
  isChanged = false
  const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', `${root}src/main.mjs`], {
    stdio: 'inherit',
  })
  server = started
  started.once('exit', (code) => {
    server = undefined
    if (isEnding) process.exit(code ?? 0)
    if (isChanged) start()
    else console.error(`The server ended (${code}). It starts again after the next change.`)
  })
}

let soon: NodeJS.Timeout | undefined
function restart() {
  isChanged = true
  if (server === undefined) start()
  else server.kill('SIGTERM')
}

for (const folder of ['src', 'web', 'shared'])
  watch(root + folder, { recursive: true }, () => {
    clearTimeout(soon)
    soon = setTimeout(restart, PAUSE_MILLISECONDS)
  })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    isEnding = true
    clearTimeout(soon)
    if (server === undefined) process.exit(0)
    // A terminal has sent SIGINT to the server too, which takes a second one for the same.
    server.kill('SIGTERM')
  })
start()
