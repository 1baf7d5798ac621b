import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lacewingInThisProcess, startAtTerminal } from './lacewing-command.ts'

const LONGEST_MILLISECONDS = 60_000

/** A user of the command line, with a home folder of its own. */
export class CommandUser {
  readonly home = mkdtempSync(join(process.env.LACEWING_TEST_FOLDER ?? tmpdir(), 'home-'))
  /** Of every command. */
  readonly environment: Record<string, string> = {
    HOME: this.home,
    XDG_CONFIG_HOME: join(this.home, 'config'),
    XDG_STATE_HOME: join(this.home, 'state'),
  }
  readonly serversFile = join(this.home, 'config/lacewing/servers.json')
  readonly textFolder = join(this.home, 'state/lacewing')

  /** A program, which has the address and the key in its environment. */
  static withKey(server: string, apiKey: string): CommandUser {
    const user = new CommandUser()
    Object.assign(user.environment, { LACEWING_SERVER: server, LACEWING_API_KEY: apiKey })
    return user
  }

  /** Runs a command with pipes. */
  run(words: readonly string[], input = '') {
    return lacewingInThisProcess(words, {}, input, this.environment)
  }

  /** Runs a command at a terminal, and types each answer when its question is shown. */
  async runAtTerminal(script: string, words: readonly string[], answers: readonly (readonly [string, string])[] = []) {
    const child = startAtTerminal(script, { dataFolder: this.home, databaseUrl: '' }, words, this.environment)
    const left = [...answers]
    let [printed, seen] = ['', 0]
    child.stdout?.on('data', (chunk) => {
      printed += chunk
      const [question = '', answer = ''] = left[0] ?? []
      if (left.length === 0 || !printed.slice(seen).includes(question)) return
      left.shift()
      seen = printed.length
      child.stdin?.write(answer)
    })
    // A question that nobody expects would wait for ever.
    const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_MILLISECONDS)
    const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
    clearTimeout(timer)
    child.stdin?.destroy()
    return { status, printed: printed.replaceAll('\r\n', '\n') }
  }
}
