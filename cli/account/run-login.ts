import { type Context, wrongCommandLine } from '../context.ts'
import type { Environment } from '../environment.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { EXIT } from '../failures/exit-codes.ts'
import { failureFor } from '../failures/rest-failures.ts'
import { ask, readStandardInput } from '../input/ask.ts'
import { requireKey } from '../servers/choose-server.ts'
import { clientFor } from '../servers/connection.ts'
import { isOpenToOthers, serverAddress, usualName } from '../servers/server-address.ts'
import { asksLikeLacewing, findServerKind } from '../servers/server-kind.ts'
import { changeServers, readServers, type SavedServer, serversFile } from '../servers/servers-file.ts'
import { keyOwner } from './key-owner.ts'
import { type KeyOptions, newKey } from './new-key.ts'
import { isKeyRevoked } from './revoke-key.ts'

export interface LoginOptions extends KeyOptions {
  readonly name?: string
  readonly key?: boolean
  readonly keyStdin?: boolean
  readonly allowHttp?: boolean
}

type FoundServer = Pick<SavedServer, 'url' | 'kind'>
type Credentials = Pick<SavedServer, 'apiKey' | 'keyId' | 'login'>

export async function runLogin(address: string | undefined, options: LoginOptions, { environment, output }: Context) {
  const url = serverAddress(address ?? (await ask('Address of the server: ')))
  if (isOpenToOthers(url) && !options.allowHttp)
    throw wrongCommandLine(
      `Passwords and keys would be sent to ${url} unencrypted. Use https, or add --allow-http if you trust the network.`,
    )
  const name = freeName(options.name ?? usualName(url), url, environment)
  const saved: SavedServer = { name, ...(await signIn(url, options, output)) }
  const { usual, replaced } = await save(saved, environment)
  if (replaced?.keyId !== undefined) await isKeyRevoked(replaced)
  const who = saved.login ?? 'the owner of the key'
  const document = { server: name, url, login: saved.login ?? null, is_lacewing: saved.kind.isLacewing }
  await output.confirm(document, [
    `Signed in to ${url} as ${who}. The key is in ${serversFile(environment)}, which only you can read.`,
  ])
  if (usual !== name)
    output.note(`${usual} stays the default. Use --server ${name}, or: lacewing servers --default ${name}`)
}

/** Checked before a key is made. A name that is taken would hide the key of another server. */
function freeName(name: string, url: string, environment: Environment): string {
  if (!/^[\w.:/-]{1,100}$/.test(name)) throw wrongCommandLine('--name takes letters, digits and . : / - _')
  const other = readServers(environment).servers.find((it) => it.name === name && it.url !== url)
  if (other === undefined) return name
  throw wrongCommandLine(`${name} is ${other.url}. Choose another --name, or first: lacewing logout ${name}`)
}

async function signIn(url: string, options: LoginOptions, output: Context['output']) {
  try {
    const server = await findServer(url)
    const isToBeGiven = options.keyStdin === true || options.key === true
    if (!server.kind.isLacewing && !isToBeGiven)
      output.note(
        `${url} is not a Lacewing, and makes no keys by its REST API. Make one on its pages (Preferences, API Keys), and give it here.`,
      )
    if (server.kind.keyIn === 'parameter')
      output.note(`${url} reads keys only from addresses and bodies: the log of its web server may have the key.`)
    const isGiven = isToBeGiven || !server.kind.isLacewing
    return { ...server, ...(isGiven ? await givenKey(server, options) : await newKey(server, options)) }
  } catch (fault) {
    // Who is at it need not be told to log in.
    throw failureFor(fault, url, { isLoggingIn: true })
  }
}

async function findServer(url: string): Promise<FoundServer> {
  const kind = await findServerKind((rest) => clientFor({ url, rest }))
  if (kind === undefined) throw new CommandFailure(`There is no REST API at ${url}.`, EXIT.unreachable)
  const isLacewing = kind.isLacewing ?? (await asksLikeLacewing(clientFor({ url, ...kind })))
  return { url, kind: { ...kind, isLacewing } }
}

async function givenKey({ url, kind }: FoundServer, options: LoginOptions): Promise<Credentials> {
  const apiKey = (options.keyStdin ? await readStandardInput() : await ask('API key: ', { isHidden: true })).trim()
  requireKey(apiKey, 'That is not an API key.')
  const login = await keyOwner(clientFor({ url, ...kind, apiKey }), options.login)
  return { apiKey, keyId: undefined, login }
}

/** A key that cannot be saved is revoked, because nobody has it. */
async function save(saved: SavedServer, environment: Environment) {
  let replaced: SavedServer | undefined
  try {
    const { usual } = changeServers(environment, ({ usual, servers }) => {
      replaced = servers.find((it) => it.name === saved.name)
      return {
        usual: usual !== undefined && servers.some((it) => it.name === usual) ? usual : saved.name,
        servers: [...servers.filter((it) => it.name !== saved.name), saved],
      }
    })
    return { usual, replaced }
  } catch (fault) {
    if (saved.keyId !== undefined) await isKeyRevoked(saved)
    throw fault
  }
}
