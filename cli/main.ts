// The entry point of the package `lacewing-client`: the commands for people, without the server.
import { Argument, Command, CommanderError } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { addCommonOptions, runnable } from './commands/common-options.ts'
import { completionFor } from './commands/completion.ts'
import { addPeopleCommands } from './commands/people-commands.ts'
import { SHELLS, type Shell } from './commands/shells.ts'
import { EXIT } from './failures/exit-codes.ts'
import { jsonText } from './text/clean-text.ts'

const program = new Command('lacewing')
  .description('Use an issue tracker that speaks the REST API of Bugzilla 5.')
  .version(manifest.version, '-V, --version', 'Print the release.')
  // `edit --version 2.0` is about the bug.
  .enablePositionalOptions()
  .helpOption('-h, --help', 'Print this help.')
  .helpCommand('help [command]', 'Print the help of a command.')
  .addHelpText('after', '\nThe commands are explained in docs/command-line.md of this package.')
  .showHelpAfterError('Add --help to see what is possible.')
  .exitOverride()
addPeopleCommands(program)
program
  .command('completion')
  .description('Print a script with which a shell completes the commands and options.')
  .addArgument(new Argument('<shell>', 'The shell: bash, zsh or fish.').choices(SHELLS))
  .action((shell: Shell) => console.log(completionFor(shell, program)))
for (const command of runnable(program)) addCommonOptions(command)

process.umask(0o077)
const words = process.argv.slice(2)
try {
  await program.parseAsync(words, { from: 'user' })
} catch (fault) {
  if (!(fault instanceof CommanderError)) throw fault
  // Commander has printed its errors already, but not as JSON.
  if (fault.exitCode !== 0) {
    if (words.includes('--json'))
      console.log(jsonText({ error: fault.message.replace(/^error: /, ''), exit_code: EXIT.wrongCommandLine }))
    process.exitCode = EXIT.wrongCommandLine
  }
}
