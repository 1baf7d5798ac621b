import { RestError } from '../../client/index.ts'
import type { Context } from '../context.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { EXIT } from '../failures/exit-codes.ts'
import { isMissingCall } from '../failures/rest-failures.ts'
import type { Connection } from '../servers/connection.ts'

export async function runWhoami({ output, connect }: Context) {
  const connection = connect()
  const { server, client } = connection
  if (server.apiKey === undefined)
    throw new CommandFailure(`You are not signed in to ${server.url}: run lacewing login.`, EXIT.notSignedIn)
  try {
    const { id, name, real_name, nick, groups, scopes } = await client.get('/whoami')
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

/** Bugzilla 5 can only compare the owner of a key with a login name. */
async function whoamiOfBugzilla({ client, server }: Connection, output: Context['output']) {
  const { login } = server
  if (login === undefined)
    throw new CommandFailure(`${server.name} does not say whose key it is.`, EXIT.notOnThisServer)
  const answer: unknown = await client.get('/valid_login', { login })
  const isValid =
    answer === true || (typeof answer === 'object' && answer !== null && 'result' in answer && answer.result)
  if (!isValid) throw new CommandFailure(`The key is not one of ${login}.`, EXIT.notSignedIn)
  await output.print({ server: server.name, url: server.url, name: login }, [`${login} on ${server.url}`])
}
