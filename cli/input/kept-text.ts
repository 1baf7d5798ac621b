import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../context.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { EXIT } from '../failures/exit-codes.ts'
import { failureFor } from '../failures/rest-failures.ts'

/** What somebody typed, in a file until the server has it. */
export class KeptText {
  readonly file: string
  private text: string
  private fault: Error | undefined

  constructor({ environment }: Context, purpose: string, text: string) {
    const day = new Date().toISOString().slice(0, 10)
    this.file = join(environment.textFolder, `${purpose}-${day}-${randomBytes(4).toString('hex')}.md`)
    this.text = text
    this.write(text)
  }

  /** A full disk does not keep the text from being sent. */
  write(text: string) {
    this.text = text
    try {
      mkdirSync(join(this.file, '..'), { recursive: true, mode: 0o700 })
      writeFileSync(this.file, text, { mode: 0o600, flush: true })
      this.fault = undefined
    } catch (fault) {
      this.fault = fault as Error
      this.removePart()
    }
  }

  /** Of a full disk. */
  private removePart() {
    try {
      rmSync(this.file, { force: true })
    } catch {
      // There is no file.
    }
  }

  /** Whether the file has the text. */
  get isWritten() {
    return this.fault === undefined
  }

  /** The file, or the text itself if there is no file. */
  get whereItIs(): string {
    if (this.fault === undefined) return `Your text is in ${this.file}`
    return `Your text could not be saved (${this.fault.message}). Here it is:\n${this.text}`
  }

  remove() {
    if (this.isWritten) rmSync(this.file, { force: true })
  }
}

/** Sends what was typed. If that fails, or is interrupted, the failure says where the text is. */
export async function sendKept<Result>(kept: KeptText, server: string, send: () => Promise<Result>): Promise<Result> {
  const onInterrupt = () => {
    process.stderr.write(`\nInterrupted. The server may have received it. ${kept.whereItIs}\n`)
    process.exit(EXIT.interrupted)
  }
  process.once('SIGINT', onInterrupt)
  try {
    const result = await send()
    kept.remove()
    return result
  } catch (fault) {
    const { message, exitCode, reason } = failureFor(fault, server)
    throw new CommandFailure(`${message}\n${kept.whereItIs}`, exitCode, reason)
  } finally {
    process.off('SIGINT', onInterrupt)
  }
}
