import { spawn, spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** apt-get refuses to run twice at a time. With this lock the calls of several processes and test runs wait for each other. */
const LOCK = join(tmpdir(), `lacewing-apt-get-${process.getuid?.()}.lock`)
/** flock becomes apt-get, so that it is apt-get that ends when the time is over. */
const WITH_LOCK = ['--no-fork', LOCK, 'apt-get']
const LONGEST_MILLISECONDS = 180_000

/** Whether apt-get succeeded. */
export function aptGet(words: readonly string[], folder = '/'): boolean {
  return spawnSync('flock', [...WITH_LOCK, ...words], { ...OPTIONS, cwd: folder }).status === 0
}

interface BackgroundOptions {
  cwd?: string
  /** In milliseconds. */
  timeout?: number
}

/** As `aptGet`, but this process goes on meanwhile. */
export function aptGetInBackground(words: readonly string[], options: BackgroundOptions = {}): Promise<boolean> {
  const child = spawn('flock', [...WITH_LOCK, ...words], { ...OPTIONS, ...options })
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}

const OPTIONS = { stdio: 'ignore', timeout: LONGEST_MILLISECONDS } as const
