import type { Command } from 'commander'
import type { Environment } from '../environment.ts'
import type { CommandFailure } from '../failures/command-failure.ts'
import { jsonText, linesOf } from './clean-text.ts'
import { type Line, rendered } from './styled-line.ts'

const [USUAL_WIDTH, LEAST_WIDTH] = [80, 20]

/** What a command prints: its result on standard output, all else on standard error. Every text is cleaned on its way. */
export class PeopleOutput {
  readonly isJson: boolean
  private readonly isQuiet: boolean
  /** Whether people read standard output, not a program. */
  readonly isTerminal = process.stdout.isTTY === true
  readonly width: number
  private readonly hasColours: boolean
  private hasPrinted = false

  constructor(command: Command, environment: Environment) {
    const { json, quiet } = command.opts<{ json?: boolean; quiet?: boolean }>()
    this.isJson = json === true
    this.isQuiet = quiet === true
    this.hasColours = environment.hasColours
    this.width = Math.max(LEAST_WIDTH, environment.columns ?? (process.stdout.columns || USUAL_WIDTH))
  }

  /** Prints what the user asked for: lines, or with --json one document. */
  async print(document: object, lines: readonly Line[]) {
    // A document that has begun is not followed by another one: it ends where it is, and the exit code says so.
    if (this.isJson && !this.hasPrinted) await this.write(`${jsonText(document)}\n`)
    else await this.lines(lines)
  }

  /** Prints that something was done, which --quiet leaves out. */
  async confirm(document: object, lines: readonly Line[]) {
    if (this.isJson || !this.isQuiet) await this.print(document, lines)
  }

  async lines(lines: readonly Line[]) {
    if (lines.length > 0)
      await this.write(lines.map((line) => `${rendered(line, this.isTerminal && this.hasColours)}\n`).join(''))
  }

  /** Waits while the reader of a pipe is slower. */
  async write(text: string | Uint8Array) {
    this.hasPrinted = true
    if (!process.stdout.write(text)) await new Promise<void>((resolve) => process.stdout.once('drain', resolve))
  }

  /** A line on standard error, which --quiet leaves out. */
  note(line: Line) {
    if (!this.isQuiet) this.complain(line)
  }

  /** A line on standard error. */
  complain(line: Line) {
    if (typeof line === 'string' && line.includes('\n')) {
      for (const one of linesOf(line)) this.complain(one)
      return
    }
    process.stderr.write(`${rendered(line, process.stderr.isTTY === true && this.hasColours)}\n`)
  }

  async fail({ message, reason, exitCode }: CommandFailure) {
    this.complain(message)
    // A document that has begun is not followed by another one: it ends where it is, and the exit code says so.
    if (this.isJson && !this.hasPrinted)
      await this.write(`${jsonText({ error: message, reason, exit_code: exitCode })}\n`)
  }
}
