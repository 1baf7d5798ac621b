import type { Context } from '../context.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { EXIT } from '../failures/exit-codes.ts'
import { changeServers, readServers } from '../servers/servers-file.ts'
import { rowOf, tableLines } from '../text/table.ts'
import { isKeyRevoked } from './revoke-key.ts'

export interface ServersOptions {
  readonly default?: string
}

export async function runServers(options: ServersOptions, { environment, output }: Context) {
  const usual = options.default
  if (usual !== undefined) {
    requireServer(readServers(environment).servers, usual)
    changeServers(environment, (it) => ({ ...it, usual }))
  }
  const { usual: current, servers } = readServers(environment)
  const columns = ['name', 'address', 'login', 'kind']
  const rows = servers.map(({ name, url, login, kind: { isLacewing } }) => [
    `${name}${name === current ? ' *' : ''}`,
    url,
    login ?? '',
    isLacewing ? 'Lacewing' : 'Bugzilla',
  ])
  const documents = servers.map(({ name, url, login, kind: { isLacewing } }) => ({
    name,
    url,
    login: login ?? null,
    is_lacewing: isLacewing,
    is_default: name === current,
  }))
  if (rows.length === 0) output.note('No server is known. Sign in with: lacewing login')
  const table = () =>
    tableLines(
      columns,
      rows.map((row) => row.map((text) => ({ text }))),
      output.width,
    )
  const lines = output.isTerminal && rows.length > 0 ? table() : rows.map(rowOf)
  await output.print({ servers: documents }, lines)
}

function requireServer(servers: readonly { name: string }[], name: string) {
  const server = servers.find((it) => it.name === name)
  if (server !== undefined) return
  const known = servers.map((it) => it.name).join(', ') || 'none'
  throw new CommandFailure(`No server is called ${name}. These are known: ${known}.`, EXIT.notFound)
}

/** Forgets a server. A key that `login` made is revoked first; others belong to the user, who may use them elsewhere. */
export async function runLogout(name: string | undefined, { environment, output }: Context) {
  const { usual, servers } = readServers(environment)
  const chosen = name ?? usual
  requireServer(servers, chosen ?? '')
  const server = servers.find((it) => it.name === chosen)
  if (server === undefined) return
  const isRevoked = server.keyId !== undefined && (await isKeyRevoked(server))
  changeServers(environment, (it) => {
    const left = it.servers.filter((other) => other.name !== server.name)
    return { usual: it.usual === server.name ? left[0]?.name : it.usual, servers: left }
  })
  const about = isRevoked
    ? 'Its key is revoked.'
    : 'Its key is still valid: revoke it on the pages of the server if nothing else uses it.'
  await output.confirm({ server: server.name, is_revoked: isRevoked }, [`Signed out of ${server.url}. ${about}`])
}
