import { accessSync, constants, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isPostgres } from '../database/open-database.ts'
import { isPostgresAddress } from '../database/postgres/postgres-address.ts'
import { readBaseAddress } from './base-address.ts'
import { FILE_SUFFIX, readSettingFile } from './setting-file.ts'

/**
 * What the operator decides before the server starts. Everything else is a parameter that administrators change at run
 * time.
 */
export interface Config {
  readonly host: string
  readonly port: number
  readonly dataFolder: string
  readonly databaseUrl: string
  /** A pooler in transaction mode in front of the same database, through which requests and deliveries go. */
  readonly poolerUrl: string | undefined
  /** Standbys of the database, for requests that only read. */
  readonly replicaUrls: readonly string[]
  /** For how long a server that starts waits for its database. */
  readonly databaseWaitSeconds: number
  /** Without a trailing slash; undefined if the address that the server listens on is used. */
  readonly baseUrl: string | undefined
  readonly smtpUrl: string | undefined
  /** The Maildir from which incoming messages are read. */
  readonly maildir: string | undefined
  readonly processes: number
  /** Requests are refused while others are delayed for longer than this; 0 for never. */
  readonly overloadMilliseconds: number
  readonly admin: {
    readonly login: string | undefined
    readonly password: string | undefined
    readonly apiKey: string | undefined
  }
  /** What a first start sets up, as JSON; see admin/setup/setup-plan.ts. */
  readonly setup: string | undefined
  readonly limits: typeof LIMITS
}

/** What calls may know of it: never to be returned as it is, because the address of the mail server contains a password. */
export type CallConfig = Pick<Config, 'smtpUrl' | 'maildir' | 'dataFolder'>

/** Limits that so far suit every installation. */
const LIMITS = {
  bodyBytes: 4 * 1024 * 1024,
  /** For calls whose body may contain a file: one of 47 MiB in base64 fits. */
  fileBodyBytes: 64 * 1024 * 1024,
  /** The URL and all headers together. */
  headerBytes: 64 * 1024,
  addressCharacters: 32_000,
  /** For receiving a whole request. */
  requestMilliseconds: 30_000,
  keepAliveMilliseconds: 75_000,
  /** How much of a request is discarded if it was answered before it had arrived; then its connection is closed. */
  discardBytes: 64 * 1024 * 1024,
  discardMilliseconds: 5_000,
  /** Bytes of responses that wait to be read by clients. */
  unreadBytes: 256 * 1024 * 1024,
  unreadBytesOfOneCaller: 64 * 1024 * 1024,
  /** After so long without reading anything a client is disconnected. */
  standstillMilliseconds: 120_000,
  /** For running requests when the server ends. */
  drainMilliseconds: 10_000,
}

/** Settings whose value is never shown, because it is a secret or may contain one. */
const SECRET = /KEY|PASSWORD|DATABASE_.*URL|SMTP_URL/

const PREFIX = 'LACEWING_'

const POSTGRES_URL =
  'postgres://user:password@host:5432/database, with special characters percent-encoded, such as %23 for #'

/** Variables with which the tests pass the addresses of their databases. */
function isForTests(name: string) {
  return name.startsWith(`${PREFIX}TEST_`)
}

type Environment = Readonly<Record<string, string | undefined>>

/** A setting that cannot be used; the message says which one, and what would be right. */
export class WrongSetting extends Error {}

/**
 * Variables with API keys for other servers, which commands use: `OLD_KEY_…`, `NEW_KEY_…` and `BUGZILLA_API_KEY`. They are
 * no settings of the server.
 */
export function readKeyVariables(env: NodeJS.ProcessEnv = process.env): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => /^(?:OLD_KEY|NEW_KEY)_|^BUGZILLA_API_KEY$/.test(name)),
  )
}

/** The only function that reads the environment. */
export function readConfig(env: Environment = process.env): Config {
  const wrong: string[] = []
  const known = new Set<string>()
  const settingText = (name: string) => {
    known.add(name)
    const file = env[name + FILE_SUFFIX]?.trim()
    if (!file) return env[name]
    if (env[name]?.trim()) return void wrong.push(`${name} and ${name}${FILE_SUFFIX} are both set: remove one of them`)
    const read = readSettingFile(file)
    if ('fault' in read) wrong.push(`${name}${FILE_SUFFIX} is ${JSON.stringify(file)}, ${read.fault}`)
    return 'text' in read ? read.text : undefined
  }
  const read = <Value>(
    name: string,
    parse: (text: string) => Value | undefined,
    right: string,
    fallback: Value,
  ): Value => {
    const sent = settingText(name)?.trim()
    if (sent === undefined || sent === '') return fallback
    const value = parse(sent)
    if (value === undefined)
      wrong.push(
        SECRET.test(name) ? `${name} must be ${right}` : `${name} is ${JSON.stringify(sent)}, but must be ${right}`,
      )
    return value ?? fallback
  }
  const dataFolder = resolve(settingText('LACEWING_DATA')?.trim() || './data')
  const config: Config = {
    host: read('LACEWING_HOST', (it) => it, 'an address', '127.0.0.1'),
    port: read('LACEWING_PORT', (it) => within(it, 0, 65_535), 'a number from 0 to 65535', 8080),
    dataFolder,
    databaseUrl: read(
      'LACEWING_DATABASE_URL',
      databaseUrl,
      `${POSTGRES_URL}, or the path of a file`,
      join(dataFolder, 'lacewing.db'),
    ),
    poolerUrl: read<string | undefined>('LACEWING_DATABASE_POOLER_URL', postgresUrl, POSTGRES_URL, undefined),
    replicaUrls: read('LACEWING_DATABASE_REPLICA_URLS', postgresUrls, `${POSTGRES_URL}, one for each standby`, []),
    databaseWaitSeconds: read(
      'LACEWING_DATABASE_WAIT',
      (it) => within(it, 0, 86_400),
      'a number of seconds from 0 to 86400',
      60,
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
    overloadMilliseconds: read(
      'LACEWING_OVERLOAD_MILLISECONDS',
      (it) => within(it, 0, 10_000),
      'a number of milliseconds from 0 to 10000',
      20,
    ),
    admin: {
      login: settingText('LACEWING_ADMIN_LOGIN')?.trim() || undefined,
      password: settingText('LACEWING_ADMIN_PASSWORD') || undefined,
      apiKey: read(
        'LACEWING_ADMIN_API_KEY',
        (it) => (/^\S{8,200}$/.test(it) ? it : undefined),
        '8 to 200 characters without spaces',
        undefined,
      ),
    },
    setup: settingText('LACEWING_SETUP')?.trim() || undefined,
    limits: LIMITS,
  }
  for (const [name, isSet] of [
    ['LACEWING_DATABASE_POOLER_URL', config.poolerUrl !== undefined],
    ['LACEWING_DATABASE_REPLICA_URLS', config.replicaUrls.length > 0],
  ] as const)
    if (isSet && !isPostgres(config.databaseUrl))
      wrong.push(`${name} is set, but LACEWING_DATABASE_URL is not that of a PostgreSQL database`)
  const isKnown = (name: string) =>
    known.has(name) || (name.endsWith(FILE_SUFFIX) && known.has(name.slice(0, -FILE_SUFFIX.length)))
  const unknown = Object.keys(env).filter((name) => name.startsWith(PREFIX) && !isKnown(name) && !isForTests(name))
  if (unknown.length > 0)
    wrong.push(
      `${unknown.join(' and ')}: there is no such setting; the settings are ${[...known].sort().join(', ')}, each also with ${FILE_SUFFIX}`,
    )
  if (wrong.length > 0) throw new WrongSetting(`${wrong.join('; ')}.`)
  return Object.freeze(config)
}

/** Creates the data folder if it is missing; throws with one sentence if it cannot be written. */
export function prepareDataFolder(config: Config) {
  try {
    makeFolder(config.dataFolder)
    accessSync(config.dataFolder, constants.W_OK | constants.X_OK)
  } catch (fault) {
    throw new WrongSetting(
      `The data folder ${config.dataFolder} cannot be written (${(fault as NodeJS.ErrnoException).code}): choose another folder with LACEWING_DATA.`,
    )
  }
}

/**
 * Only the user of the server gets access. Parents are created step by step, because Node's `recursive` never ends
 * below /proc.
 */
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

function databaseUrl(text: string) {
  if (isPostgres(text)) return postgresUrl(text)
  const path = text.replace(/^sqlite:(\/\/)?/, '')
  // SQLite would take these for a database in memory or a temporary one.
  const isNoFile = path === '' || path === ':memory:' || path.startsWith('file:')
  return isNoFile || path.includes('://') ? undefined : resolve(path)
}

function postgresUrl(text: string) {
  return isPostgres(text) && isPostgresAddress(text) ? text : undefined
}

/** Separated by spaces or commas. */
function postgresUrls(text: string): readonly string[] | undefined {
  const urls = text.split(/[\s,]+/)
  return urls.every((url) => postgresUrl(url) !== undefined) ? urls : undefined
}

function within(text: string, least: number, most: number) {
  return /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined
}
