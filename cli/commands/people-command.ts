import type { Command, CommandOptions } from 'commander'

/** A command for people: all of them can name a server. */
export function addPeopleCommand(
  program: Command,
  name: string,
  description: string,
  more: CommandOptions = {},
): Command {
  return program
    .command(name, more)
    .description(description)
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 refused, 2 wrong command line, 3 not signed in, 4 not found, 5 server unreachable,\n' +
        '6 changed meanwhile, 7 not on this server, 130 interrupted. See docs/command-line.md.',
    )
    .option('-s, --server <server>', 'The name or the address of the server, instead of the default one.')
}
