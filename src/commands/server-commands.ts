import type { Command } from 'commander'

export function addServerCommands(program: Command) {
  program
    .command('start')
    .description('Run the server, as npm start does.')
    .action(async () => (await import('../run.ts')).run([]))
  program
    .command('receive-mail')
    .description('Take one mail message from standard input, for mail servers that pass messages to a program.')
    .addHelpText(
      'after',
      '\nExit codes: 0 accepted, 65 refused, 75 try again later, also if a setting is wrong (as in sysexits.h).',
    )
    .action(async () => (await import('../run.ts')).run(['receive-mail']))
}
