import { hostname } from 'node:os'
import { RestError } from '../../client/index.ts'
import { type Context, wrongCommandLine } from '../context.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { EXIT } from '../failures/exit-codes.ts'
import { ask, canAsk, readStandardInput } from '../input/ask.ts'
import { asksLikeLacewing, clientFor } from '../servers/connection.ts'
import { isOpenToOthers, serverAddress, usualName } from '../servers/server-address.ts'
import { changeServers, type SavedServer, serversFile } from '../servers/servers-file.ts'

export interface LoginOptions {
  readonly name?: string
  readonly login?: string
  readonly key?: boolean
  readonly keyStdin?: boolean
  readonly readOnly?: boolean
  readonly allowHttp?: boolean
}

type FoundServer = Pick<SavedServer, 'url' | 'rest' | 'isLacewing'>
type Credentials = Pick<SavedServer, 'apiKey' | 'keyId' | 'login'>

export async function runLogin(address: string | undefined, options: LoginOptions, { environment, output }: Context) {
  const url = serverAddress(address ?? (await ask('Address of the server: ')))
  if (isOpenToOthers(url) && !options.allowHttp)
    throw wrongCommandLine(
      `Passwords and keys would be sent to ${url} unencrypted. Use https, or add --allow-http if you trust the network.`,
    )
  const server = await findServer(url)
  const isGiven = options.keyStdin === true || options.key === true || !server.isLacewing
  if (!server.isLacewing && !options.keyStdin && !options.key)
    output.note(
      `${url} is not a Lacewing, and makes no keys by its REST API. Make one on its pages (Preferences, API Keys), and give it here.`,
    )
  const credentials = isGiven ? await givenKey(server, options) : await newKey(server, options)
  const name = options.name ?? usualName(url)
  if (!/^[\w.:/-]{1,100}$/.test(name)) throw wrongCommandLine('--name takes letters, digits and . : / - _')
  const saved: SavedServer = { name, ...server, ...credentials }
  changeServers(environment, ({ usual, servers }) => ({
    usual: usual !== undefined && servers.some((it) => it.name === usual) ? usual : name,
    servers: [...servers.filter((it) => it.name !== name), saved],
  }))
  const who = credentials.login ?? 'the owner of the key'
  await output.confirm({ server: name, url, login: credentials.login ?? null, is_lacewing: server.isLacewing }, [
    `Signed in to ${url} as ${who}. The key is in ${serversFile(environment)}, which only you can read.`,
  ])
}

/** Which kind of server it is, and where its REST API is: a Bugzilla without rewriting of addresses has only `rest.cgi`. */
async function findServer(url: string): Promise<FoundServer> {
  for (const rest of ['rest', 'rest.cgi'] as const) {
    const client = clientFor({ url, rest })
    try {
      const { version } = await client.get('/version')
      if (typeof version !== 'string') continue
      return { url, rest, isLacewing: await asksLikeLacewing(client) }
    } catch (fault) {
      const isElsewhere = fault instanceof RestError && fault.code === 0 && fault.status < 500
      if (!isElsewhere || (fault.status >= 300 && fault.status < 400)) throw fault
    }
  }
  throw new CommandFailure(`There is no REST API at ${url}.`, EXIT.unreachable)
}

async function givenKey(server: FoundServer, options: LoginOptions): Promise<Credentials> {
  const apiKey = (options.keyStdin ? await readStandardInput() : await ask('API key: ', { isHidden: true })).trim()
  if (!/^[\x21-\x7e]{1,200}$/.test(apiKey)) throw wrongCommandLine('That is not an API key.')
  const client = clientFor({ ...server, apiKey })
  if (server.isLacewing) return { apiKey, keyId: undefined, login: (await client.get('/whoami')).name }
  // An invalid key is refused with 306.
  await client.get('/bug', { limit: 1, include_fields: 'id', id: 1 })
  return { apiKey, keyId: undefined, login: options.login }
}

/** Logs in with the password, makes a key, and ends the session. The password is kept nowhere. */
async function newKey(server: FoundServer, options: LoginOptions): Promise<Credentials> {
  if (!canAsk()) throw wrongCommandLine('There is no terminal to ask for the password: use --key-stdin.')
  const login = options.login ?? (await ask('Login name: ')).trim()
  const password = await ask('Password: ', { isHidden: true })
  const token = await sessionToken(server, login, password)
  const client = clientFor(server, { 'X-TRACKER-TOKEN': token })
  try {
    const me = await client.get('/whoami')
    const key = await client.post('/user/:user/api_key', {
      user: me.id,
      description: `lacewing on ${hostname()}`.slice(0, 100),
      scopes: options.readOnly ? ['read'] : ['read', 'write'],
    })
    if (typeof key.api_key !== 'string') throw new CommandFailure('The server did not return the key.')
    return { apiKey: key.api_key, keyId: key.id, login: me.name }
  } finally {
    await client.get('/logout').catch(() => undefined)
  }
}

const [CODE_NEEDED, WRONG_CODE] = [310, 311]
const MOST_CODES = 3

/** Credentials go into headers, because addresses are logged on their way. */
async function sessionToken(server: FoundServer, login: string, password: string): Promise<string> {
  const client = clientFor(server, { 'X-TRACKER-LOGIN': header(login), 'X-TRACKER-PASSWORD': header(password) })
  let totp: string | undefined
  for (let codes = 0; ; codes++) {
    try {
      return (await client.get('/login', totp === undefined ? {} : ({ totp } as object))).token
    } catch (fault) {
      const isAboutCode = fault instanceof RestError && [CODE_NEEDED, WRONG_CODE].includes(fault.code)
      if (!isAboutCode || codes >= MOST_CODES) throw fault
      totp = (
        await ask(fault.code === WRONG_CODE ? 'That code was wrong. Code: ' : 'Code of your second factor: ')
      ).trim()
    }
  }
}

/** The bytes of UTF-8, as headers carry them. */
function header(text: string) {
  return Buffer.from(text, 'utf8').toString('latin1')
}
