import { hostname } from 'node:os'
import { RestError } from '../../client/index.ts'
import { wrongCommandLine } from '../context.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { ask, canAsk } from '../input/ask.ts'
import { clientFor } from '../servers/connection.ts'
import type { SavedServer } from '../servers/servers-file.ts'

export interface KeyOptions {
  readonly login?: string
  readonly readOnly?: boolean
  readonly admin?: boolean
}

type Place = Pick<SavedServer, 'url' | 'kind'>

/** Logs in with the password, makes a key, and ends the session. The password is kept nowhere. */
export async function newKey({ url, kind }: Place, options: KeyOptions) {
  if (options.readOnly && options.admin) throw wrongCommandLine('--read-only and --admin exclude each other.')
  if (!canAsk()) throw wrongCommandLine('There is no terminal to ask for the password: use --key-stdin.')
  const login = options.login ?? (await ask('Login name: ')).trim()
  const password = await ask('Password: ', { isHidden: true })
  const token = await sessionToken({ url, kind }, login, password)
  const client = clientFor({ url, ...kind }, { 'X-TRACKER-TOKEN': token })
  try {
    const me = await client.get('/whoami')
    const key = await client.post('/user/:user/api_key', {
      user: me.id,
      description: `lacewing on ${hostname()}`.slice(0, 100),
      scopes: ['read', ...(options.readOnly ? [] : ['write']), ...(options.admin ? ['admin'] : [])],
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
async function sessionToken({ url, kind }: Place, login: string, password: string): Promise<string> {
  const credentials = { 'X-TRACKER-LOGIN': header(login), 'X-TRACKER-PASSWORD': header(password) }
  const client = clientFor({ url, ...kind }, credentials)
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
