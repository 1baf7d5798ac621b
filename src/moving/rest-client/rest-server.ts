import { setTimeout as wait } from 'node:timers/promises'
import { Refusal } from '../../platform/refusal.ts'
import { RequestPace } from './request-pace.ts'
import { addressesOf, NoAnswer, sentenceFor, waitAfter, withoutKey } from './rest-faults.ts'

/** JSON as another server sent it: nothing about its form is certain. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

export interface RestAnswer {
  readonly status: number
  readonly body: Json
}

export interface RestOptions {
  /** Requests per second; undefined for as many as the server answers. */
  readonly rate?: number | undefined
  /** The limit for one request, with its whole response. */
  readonly timeoutMilliseconds: number
  readonly attempts: number
  /** The delay before the second attempt. It doubles for each further attempt. */
  readonly firstWaitMilliseconds: number
  readonly largestAnswerBytes: number
}

export const REST_DEFAULTS: RestOptions = {
  timeoutMilliseconds: 120_000,
  attempts: 6,
  firstWaitMilliseconds: 1000,
  largestAnswerBytes: 128 * 1024 * 1024,
}

const LONGEST_WAIT_MILLISECONDS = 300_000
const REDIRECTS = 5
/** Few attempts, because the address may be wrong. */
const ATTEMPTS_TO_OPEN = 2
/** Too many requests, and faults of proxies and overloaded servers, which pass. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** The REST API of one server, Bugzilla 5 or Lacewing, as a client that reads it. */
export class RestServer {
  /** As it was given, for messages. */
  readonly address: string
  readonly version: string
  private readonly base: string
  private readonly options: RestOptions
  private readonly pace: RequestPace

  private constructor(address: string, base: string, version: string, options: RestOptions, pace: RequestPace) {
    this.address = address
    this.base = base
    this.version = version
    this.options = options
    this.pace = pace
  }

  /** Finds the REST API below an address. Throws a Refusal if there is none, or an old one. */
  static async open(address: string, options: RestOptions): Promise<RestServer> {
    const pace = new RequestPace(options.rate)
    let seen = ''
    const quick = { ...options, attempts: Math.min(options.attempts, ATTEMPTS_TO_OPEN) }
    for (const base of addressesOf(address)) {
      const probe = new RestServer(address, base, '', quick, pace)
      const found = await probe.read('version', undefined, REDIRECTS).catch(otherOrRefused)
      if (found instanceof NoAnswer) {
        seen ||= found.message.replace(/\.$/, '')
        continue
      }
      const { answer, url } = found
      const version = isObject(answer.body) ? answer.body.version : undefined
      if (typeof version === 'string') {
        requireNewEnough(address, version)
        return new RestServer(address, url.replace(/\/version\/?$/, ''), version.slice(0, 40), options, pace)
      }
      seen ||= `${base}/version returned status ${answer.status} and no release`
    }
    throw new Refusal(`${address} is not a Bugzilla with a REST API (release 5.0 or newer), nor a Lacewing: ${seen}.`)
  }

  /** The answer, also if it is an error of the API. Throws NoAnswer if there is none after several attempts. */
  async get(call: string, key?: string): Promise<RestAnswer> {
    return (await this.read(call, key, 0)).answer
  }

  private async read(call: string, key: string | undefined, redirects: number) {
    const { attempts, firstWaitMilliseconds } = this.options
    for (let attempt = 1; ; attempt++) {
      await this.pace.turn()
      let fault: NoAnswer
      try {
        return await this.attempt(`${this.base}/${call}`, key, redirects)
      } catch (caught) {
        fault = caught instanceof NoAnswer ? caught : new NoAnswer(sentenceFor(caught), true)
      }
      if (!fault.isPassing || attempt >= attempts)
        throw Object.assign(
          new NoAnswer(withoutKey(`${this.base}/${call} gave no answer: ${fault.message}.`, key), fault.isPassing),
          { wasOther: fault.wasOther },
        )
      const pause = Math.min(firstWaitMilliseconds * 2 ** (attempt - 1), LONGEST_WAIT_MILLISECONDS)
      if (fault.waitMilliseconds === undefined) await wait(pause)
      else this.pace.pause(Math.min(Math.max(fault.waitMilliseconds, pause), LONGEST_WAIT_MILLISECONDS))
    }
  }

  private async attempt(url: string, key: string | undefined, redirects: number): Promise<AnswerAndAddress> {
    const response = await fetch(this.withKey(url, key), {
      redirect: 'manual',
      headers: { Accept: 'application/json', ...(key === undefined ? {} : { 'X-BUGZILLA-API-KEY': key }) },
      signal: AbortSignal.timeout(this.options.timeoutMilliseconds),
    })
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel()
      return this.attempt(redirectTarget(url, response, redirects), key, redirects - 1)
    }
    const bytes = await readBounded(response, this.options.largestAnswerBytes)
    if (isTooDeep(bytes)) throw new NoAnswer('the answer is nested too deeply', false)
    let body: Json
    try {
      body = JSON.parse(bytes.toString('utf8'))
    } catch {
      if (PASSING.has(response.status) || response.status === 500) throw passing(response)
      throw Object.assign(
        new NoAnswer(`status ${response.status} with something else than JSON`, response.status === 200),
        { wasOther: true },
      )
    }
    if (PASSING.has(response.status)) throw passing(response)
    return { answer: { status: response.status, body }, url }
  }

  /** Releases 5 of Bugzilla read a key only from the address, all others from the header. */
  private withKey(url: string, key: string | undefined) {
    if (key === undefined || !this.version.startsWith('5.')) return url
    return `${url}${url.includes('?') ? '&' : '?'}api_key=${encodeURIComponent(key)}`
  }
}

interface AnswerAndAddress {
  answer: RestAnswer
  url: string
}

export function isObject(value: Json | undefined): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The name of an error of a Lacewing; Bugzilla has none. A server may send anything, so only a name counts. */
export function reasonIn(body: Json): string | undefined {
  const reason = isObject(body) ? body.reason : undefined
  return typeof reason === 'string' && /^[a-z][a-z_]{1,60}$/.test(reason) ? reason : undefined
}

/** The list below a name; empty if the answer has none. */
export function listIn(body: Json | undefined, name: string): Json[] {
  const list = isObject(body) ? body[name] : undefined
  return Array.isArray(list) ? list : []
}

/** Web servers answer with a page where nothing is, so the REST API may be at the other address. */
function otherOrRefused(fault: unknown): NoAnswer {
  if (fault instanceof NoAnswer && fault.wasOther) return fault
  throw fault instanceof NoAnswer ? new Refusal(fault.message) : fault
}

function requireNewEnough(address: string, version: string) {
  const major = Number(/^(\d+)\./.exec(version)?.[1])
  if (major < 5)
    throw new Refusal(
      `${address} is Bugzilla ${version.slice(0, 40)}. Its REST API came with release 5.0; use the database: lacewing import bugzilla.`,
    )
}

function passing(response: Response) {
  return new NoAnswer(`status ${response.status}`, true, waitAfter(response.headers.get('retry-after')))
}

/** A redirection to another host or port would give the key away, and so would one from https to http. */
function redirectTarget(url: string, response: Response, redirects: number): string {
  const location = response.headers.get('location') ?? ''
  const target = URL.canParse(location, url) ? new URL(location, url) : undefined
  if (target === undefined || redirects <= 0 || !isSameServer(new URL(url), target))
    throw new NoAnswer(
      `it is redirected to ${target === undefined ? 'nowhere' : `${target.origin}${target.pathname}`}. Use the address that it leads to, if it is the right one`,
      false,
    )
  return target.href
}

function isSameServer(from: URL, to: URL): boolean {
  const isUpgraded = from.protocol === 'http:' && to.protocol === 'https:' && from.hostname === to.hostname
  return to.origin === from.origin || isUpgraded
}

async function readBounded(response: Response, largest: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > largest) throw new NoAnswer(`the answer is larger than ${Math.round(largest / 1024 / 1024)} MiB`, false)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const DEEPEST = 60
const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

/** Deep nesting would exhaust the stack of every function that walks through the answer. */
function isTooDeep(bytes: Buffer): boolean {
  let depth = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfText(bytes, at)
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--
    if (depth > DEEPEST) return true
  }
  return false
}

function endOfText(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end !== -1; end = bytes.indexOf(QUOTE, end + 1)) {
    let backslashes = 0
    while (bytes[end - 1 - backslashes] === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return bytes.length
}
