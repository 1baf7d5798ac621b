import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Context } from '../context.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { EXIT } from '../failures/exit-codes.ts'
import { failureFor } from '../failures/rest-failures.ts'

type Content = string | Uint8Array

interface Keeping {
  /** A part of the name of the file. */
  readonly purpose: string
  /** A command that sends the file; `FILE` stands for it. */
  readonly again?: string
}

/** What somebody typed or piped in, in a file until the server has it. */
export class KeptText {
  readonly file: string
  private readonly again: string | undefined
  private content: Content
  private fault: Error | undefined
  private isNew = true
  private isRemoved = false

  constructor({ environment }: Context, { purpose, again }: Keeping, content: Content) {
    const day = new Date().toISOString().slice(0, 10)
    const ending = typeof content === 'string' ? '.md' : ''
    const name = `${purpose.replaceAll(/[^\w-]/g, '_').slice(0, 60)}-${day}-${randomBytes(4).toString('hex')}${ending}`
    this.file = join(environment.textFolder, name)
    this.again = again
    this.content = content
    this.write(content)
  }

  /** A full disk does not keep the text from being sent. */
  write(content: Content) {
    this.content = content
    try {
      mkdirSync(join(this.file, '..'), { recursive: true, mode: 0o700 })
      // No other file is written to, also if somebody has guessed the name.
      writeFileSync(this.file, content, { mode: 0o600, flush: true, flag: this.isNew ? 'wx' : 'w' })
      this.isNew = false
      this.fault = undefined
    } catch (fault) {
      this.fault = fault as Error
      if ((fault as NodeJS.ErrnoException).code !== 'EEXIST') this.removeFile()
    }
  }

  /** Also a part of one, on a full disk. */
  private removeFile() {
    try {
      rmSync(this.file, { force: true })
    } catch {
      // There is no file.
    }
    this.isNew = true
  }

  /** Whether the file has the text. */
  get isWritten() {
    return this.fault === undefined
  }

  /** The file, or the text itself if there is no file. Nothing if the server has the text. */
  get whereItIs(): string {
    if (this.isRemoved) return ''
    if (this.fault === undefined)
      return `Your text is in ${this.file}${this.again === undefined ? '' : `\nGo on with: ${this.again.replace('FILE', shellWord(this.file))}`}`
    const where = `Your text could not be saved (${this.fault.message}).`
    return typeof this.content === 'string' ? `${where} Here it is:\n${this.content}` : where
  }

  remove() {
    if (this.isWritten) this.removeFile()
    this.isRemoved = true
  }
}

/** Sends what was typed. If that fails, or is interrupted, the failure says where the text is. */
export async function sendKept<Result>(
  kept: KeptText | undefined,
  server: string,
  send: () => Promise<Result>,
): Promise<Result> {
  const result = await whileKept(kept, server, send)
  kept?.remove()
  return result
}

/** The same, without an end of the text: it is up to the caller. */
export async function whileKept<Result>(
  kept: KeptText | undefined,
  server: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (kept === undefined) return work()
  const onInterrupt = () => {
    process.stderr.write(`\nInterrupted. The server may have received it. ${kept.whereItIs}\n`)
    process.exit(EXIT.interrupted)
  }
  process.once('SIGINT', onInterrupt)
  try {
    return await work()
  } catch (fault) {
    const { message, exitCode, reason } = failureFor(fault, server)
    throw new CommandFailure([message, kept.whereItIs].filter(Boolean).join('\n'), exitCode, reason)
  } finally {
    process.off('SIGINT', onInterrupt)
  }
}

/** The file of a text that was kept before and is sent now. Files of the user stay. */
export function removeIfKept(file: string | undefined, { environment }: Context) {
  if (file !== undefined && dirname(resolve(file)) === environment.textFolder) rmSync(file, { force: true })
}

/** A word for a shell, to be copied. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
