import { EXIT, type ExitCode } from './exit-codes.ts'

/** Why a command is not carried out: a sentence for people, and the exit code. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode
  readonly reason: string | undefined

  constructor(message: string, exitCode: ExitCode = EXIT.refused, reason?: string) {
    super(message)
    this.exitCode = exitCode
    this.reason = reason
  }
}
