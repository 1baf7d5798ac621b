import { accessSync, constants, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isPostgres } from '../database/open-database.ts'
import { readBaseAddress } from './base-address.ts'

/** What whoever runs the server decides before it starts. Everything else is a parameter that administrators change at run time. */
export interface Config {
  readonly host: string
  readonly port: number
  readonly dataFolder: string
  readonly databaseUrl: string
  /** Without a slash at its end; undefined when the address that it listens on will do. */
  readonly baseUrl: string | undefined
  readonly smtpUrl: string | undefined
  /** The Maildir from which messages are taken. */
  readonly maildir: string | undefined
  readonly processes: number
  readonly admin: {
    readonly login: string | undefined
    readonly password: string | undefined
    readonly apiKey: string | undefined
  }
  readonly limits: typeof LIMITS
}

/** Sane for everybody so far. */
const LIMITS = {
  bodyBytes: 4 * 1024 * 1024,
  /** Where a file may be in the body: holds one of 47 MiB, as base64. */
  fileBodyBytes: 64 * 1024 * 1024,
  /** All headers and the address together. */
  headerBytes: 64 * 1024,
  addressCharacters: 32_000,
  /** To receive a whole request. */
  requestMilliseconds: 30_000,
  keepAliveMilliseconds: 75_000,
  /** What is read and discarded of a request that was answered before it had arrived, before its connection is closed. */
  discardBytes: 64 * 1024 * 1024,
  discardMilliseconds: 5_000,
  /** For requests that are under way when the server is told to end. */
  drainMilliseconds: 10_000,
}

/** Settings whose value is never told, because it is a secret or can hold one. */
const SECRET = /KEY|PASSWORD|DATABASE_URL|SMTP_URL/

const PREFIX = 'LACEWING_'

/** The tests tell each other where their databases are. */
function isForTests(name: string) {
  return name.startsWith(`${PREFIX}TEST_`)
}

type Environment = Readonly<Record<string, string | undefined>>

/** A setting that cannot be used; the message says which, and what would be right. */
export class WrongSetting extends Error {}

/** The only reader of the environment. */
export function readConfig(env: Environment = process.env): Config {
  const wrong: string[] = []
  const known = new Set<string>()
  const textOf = (name: string) => {
    known.add(name)
    return env[name]
  }
  const read = <Value>(
    name: string,
    parse: (text: string) => Value | undefined,
    right: string,
    fallback: Value,
  ): Value => {
    const given = textOf(name)?.trim()
    if (given === undefined || given === '') return fallback
    const value = parse(given)
    if (value === undefined)
      wrong.push(
        SECRET.test(name) ? `${name} must be ${right}` : `${name} is ${JSON.stringify(given)}, but must be ${right}`,
      )
    return value ?? fallback
  }
  const dataFolder = resolve(textOf('LACEWING_DATA')?.trim() || './data')
  const config: Config = {
    host: read('LACEWING_HOST', (it) => it, 'an address', '127.0.0.1'),
    port: read('LACEWING_PORT', (it) => within(it, 0, 65_535), 'a number from 0 to 65535', 8080),
    dataFolder,
    databaseUrl: read(
      'LACEWING_DATABASE_URL',
      databaseUrl,
      'postgres://… or the path of a file',
      join(dataFolder, 'lacewing.db'),
    ),
    baseUrl: read(
      'LACEWING_BASE_URL',
      readBaseAddress,
      'an address that begins with http:// or https://, such as https://bugs.example.com, without /rest and without ? or #',
      undefined,
    ),
    smtpUrl: read(
      'LACEWING_SMTP_URL',
      (it) => (/^smtps?:\/\/./.test(it) ? it : undefined),
      'smtp://… or smtps://…',
      undefined,
    ),
    maildir: read<string | undefined>('LACEWING_MAILDIR', (it) => resolve(it), 'a folder', undefined),
    processes: read('LACEWING_PROCESSES', (it) => within(it, 1, 64), 'a number from 1 to 64', 1),
    admin: {
      login: textOf('LACEWING_ADMIN_LOGIN')?.trim() || undefined,
      password: textOf('LACEWING_ADMIN_PASSWORD') || undefined,
      apiKey: read(
        'LACEWING_ADMIN_API_KEY',
        (it) => (/^\S{8,200}$/.test(it) ? it : undefined),
        '8 to 200 characters without blanks',
        undefined,
      ),
    },
    limits: LIMITS,
  }
  const unknown = Object.keys(env).filter((name) => name.startsWith(PREFIX) && !known.has(name) && !isForTests(name))
  if (unknown.length > 0)
    wrong.push(`${unknown.join(' and ')}: there is no such setting; there are ${[...known].sort().join(', ')}`)
  if (wrong.length > 0) throw new WrongSetting(`${wrong.join('; ')}.`)
  return Object.freeze(config)
}

/** Makes the data folder when it is missing; says so in one sentence when nothing can be written there. */
export function prepareDataFolder(config: Config) {
  try {
    makeFolder(config.dataFolder)
    accessSync(config.dataFolder, constants.W_OK | constants.X_OK)
  } catch (fault) {
    throw new WrongSetting(
      `The data folder ${config.dataFolder} cannot be written (${(fault as NodeJS.ErrnoException).code}): choose another with LACEWING_DATA.`,
    )
  }
}

/** Nobody else may look into it. Made step by step, because Node's own way of making parents never ends below /proc. */
function makeFolder(folder: string, triesParent = true): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || !triesParent || dirname(folder) === folder) throw fault
    makeFolder(dirname(folder))
    makeFolder(folder, false)
  }
}

function databaseUrl(given: string) {
  if (isPostgres(given)) return URL.canParse(given) ? given : undefined
  const path = given.replace(/^sqlite:(\/\/)?/, '')
  // SQLite would take these for a database in memory, or for one that is gone with its connection.
  const isNoFile = path === '' || path === ':memory:' || path.startsWith('file:')
  return isNoFile || path.includes('://') ? undefined : resolve(path)
}

function within(given: string, least: number, most: number) {
  return /^\d+$/.test(given) && Number(given) >= least && Number(given) <= most ? Number(given) : undefined
}
