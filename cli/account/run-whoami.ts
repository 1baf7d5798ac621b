import { RestError } from '../../client/index.ts'
import type { Context } from '../context.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { EXIT } from '../failures/exit-codes.ts'
import { isMissingCall } from '../failures/rest-failures.ts'
import { StrangeAnswer } from '../failures/strange-answer.ts'
import type { Connection } from '../servers/connection.ts'
import { requireOwner } from './key-owner.ts'

export async function runWhoami({ output, connect }: Context) {
  const connection = connect()
  const { server, client } = connection
  if (server.apiKey === undefined)
    throw new CommandFailure(`You are not signed in to ${server.url}: run lacewing login.`, EXIT.notSignedIn)
  try {
    const { id, name, real_name, nick, groups, scopes } = await client.get('/whoami')
    if (typeof name !== 'string') throw new StrangeAnswer('it does not say who you are')
    const document = { server: server.name, url: server.url, id, name, real_name, nick, scopes, groups }
    const names = (groups ?? []).map((group) => group.name).join(', ')
    await output.print(document, [
      `${name}${real_name ? ` (${real_name})` : ''} on ${server.url}`,
      ...(Array.isArray(scopes) ? [`The key is for: ${scopes.join(', ')}`] : []),
      ...(names === '' ? [] : [`Groups: ${names}`]),
    ])
  } catch (fault) {
    if (!(fault instanceof RestError) || !isMissingCall(fault)) throw fault
    await whoamiOfBugzilla(connection, output)
  }
}

async function whoamiOfBugzilla({ client, server }: Connection, output: Context['output']) {
  const { login } = server
  if (login === undefined)
    throw new CommandFailure(`${server.name} does not say whose key it is.`, EXIT.notOnThisServer)
  await requireOwner(client, login)
  await output.print({ server: server.name, url: server.url, name: login }, [`${login} on ${server.url}`])
}
