import type { Command } from 'commander'
import type { OutputOptions } from '../platform/output-options.ts'

export function addServerCommands(program: Command) {
  program
    .command('start')
    .description('Run the server, as npm start does.')
    .addHelpText(
      'after',
      '\nWith --json, one document with the address when the server listens; credentials are then saved in a file.',
    )
    .action(async (options: OutputOptions) => (await import('../run.ts')).run([], options))
  program
    .command('receive-mail')
    .description('Take one mail message from standard input, for mail servers that pass messages to a program.')
    .addHelpText(
      'after',
      '\nExit codes: 0 accepted, 65 refused, 75 try again later, also if a setting is wrong (as in sysexits.h).',
    )
    .action(async (options: OutputOptions) => (await import('../run.ts')).run(['receive-mail'], options))
}
