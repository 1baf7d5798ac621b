import type { Command } from 'commander'
import { type Environment, readEnvironment } from './environment.ts'
import { CommandFailure } from './failures/command-failure.ts'
import { EXIT } from './failures/exit-codes.ts'
import { failureFor } from './failures/rest-failures.ts'
import { chooseServer } from './servers/choose-server.ts'
import { Connection } from './servers/connection.ts'
import { isOpenToOthers } from './servers/server-address.ts'
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
    if (connection !== undefined) return connection
    const server = chooseServer(environment, command.opts<{ server?: string }>().server)
    // Who has logged in was asked about it.
    if (server.apiKey !== undefined && server.apiKey === environment.apiKey && isOpenToOthers(server.url))
      output.note(`The key is sent to ${server.url} unencrypted.`)
    connection = new Connection(server)
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
