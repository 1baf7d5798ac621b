import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type App, buildApp } from '../../src/app.ts'
import { deliverHere, type RunningDelivery } from '../../src/outbound/delivery/deliver.ts'
import type { DeliveryContext } from '../../src/outbound/delivery/delivery-context.ts'
import { assignEventPositions } from '../../src/outbound/events/assign-event-positions.ts'
import { KEY_LENGTH } from '../../src/people/api-keys/api-key.ts'
import { insertApiKey } from '../../src/people/api-keys/api-key-store.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import type { Facts, Log } from '../../src/platform/monitoring/log.ts'
import { randomWord } from '../../src/platform/secrets/secrets.ts'
import { separateBackgroundWork } from './background-work.ts'
import type { AnyBody, AnyRefusal, BodyAt } from './body-types.ts'
import { cast, type Name } from './cast.ts'
import { checkerFor, type ResponseChecker } from './check-response.ts'
import { copyDatabase, dropLater, type Engine, poolerOf, required } from './copy-database.ts'
import { leanFetch } from './lean-fetch.ts'
import { forbidStatementsPastTransactions } from './outside-transaction.ts'
import { isEveryCombination } from './sample.ts'

export type { Engine }

type StartDelivery = (context: DeliveryContext) => RunningDelivery

/**
 * Runs the same tests on both engines, each in a new world. No test knows its engine. No mail and no webhook is sent: most tests do
 * not need them, and delivering a change takes longer than making it. Events still get their positions.
 */
export function describeOnEachEngine(
  title: string,
  tests: (world: World) => void,
  environment: Record<string, string> = {},
) {
  describeWithDelivery(title, tests, environment, onlyPositions)
}

/** The same with mail, webhooks and all else that follows a change. */
export function describeWithDelivery(
  title: string,
  tests: (world: World) => void,
  environment: Record<string, string> = {},
  startDelivery: StartDelivery = deliverHere,
) {
  for (const engine of ['sqlite', 'postgres'] as const)
    describeWorld(`${title} (${engine})`, new World(engine, environment, startDelivery), tests)
}

/**
 * `describeOnEachEngine` for what the engine does not decide: the statements of these tests run on PostgreSQL in others. `npm run soak --
 * matrices` runs them there too.
 */
export function describeOnOneEngine(
  title: string,
  tests: (world: World) => void,
  environment: Record<string, string> = {},
) {
  describeDeliveryOnOneEngine(title, tests, environment, onlyPositions)
}

/** The same with mail, webhooks and all else that follows a change. */
export function describeDeliveryOnOneEngine(
  title: string,
  tests: (world: World) => void,
  environment: Record<string, string> = {},
  startDelivery: StartDelivery = deliverHere,
) {
  if (isEveryCombination) describeWithDelivery(title, tests, environment, startDelivery)
  else describeWorld(title, new World('sqlite', environment, startDelivery), tests)
}

export function onlyPositions({ db, log }: DeliveryContext): RunningDelivery {
  return assignEventPositions(db, log)
}

/** For what does not depend on the engine: how requests are read, how responses are written, the documents. */
export function describeOnSqlite(
  title: string,
  tests: (world: World) => void,
  environment: Record<string, string> = {},
) {
  describeWorld(title, new World('sqlite', environment), tests)
}

/** Within `describeOnEachEngine`: a test that does not depend on the engine, which runs on one of them. */
export function itOnce({ engine }: World, title: string, work: () => void | Promise<void>) {
  if (engine === 'sqlite') it(title, work)
}

/** Within `describeOnEachEngine`: a test that `describeOnOneEngine` would fit, among others that need both engines. */
export function itOnOneEngine({ engine }: World, title: string, work: () => void | Promise<void>) {
  if (engine === 'sqlite' || isEveryCombination) it(title, work)
}

/** `itOnce` for several tests. */
export function describeOnce({ engine }: World, title: string, tests: () => void) {
  if (engine === 'sqlite') describe(title, tests)
}

function describeWorld(title: string, world: World, tests: (world: World) => void) {
  describe(title, () => {
    before(() => world.open())
    after(() => world.close())
    tests(world)
  })
}

export interface Reply<Body = AnyRefusal> {
  status: number
  body: Body
  headers: Headers
  text: string
}

type Answered<Verb extends string, Path extends string> = Promise<Reply<BodyAt<Verb, Path>>>

export interface Logged extends Facts {
  event: string
  level: string
}

/** A user or anonymous caller who makes requests. */
export class Client {
  private readonly world: World
  readonly headers: Record<string, string>

  constructor(world: World, headers: Record<string, string>) {
    this.world = world
    this.headers = headers
  }

  get<const Path extends string>(path: Path, headers?: Record<string, string>): Answered<'GET', Path> {
    return this.request('GET', path, undefined, headers)
  }

  post<const Path extends string>(
    path: Path,
    body: unknown = {},
    headers?: Record<string, string>,
  ): Answered<'POST', Path> {
    return this.request('POST', path, body, headers)
  }

  put<const Path extends string>(
    path: Path,
    body: unknown = {},
    headers?: Record<string, string>,
  ): Answered<'PUT', Path> {
    return this.request('PUT', path, body, headers)
  }

  delete<const Path extends string>(path: Path, headers?: Record<string, string>): Answered<'DELETE', Path> {
    return this.request('DELETE', path, undefined, headers)
  }

  /** A `body` that is text is sent as it is. */
  send<const Verb extends string, const Path extends string>(
    method: Verb,
    path: Path,
    body?: unknown,
    headers?: Record<string, string>,
  ): Answered<Verb, Path> {
    return this.request(method, path, body, headers)
  }

  /** Checks every JSON response against the OpenAPI document. */
  private async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply<AnyBody>> {
    const answer = await leanFetch(
      this.world.url + path,
      method,
      {
        Accept: 'application/json',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...this.headers,
        ...headers,
      },
      body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    )
    const { status, text } = answer
    const isJson = text !== '' && answer.contentType.startsWith('application/json')
    const reply = {
      status,
      body: isJson ? JSON.parse(text) : text,
      text,
      get headers() {
        return answer.headers
      },
    }
    if (isJson) this.world.check(method, path, reply)
    return reply
  }
}

const UNLIMITED_KEY = { description: 'test', scopes: 'read,write,admin', expiresAt: null }

/** A new server with named users. */
export class World {
  readonly engine: Engine
  readonly logged: Logged[] = []
  readonly nobody = new Client(this, {})
  readonly ada = this.clientOf('ada')
  readonly rhea = this.clientOf('rhea')
  readonly edna = this.clientOf('edna')
  readonly sven = this.clientOf('sven')
  readonly stan = this.clientOf('stan')
  readonly uma = this.clientOf('uma')
  readonly greta = this.clientOf('greta')
  readonly pam = this.clientOf('pam')
  /** Without a slash at the end; paths begin with /rest. */
  url = ''
  databaseUrl = ''
  /** The data folder of the server. */
  dataFolder = ''
  private app: App | undefined
  private database: Db | undefined
  private pastTransactions: readonly string[] = []
  private checker: ResponseChecker | undefined
  private readonly environment: Record<string, string>
  private readonly startDelivery: StartDelivery
  private count = 0

  constructor(engine: Engine, environment: Record<string, string> = {}, startDelivery: StartDelivery = deliverHere) {
    this.engine = engine
    this.environment = environment
    this.startDelivery = startDelivery
  }

  /** Listens on this port if it is free. */
  async open(port = 0) {
    const folder = mkdtempSync(join(required('LACEWING_TEST_FOLDER'), 'world-'))
    this.dataFolder = folder
    this.databaseUrl = await copyDatabase(this.engine, folder)
    this.database = openDatabase(this.databaseUrl, false, undefined, poolerOf(this.databaseUrl))
    separateBackgroundWork(this.database)
    this.pastTransactions = forbidStatementsPastTransactions(this.database)
    try {
      await this.startServer(port)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      await this.stopServer()
      await this.startServer(0)
    }
    this.checker = await checkerFor(JSON.stringify(this.environment), async () => {
      const document = await (await fetch(`${this.url}/rest/openapi.json`)).text()
      return document.replaceAll(this.url, '')
    })
  }

  /** Listens on the port that it had before, unless another is given. */
  async startServer(port = Number(new URL(this.url).port)) {
    // The test runs in the same thread, so that its own work delays requests.
    const own = { LACEWING_PORT: '0', LACEWING_DATA: this.dataFolder, LACEWING_OVERLOAD_MILLISECONDS: '0' }
    const config = readConfig({ ...own, ...this.environment })
    this.app = buildApp(this.db, config, this.log(), this.startDelivery)
    this.url = await this.app.listen({ host: '127.0.0.1', port })
  }

  /** Ends the server; its database stays open for the next one. */
  async stopServer() {
    await this.app?.close()
  }

  async close() {
    await this.stopServer()
    await this.database?.close()
    if (this.engine === 'postgres') dropLater(this.databaseUrl)
    rmSync(this.dataFolder, { recursive: true, force: true })
    if (this.pastTransactions.length > 0) throw new Error(this.pastTransactions.join('\n'))
  }

  get db(): Db {
    if (!this.database) throw new Error('The world is not open')
    return this.database
  }

  as(headers: Record<string, string>) {
    return new Client(this, headers)
  }

  clientOf(name: Name) {
    return new Client(this, { 'X-TRACKER-API-KEY': cast[name].apiKey })
  }

  check(method: string, path: string, reply: Reply<AnyBody>) {
    this.checker?.check(method, path, reply)
  }

  /** A name that is unique in this world. */
  unique(word: string) {
    return `${word}${++this.count}`
  }

  /**
   * A new account with an API key, as a caller. It has no password unless one is given, because hashing takes long. The key is written without
   * a request, which would also write an audit entry and send mail.
   */
  async newUser(more: Record<string, unknown> = {}) {
    const email = `${this.unique('person')}@lacewing.test`
    const { body } = await this.ada.post('/rest/user', { email, full_name: 'Somebody', ...more })
    const id = body.id as number
    const apiKey = randomWord(KEY_LENGTH)
    await insertApiKey(this.db, { ...UNLIMITED_KEY, userId: id, secret: apiKey })
    return { id, login: (more.email as string) ?? email, apiKey, client: this.as({ 'X-TRACKER-API-KEY': apiKey }) }
  }

  async newGroup(more: Record<string, unknown> = {}) {
    const name = this.unique('group')
    const { body } = await this.ada.post('/rest/group', { name, description: `The group ${name}`, ...more })
    return { id: body.id as number, name }
  }

  /** Runs `work` with changed parameters, then restores them. */
  async withParameters<Result>(changed: Record<string, unknown>, work: () => Promise<Result>): Promise<Result> {
    const { body } = await this.ada.put('/rest/parameters', changed)
    try {
      return await work()
    } finally {
      const before = Object.entries(body.changes).map(([name, change]) => [
        name,
        (change as { removed: string }).removed,
      ])
      await this.ada.put('/rest/parameters', Object.fromEntries(before))
    }
  }

  private log(): Log {
    const note =
      (level: string) =>
      (event: string, facts: Facts = {}) =>
        void this.logged.push({ level, event, ...facts })
    return { info: note('info'), error: note('error'), flush: async () => {} }
  }
}
