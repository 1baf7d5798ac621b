import type { Command } from 'commander'
import { type Environment, readEnvironment } from './environment.ts'
import { CommandFailure } from './failures/command-failure.ts'
import { EXIT } from './failures/exit-codes.ts'
import { failureFor } from './failures/rest-failures.ts'
import { chooseServer } from './servers/choose-server.ts'
import { Connection } from './servers/connection.ts'
import { PeopleOutput } from './text/output.ts'

/** What every command for people gets. */
export interface Context {
  readonly environment: Environment
  readonly output: PeopleOutput
  /** The chosen server. Throws if there is none. */
  connect(): Connection
}

/** Runs a command, prints why it is not carried out, and sets the exit code. */
export async function runForPeople(command: Command, work: (context: Context) => Promise<void>) {
  const environment = readEnvironment()
  const output = new PeopleOutput(command, environment)
  let connection: Connection | undefined
  const connect = () => {
    connection ??= new Connection(chooseServer(environment, command.opts<{ server?: string }>().server))
    return connection
  }
  endQuietlyWithoutReader()
  try {
    await work({ environment, output, connect })
  } catch (fault) {
    const failure = failureFor(fault, connection?.name ?? 'The server')
    await output.fail(failure)
    process.exitCode = failure.exitCode
  }
}

/** Such as `lacewing list | head`: the reader has gone, and that is no fault. */
function endQuietlyWithoutReader() {
  if (process.stdout.listenerCount('error') > 0) return
  process.stdout.on('error', (fault: NodeJS.ErrnoException) => {
    if (fault.code === 'EPIPE') process.exit(EXIT.done)
    process.stderr.write(`Standard output cannot be written: ${fault.message}\n`)
    process.exit(EXIT.refused)
  })
}

/** For an argument or a combination of options that makes no sense. */
export function wrongCommandLine(message: string) {
  return new CommandFailure(message, EXIT.wrongCommandLine)
}
