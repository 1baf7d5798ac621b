import type { Command } from 'commander'

/** Gives every command the options that all have. */
export function addCommonOptions(command: Command) {
  const has = (name: string) => command.options.some(({ long }) => long === name)
  if (!has('--json')) command.option('--json', 'Print the result as one JSON document on standard output.')
  if (!has('--quiet')) command.option('--quiet', 'Print only errors, and what was asked for.')
}

/** The commands that do something themselves: those without others below them, and those with arguments. */
export function runnable(command: Command): Command[] {
  const below = command.commands.flatMap(runnable)
  return command.commands.length === 0 || command.registeredArguments.length > 0 ? [command, ...below] : below
}
