import type { Command } from 'commander'
import { outputOf } from './output.ts'

export function addMailCommands(program: Command) {
  const mail = program.command('mail').description('Test outgoing mail, and send what waits.')
  mail
    .command('test')
    .description('Send one message through the mail server of LACEWING_SMTP_URL, and say what it answers.')
    .argument('<address>', 'The address that gets the message.')
    .addHelpText(
      'after',
      '\nThe server may run meanwhile. Exit codes: 0 the mail server has accepted it, 1 it has not.',
    )
    .action(async (address: string, _options: object, own: Command) =>
      (await import('./run-mail.ts')).runMailTest(address, outputOf(own)),
    )
  mail
    .command('retry')
    .description('Try all waiting messages now, and those that were given up again.')
    .addHelpText('after', '\nA running server sends them within some seconds, otherwise the next one that starts.')
    .action(async (_options: object, own: Command) => (await import('./run-mail.ts')).runMailRetry(outputOf(own)))
}
