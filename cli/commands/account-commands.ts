import type { Command } from 'commander'
import type { LoginOptions } from '../account/run-login.ts'
import type { ServersOptions } from '../account/run-servers.ts'
import { runForPeople } from '../context.ts'
import { addPeopleCommand } from './people-command.ts'

export function addAccountCommands(program: Command) {
  program
    .command('login')
    .description('Sign in to a server: make an API key and save it in a file that only you can read.')
    .argument('[address]', 'The address of the server, such as https://bugs.example.org.')
    .option('--name <name>', 'What you call the server; by default its host name.')
    .option('--login <login>', 'Your login name.')
    .option('--key', 'Ask for an API key instead of the password.')
    .option('--key-stdin', 'Take an API key from standard input.')
    .option('--read-only', 'Make a key that can only read.')
    .option('--admin', 'Make a key that can administrate too.')
    .option('--allow-http', 'Send passwords and keys unencrypted to another machine.')
    .action(async (address: string | undefined, options: LoginOptions, own: Command) => {
      const { runLogin } = await import('../account/run-login.ts')
      await runForPeople(own, (context) => runLogin(address, options, context))
    })
  program
    .command('logout')
    .description('Forget a server and its key. A key that login has made is revoked.')
    .argument('[name]', 'The name of the server; by default the default one.')
    .action(async (name: string | undefined, _options: object, own: Command) => {
      const { runLogout } = await import('../account/run-servers.ts')
      await runForPeople(own, (context) => runLogout(name, context))
    })
  program
    .command('servers')
    .description('List the servers that you are signed in to.')
    .option('--default <name>', 'Make this server the one that commands use if none is named.')
    .action(async (options: ServersOptions, own: Command) => {
      const { runServers } = await import('../account/run-servers.ts')
      await runForPeople(own, (context) => runServers(options, context))
    })
  addPeopleCommand(program, 'whoami', 'Print who you are on the server, and what your key may be used for.').action(
    async (_options: object, own: Command) => {
      const { runWhoami } = await import('../account/run-whoami.ts')
      await runForPeople(own, runWhoami)
    },
  )
}
