import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../src/main.mjs', import.meta.url))
const MOST_KEPT = 4000

/** A server in its own process, as `npm start` runs it. */
export class Server {
  /** Resolves with the exit code of the process. */
  readonly ended: Promise<number>
  private readonly process: ChildProcess
  private said = ''

  constructor(environment: Record<string, string>) {
    this.process = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.ended = new Promise((resolve) => this.process.once('exit', (code) => resolve(code ?? 1)))
    this.process.stderr?.on('data', (text) => {
      this.said = (this.said + text).slice(-MOST_KEPT)
    })
  }

  /** Returns the address that it listens on. Throws with its output if it ended before. */
  async listening(): Promise<string> {
    const address = new Promise<string>((resolve) => {
      let output = ''
      this.process.stdout?.on('data', (text) => {
        output += text
        const found = /^Lacewing listens on (\S+)/m.exec(output)
        if (found?.[1]) resolve(found[1])
      })
    })
    return Promise.race([
      address,
      this.ended.then(() => {
        throw new Ended(this.said.trim() || 'The server ended before it began to listen.')
      }),
    ])
  }

  /** Shows its log from now on. */
  showLog() {
    this.process.stderr?.removeAllListeners('data')
    this.process.stderr?.pipe(process.stderr, { end: false })
  }

  end() {
    this.process.kill('SIGTERM')
  }
}

export class Ended extends Error {}
