import { Command, CommanderError } from 'commander'
import { addCommonOptions, runnable } from '../../cli/commands/common-options.ts'
import { addPeopleCommands } from '../../cli/commands/people-commands.ts'
import { release } from '../platform/config/release.ts'
import { COMMANDS } from './commands.ts'
import { DONE, NOT_DONE, WRONG_COMMAND_LINE } from './exit-codes.ts'
import { CommandOutput } from './output.ts'

/** Runs one command and sets the exit code of the process. */
export async function runCommand(words: readonly string[]) {
  // No other user of the machine may read what a command writes.
  process.umask(0o077)
  try {
    await buildProgram().parseAsync(words, { from: 'user' })
  } catch (fault) {
    // The options of a wrong command line are not parsed.
    process.exitCode = await exitCodeFor(fault as Error, new CommandOutput({ json: words.includes('--json') }))
  }
}

/** All commands, without their implementations: each is loaded when it runs. */
export function buildProgram(): Command {
  const program = new Command('lacewing')
    .description('An issue tracker with the REST API of Bugzilla 5.')
    .version(release, '-V, --version', 'Print the release.')
    // `edit --version 2.0` is about the bug.
    .enablePositionalOptions()
    .helpOption('-h, --help', 'Print this help.')
    .helpCommand('help [command]', 'Print the help of a command.')
    .configureHelp({ showGlobalOptions: false })
    .showHelpAfterError('Add --help to see what is possible.')
    .addHelpText(
      'after',
      '\nCommands for operators are explained in docs/operating.md, those for people in docs/command-line.md.\n' +
        'Exit codes: 0 done, 1 not done, 2 wrong command line; those for people have more.',
    )
    .exitOverride()
  program.commandsGroup('For operators, on the machine of the server:')
  for (const add of COMMANDS) add(program)
  addPeopleCommands(program)
  for (const command of runnable(program)) addCommonOptions(command)
  return program
}

/** Commander has printed its own errors already, but not as JSON. */
async function exitCodeFor(fault: Error, output: CommandOutput): Promise<number> {
  if (fault instanceof CommanderError) {
    if (fault.exitCode === 0) return DONE
    const isHelp = fault.code.startsWith('commander.help')
    output.failAsJson(isHelp ? 'name a command' : fault.message.replace(/^error: /, ''))
    return WRONG_COMMAND_LINE
  }
  const { messageFor, reasonOf } = await import('../fault-sentences.ts')
  output.fail(messageFor(fault, await databaseUrl()), reasonOf(fault))
  return NOT_DONE
}

/** For messages. If a setting is wrong, the message is about that one. */
async function databaseUrl() {
  const { readConfig } = await import('../platform/config/config.ts')
  try {
    return readConfig().databaseUrl
  } catch {
    return ''
  }
}
