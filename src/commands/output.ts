import type { Command } from 'commander'
import type { OutputOptions } from '../platform/output-options.ts'
import { NO_PROGRESS, type Progress, ProgressReporter } from '../platform/progress.ts'

/** What a command prints: its result on standard output, all else on standard error. */
export class CommandOutput {
  readonly isJson: boolean
  private readonly isQuiet: boolean
  readonly progress: Progress

  constructor({ json, quiet }: OutputOptions) {
    this.isJson = json === true
    this.isQuiet = quiet === true
    this.progress = this.isQuiet ? NO_PROGRESS : new ProgressReporter()
  }

  /** Prints what the user asked for. A command calls this or `confirm` once, because --json prints one document. */
  print(result: object, text: string) {
    console.log(this.isJson ? JSON.stringify(result, null, 1) : text)
  }

  /** Prints that the command was carried out, which --quiet leaves out. */
  confirm(result: object, text: string) {
    if (this.isJson || !this.isQuiet) this.print(result, text)
  }

  /** Prints why the command was not carried out, on standard error; with --json also as the document. */
  fail(message: string, reason?: string) {
    console.error(message)
    this.failAsJson(message, reason)
  }

  /** The same, for a message that is on standard error already. */
  failAsJson(message: string, reason?: string) {
    if (this.isJson) console.log(JSON.stringify({ error: message, reason }, null, 1))
  }

  /** A line on standard error, which --quiet leaves out. */
  note(line: string) {
    if (!this.isQuiet) console.error(line)
  }
}

/** The output of a command, by its options. */
export function outputOf(command: Command): CommandOutput {
  return new CommandOutput(command.opts())
}
