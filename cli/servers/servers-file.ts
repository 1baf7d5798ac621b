// The servers that a user has logged in to, with their keys: one file that only its owner may read.
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Environment } from '../environment.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import type { ServerKind } from './server-kind.ts'

export interface SavedServer {
  readonly name: string
  readonly url: string
  readonly kind: ServerKind & { readonly isLacewing: boolean }
  readonly login: string | undefined
  readonly apiKey: string
  /** Only of a key that `login` made, so that `logout` revokes it. */
  readonly keyId: number | undefined
}

export interface Servers {
  /** The name of the server that commands use if none is named. */
  readonly usual: string | undefined
  readonly servers: readonly SavedServer[]
}

export function serversFile({ configFolder }: Environment) {
  return join(configFolder, 'servers.json')
}

const OTHERS = 0o077

export function readServers(environment: Environment): Servers {
  const file = serversFile(environment)
  const text = readPrivateFile(file)
  return text === undefined ? { usual: undefined, servers: [] } : parsed(file, text)
}

/** What is checked is what is read, also if somebody puts another file there meanwhile. */
function readPrivateFile(file: string): string | undefined {
  let descriptor: number
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (fault) {
    const { code, message } = fault as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new CommandFailure(`${file} cannot be read: ${message}`)
  }
  try {
    requirePrivate(file, fstatSync(descriptor))
    return readFileSync(descriptor, 'utf8')
  } finally {
    closeSync(descriptor)
  }
}

function requirePrivate(file: string, found: Stats) {
  if (!found.isFile()) throw new CommandFailure(`${file} is not a file.`)
  if (found.uid !== process.getuid?.()) throw new CommandFailure(`${file} belongs to another user. It is not used.`)
  if ((found.mode & OTHERS) !== 0)
    throw new CommandFailure(
      `${file} has API keys and can be read or changed by other users (mode ${(found.mode & 0o777).toString(8)}). ` +
        `Run: chmod 600 ${file} – and make new keys if others use this machine.`,
    )
}

function parsed(file: string, text: string): Servers {
  try {
    const { default: usual, servers } = JSON.parse(text) as { default?: unknown; servers: Record<string, unknown>[] }
    return { usual: typeof usual === 'string' ? usual : undefined, servers: servers.map(savedServer) }
  } catch {
    throw new CommandFailure(`${file} is damaged. Remove it and log in again, or mend it: it is JSON.`)
  }
}

function savedServer(saved: Record<string, unknown>): SavedServer {
  const { name, url, rest, key_in, is_lacewing, login, api_key, key_id } = saved
  if (typeof name !== 'string' || typeof url !== 'string' || typeof api_key !== 'string') throw new Error('incomplete')
  return {
    name,
    url,
    kind: {
      rest: rest === 'rest.cgi' ? 'rest.cgi' : 'rest',
      keyIn: key_in === 'parameter' ? 'parameter' : 'header',
      isLacewing: is_lacewing === true,
    },
    login: typeof login === 'string' ? login : undefined,
    apiKey: api_key,
    keyId: typeof key_id === 'number' ? key_id : undefined,
  }
}

/** Reads the file again before it is written, so that a login at another terminal is not lost. */
export function changeServers(environment: Environment, change: (servers: Servers) => Servers): Servers {
  const changed = change(readServers(environment))
  const servers = changed.servers.map(({ kind, apiKey, keyId, ...it }) => ({
    ...it,
    rest: kind.rest,
    key_in: kind.keyIn,
    is_lacewing: kind.isLacewing,
    api_key: apiKey,
    key_id: keyId,
  }))
  writePrivateFile(serversFile(environment), `${JSON.stringify({ default: changed.usual, servers }, undefined, 1)}\n`)
  return changed
}

/** Replaces the file only when the new one is whole. Nobody else can read either at any time. */
function writePrivateFile(file: string, text: string) {
  // The file may be a link to where somebody keeps their settings.
  const target = statSync(file, { throwIfNoEntry: false }) === undefined ? file : realpathSync(file)
  const draft = `${target}.${randomUUID()}`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const descriptor = openSync(draft, 'wx', 0o600)
    writeSync(descriptor, text)
    fsyncSync(descriptor)
    closeSync(descriptor)
    renameSync(draft, target)
  } catch (fault) {
    if (existsSync(draft)) rmSync(draft)
    throw new CommandFailure(`${file} cannot be written: ${(fault as Error).message}`)
  }
}
