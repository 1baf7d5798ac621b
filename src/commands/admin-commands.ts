import type { Command } from 'commander'
import type { MoveOptions } from './move-options.ts'
import { outputOf } from './output.ts'

export function addAdminCommands(program: Command) {
  program
    .command('move')
    .description('Copy the whole installation into an empty database, of the other engine or the same.')
    .option('--to <database>', 'An address such as postgres://user@host/name, or the path of a new SQLite file.')
    .option('--to-file <file>', 'A file with that address, which may then have a password.')
    .option('--ask-password', 'Ask for the password of the new database, or take it from standard input.')
    .option('--even-if-served', 'Move also if other programs are connected to a PostgreSQL database.')
    .addHelpText(
      'after',
      '\nThe server must not run meanwhile. The old database is only read. Attachments stay in LACEWING_DATA.\n' +
        'Other users of the machine see the command line, so --to must not have a password.',
    )
    .action(async (options: MoveOptions, own: Command) => {
      if ((options.to === undefined) === (options.toFile === undefined))
        own.error('error: give --to or --to-file', { exitCode: 2 })
      await (await import('./run-move.ts')).runMove(options, outputOf(own))
    })
  const admin = program
    .command('admin')
    .description('Change accounts without logging in, for an operator with access to the database.')
    .addHelpText('after', '\nThe server may run meanwhile. Changes are in the audit log, without a user.')
  admin
    .command('make-administrator')
    .description('Add an account to the group admin, and enable it.')
    .argument('<login>', 'The login name of the account.')
    .action(async (login: string, _options: object, own: Command) =>
      (await import('./run-admin.ts')).runMakeAdministrator(login, outputOf(own)),
    )
  admin
    .command('set-password')
    .description('Set the password of an account, and end its sessions.')
    .argument('<login>', 'The login name of the account.')
    .option('--generate', 'Generate a password and print it; without it, the first line of standard input is taken.')
    .option('--end-all', 'Also end API keys, webhooks and what else acts for the account, except second factors.')
    .action(async (login: string, options: { generate?: boolean; endAll?: boolean }, own: Command) =>
      (await import('./run-admin.ts')).runSetPassword(login, options, outputOf(own)),
    )
  admin
    .command('reset-factors')
    .description('Remove the second factors and recovery codes of an account that has lost them, and end its sessions.')
    .argument('<login>', 'The login name of the account.')
    .action(async (login: string, _options: object, own: Command) =>
      (await import('./run-admin.ts')).runResetFactors(login, outputOf(own)),
    )
  admin
    .command('end-sessions')
    .description('End the sessions of one account, or of all accounts. API keys stay.')
    .argument('[login]', 'The login name of the account.')
    .option('--all', 'End the sessions of all accounts.')
    .action(async (login: string | undefined, options: { all?: boolean }, own: Command) => {
      if ((login === undefined) !== (options.all === true))
        own.error('error: name an account, or give --all', { exitCode: 2 })
      await (await import('./run-admin.ts')).runEndSessions(login, outputOf(own))
    })
}
