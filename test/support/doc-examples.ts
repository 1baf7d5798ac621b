import { globSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { FEW_BUGS } from '../../src/catalogue/removals/removal.ts'
import { codeOf } from '../../src/people/factors/totp.ts'
import type { AnyBody } from './body-types.ts'
import { insertBugsWithKeyword } from './bug-rows.ts'
import { cast } from './cast.ts'
import { mailSent } from './mail-settled.ts'
import { NewInstallation } from './new-installation.ts'
import { followProvider, TestProvider } from './oidc-provider.ts'
import { TestPasskey } from './passkey.ts'
import type { Reply, World } from './world.ts'

/** One exchange of a page: a fenced `http` block and the fenced `json` block that follows it. */
export interface Example {
  /** Its location, as `docs/api/user.md:12`. */
  place: string
  /** The heading above it. */
  section: string
  method: string
  path: string
  /** A user of cast.ts, from the line `As: ada`; anonymous without this line. */
  as: string
  headers: Record<string, string>
  body: string | undefined
  answer: AnyBody
}

/** A part of a page, from one heading to the next. */
export interface Section {
  heading: string
  text: string
}

export const root = fileURLToPath(new URL('../..', import.meta.url))

export function sectionsIn(page: string): Section[] {
  const text = readFileSync(root + page, 'utf8')
  return text.split(/^(?=#{1,6} )/m).map((part) => ({ heading: headingOf(part), text: part }))
}

export function examplesIn(page: string): Example[] {
  const blocks = fencedIn(page)
  return blocks.flatMap((block, index) => {
    if (block.language !== 'http') return []
    const answer = blocks[index + 1]
    if (answer?.language !== 'json') throw new Error(`${block.place}: no json block follows this http block`)
    return [{ place: block.place, section: block.section, ...requestIn(block), answer: jsonIn(answer) }]
  })
}

export interface Block {
  place: string
  section: string
  language: string
  text: string
}

export function fencedIn(page: string): Block[] {
  const blocks: Block[] = []
  let open: { language: string; line: number; lines: string[] } | undefined
  let section = ''
  for (const [index, line] of readFileSync(root + page, 'utf8')
    .split('\n')
    .entries()) {
    const fence = /^```(\w*)\s*$/.exec(line)
    if (fence && open) {
      blocks.push({ place: `${page}:${open.line}`, section, language: open.language, text: open.lines.join('\n') })
      open = undefined
    } else if (fence) open = { language: fence[1] ?? '', line: index + 1, lines: [] }
    else if (open) open.lines.push(line)
    else if (/^#{1,6} /.test(line)) section = headingOf(line)
  }
  if (open) throw new Error(`${page}:${open.line}: this block has no end`)
  return blocks
}

function headingOf(text: string) {
  return /^#{1,6} (.*)/.exec(text)?.[1]?.trim() ?? ''
}

function requestIn({ place, text }: Block) {
  const [head = '', ...rest] = text.split(/\n\s*\n/)
  const [first = '', ...lines] = head.split('\n')
  const [, method, path] = /^(GET|POST|PUT|DELETE) (\/\S*)$/.exec(first) ?? []
  if (method === undefined || path === undefined) throw new Error(`${place}: ${first} is no request line`)
  const { As: as = 'nobody', ...headers } = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  ) as Record<string, string>
  const body = rest.join('\n\n').trim()
  return { method, path, as, headers, body: body === '' ? undefined : body }
}

function jsonIn({ place, text }: Block): AnyBody {
  try {
    return JSON.parse(text)
  } catch (fault) {
    throw new Error(`${place}: ${(fault as Error).message}`)
  }
}

/** Values from earlier responses of a page, by field: `<token>` in a request stands for the newest one. */
export type ReplacedValues = Map<string, string>

export async function send(world: World, example: Example, returned: ReplacedValues): Promise<Reply> {
  if (example.body?.includes('<mailed_token>')) returned.set('mailed_token', newestMailedToken(world))
  if (`${example.path} ${example.body}`.includes('<app_code>')) returned.set('app_code', nextAppCode(returned))
  if (example.body?.includes('<setup_code>')) return sendToNewInstallation(example)
  if (example.path.includes('<keyword_of_many>')) returned.set('keyword_of_many', await keywordOfMany(world))
  if (example.path.includes('<stopped_removal>')) returned.set('stopped_removal', String(await stoppedRemoval(world)))
  await takePartOfProvider(world, example.body ?? '', returned)
  takePartOfPasskey(example.body ?? '', returned)
  const filled = (text: string, form = (it: string) => it) =>
    text.replace(/<(\w+)>/g, (_, field) => form(returned.get(field) ?? untold(example, field)))
  const headers = Object.fromEntries(Object.entries(example.headers).map(([name, value]) => [name, filled(value)]))
  const client = example.as === 'nobody' ? world.nobody : world.clientOf(requireOfTheCast(example))
  const body = example.body === undefined ? undefined : filled(example.body)
  const reply: Reply<AnyBody> = await client.send(
    example.method,
    filled(example.path, encodeURIComponent),
    body,
    headers,
  )
  if (reply.body?.options !== undefined) passkeyOptions = reply.body.options
  // The response to a request for a link: the mail is sent before the next request.
  const { proposal } = Object(reply.body) as { proposal?: object }
  if (reply.status === 202 && proposal === undefined) await mailSent(world)
  for (const [field, value] of Object.entries({ ...proposal, ...Object(reply.body) }))
    if (typeof value === 'string' || typeof value === 'number') returned.set(field, String(value))
  return reply
}

/** The code of the first start works only where nobody has done anything yet. */
async function sendToNewInstallation({ method, path, headers, body = '' }: Example): Promise<Reply> {
  const fresh = await new NewInstallation('sqlite').open()
  const sent = JSON.parse(body.replace('<setup_code>', fresh.code ?? ''))
  const reply = await fresh.request(method, path, { ...headers, 'Content-Type': 'application/json' }, sent)
  await fresh.close()
  return reply
}

/** A keyword that so many bugs have that it is removed in steps. */
async function keywordOfMany(world: World): Promise<string> {
  await world.ada.post('/rest/keyword', { name: 'regression', description: 'Worked before' })
  const { body } = await world.ada.post('/rest/keyword', { name: 'flicker', description: 'On and off.' })
  await insertBugsWithKeyword(world, body.id, FEW_BUGS + 1)
  return 'flicker'
}

/** The steps of a removal go on while the examples are sent: one that was stopped stays as it is. */
async function stoppedRemoval(world: World): Promise<number> {
  const [newest] = await world.db.query((q) => q.selectFrom('removals').selectAll().orderBy('id', 'desc').limit(1))
  if (newest === undefined) throw new Error('No example has begun a removal')
  const { id: _, ...same } = newest
  const stopped = { ...same, object_id: 0, name: 'sparks', state: 'stopped', bugs_done: 50 }
  const [row] = await world.db.transaction(
    (tx) => tx.query((q) => q.insertInto('removals').values(stopped).returning('id')),
    'configuration',
  )
  return row?.id as number
}

const PROVIDER_USER = { sub: 'jo', email: 'jo@lacewing.test', email_verified: true, name: 'Jo Joiner' }
let provider: TestProvider | undefined

/** The values that come from a provider of OpenID Connect, which is started when a page first needs it. */
async function takePartOfProvider(world: World, body: string, returned: ReplacedValues) {
  if (body.includes('<issuer>')) {
    provider = await new TestProvider().open()
    provider.user = PROVIDER_USER
    await provider.register(world.url, 'corp')
    returned.set('issuer', provider.issuer)
    returned.set('client_secret', provider.clientSecret)
  }
  if (body.includes('<provider_query>'))
    returned.set('provider_query', (await followProvider(returned.get('url') ?? '', world.url)).search)
  if (body.includes('<logout_token>'))
    returned.set('logout_token', (await provider?.logoutToken(PROVIDER_USER.sub)) ?? '')
}

/** Browsers allow passkeys only at https addresses. */
export const PASSKEY_ORIGIN = 'https://bugs.example.com'
let passkey = new TestPasskey(PASSKEY_ORIGIN)
let passkeyOptions: AnyBody

/** The values that come from a passkey, as an answer to the newest options. */
function takePartOfPasskey(body: string, returned: ReplacedValues) {
  if (body.includes('<attestation>')) {
    passkey = new TestPasskey(PASSKEY_ORIGIN)
    const { id, response } = passkey.create(passkeyOptions)
    returned.set('passkey_id', id)
    returned.set('client_data', response.clientDataJSON)
    returned.set('attestation', response.attestationObject)
  }
  if (!body.includes('<signature>')) return
  const { response } = passkey.get(passkeyOptions)
  returned.set('client_data', response.clientDataJSON)
  returned.set('authenticator_data', response.authenticatorData)
  returned.set('signature', response.signature)
  returned.set('user_handle', response.userHandle ?? '')
}

/** A code of the authenticator app whose secret was returned. Each code works once, so that the first is that of the last half minute. */
function nextAppCode(returned: ReplacedValues): string {
  const step = Number(returned.get('app_step') ?? Math.floor(Date.now() / 30_000) - 1)
  returned.set('app_step', String(step + 1))
  return codeOf(returned.get('secret') ?? '', step)
}

/** The token of the link in the newest mail that has one. Without a mail server, messages are files. */
function newestMailedToken(world: World): string {
  const files = globSync(`${world.dataFolder}/mail/*/*.eml`).map((file) => ({ file, at: statSync(file).mtimeMs }))
  const tokens = files
    .sort((one, other) => other.at - one.at)
    .flatMap(({ file }) => /\/confirm#(\w{32})/.exec(readFileSync(file, 'utf8'))?.[1] ?? [])
  return tokens[0] ?? ''
}

function untold(example: Example, field: string): never {
  throw new Error(`${example.place}: no answer before this one told ${field}`)
}

function requireOfTheCast({ as, place }: Example): keyof typeof cast {
  if (!(as in cast)) throw new Error(`${place}: ${as} is not of the cast`)
  return as as keyof typeof cast
}

const ANYTHING = '…'

/** The differences between a response and the page. `"…"` matches anything, and at the end of an object or list any further items. */
export function differences(answered: AnyBody, shown: AnyBody, at = 'the answer'): string[] {
  if (shown === ANYTHING) return []
  if (Array.isArray(shown)) return Array.isArray(answered) ? inList(answered, shown, at) : [unlike(answered, shown, at)]
  if (isObject(shown)) return isObject(answered) ? inObject(answered, shown, at) : [unlike(answered, shown, at)]
  return answered === shown ? [] : [unlike(answered, shown, at)]
}

function inList(answered: AnyBody[], shown: AnyBody[], at: string): string[] {
  const mayGoOn = shown.at(-1) === ANYTHING
  const items = mayGoOn ? shown.slice(0, -1) : shown
  const isLong = mayGoOn ? answered.length >= items.length : answered.length === items.length
  if (!isLong) return [`${at} has ${answered.length} items, not ${items.length}: ${JSON.stringify(answered)}`]
  return items.flatMap((item, index) => differences(answered[index], item, `${at}[${index}]`))
}

function inObject(answered: Record<string, AnyBody>, shown: Record<string, AnyBody>, at: string): string[] {
  const { [ANYTHING]: more, ...fields } = shown
  const surplus = more === undefined ? Object.keys(answered).filter((name) => !(name in fields)) : []
  return [
    ...surplus.map((name) => `${at}.${name} is not shown: ${JSON.stringify(answered[name])}`),
    ...Object.entries(fields).flatMap(([name, value]) =>
      name in answered ? differences(answered[name], value, `${at}.${name}`) : [`${at}.${name} is missing`],
    ),
  ]
}

function unlike(answered: AnyBody, shown: AnyBody, at: string) {
  return `${at} is ${JSON.stringify(answered)}, not ${JSON.stringify(shown)}`
}

function isObject(value: AnyBody): value is Record<string, AnyBody> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
