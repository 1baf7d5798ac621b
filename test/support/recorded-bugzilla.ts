import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request, and what a Bugzilla 5.2 answered to it. `of`: put together from parts of that other answer. */
interface Step {
  readonly name: string
  readonly of?: string
  /** Whose key it had; none if the request was anonymous. */
  readonly as?: string
  /** Such as `GET /bug?id=1`. */
  readonly request: string
  readonly sent?: Readonly<Record<string, unknown>>
  readonly status: number
  readonly answer: unknown
}

/** What a request may have beside the parameters of the recorded one, because the answer is the same: a Bugzilla ignores what it does not know. */
const WITHOUT_EFFECT = new Set([
  'include_fields',
  'exclude_fields',
  'order',
  'limit',
  'with_total',
  'count_only',
  'oldest',
  'newest',
])

const STEPS: readonly Step[] = readFileSync(new URL('../cli/bugzilla-recording.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

/**
 * A server that answers as a Bugzilla 5.2 was seen to answer, with its recorded answers. It reads keys from parameters only. A request that was not
 * recorded, in every parameter and every part of its body, is in `unknown`.
 */
export class RecordedBugzilla {
  /** By key, which is `key-of-` and the user's name. */
  static keyOf(user: string) {
    return `key-of-${user}`
  }

  /** The names of the steps that were answered, such as `bug.get.min`. */
  readonly answered: string[] = []
  readonly unknown: string[] = []
  /** Addresses as the log of a web server has them. */
  readonly log: string[] = []
  url = ''
  private readonly rest: string
  private readonly server = createServer((request, response) => void this.reply(request, response))

  /** `rest.cgi` is a Bugzilla whose web server rewrites no addresses. */
  constructor(rest: 'rest' | 'rest.cgi' = 'rest') {
    this.rest = `/bugzilla/${rest}`
  }

  async open() {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/bugzilla`
    return this
  }

  close() {
    this.server.closeAllConnections()
    this.server.close()
  }

  private async reply(request: IncomingMessage, response: ServerResponse) {
    let text = ''
    for await (const chunk of request) text += chunk
    const url = new URL(request.url ?? '', this.url)
    this.log.push(`${request.method} ${request.url}`)
    if (!url.pathname.startsWith(`${this.rest}/`)) {
      response.writeHead(404, { 'Content-Type': 'text/html' }).end('<!DOCTYPE HTML><title>404 Not Found</title>')
      return
    }
    const step = this.stepFor(request.method ?? '', url, text === '' ? {} : JSON.parse(text))
    response.writeHead(step.status, { 'Content-Type': 'application/json; charset=UTF-8' })
    response.end(JSON.stringify(step.answer))
  }

  private stepFor(method: string, url: URL, sent: Record<string, unknown>): Step {
    const path = url.pathname.slice(this.rest.length)
    const key = sent.api_key ?? sent.Bugzilla_api_key ?? url.searchParams.get('api_key')
    for (const name of ['api_key', 'Bugzilla_api_key']) {
      delete sent[name]
      url.searchParams.delete(name)
    }
    const user = /^key-of-(\w+)$/.exec(String(key ?? ''))?.[1]
    if (key != null && user === undefined && path !== '/version') return this.noted(stepCalled('auth.bad_api_key.bug'))
    if (path === '/valid_login') return this.noted(validLogin(url.searchParams.get('login'), user))
    const here = STEPS.filter(({ name, request }) => partsOf(request).path === path && name !== 'auth.bad_api_key.bug')
    if (here.length === 0) return stepCalled('auth.whoami')
    const same = here.filter(({ request, status, sent: recorded = {} }) => {
      const parts = partsOf(request)
      // The same parameters, unless they make no difference.
      const isAsked = status >= 400 || hasParams(parts.query, url.searchParams)
      return parts.method === method && isAsked && isSame(recorded, sent)
    })
    const isOpen = method === 'GET' || user !== undefined
    const step =
      same.find(({ as }) => as === user) ??
      same.find(({ name, as }) => isOpen && as !== undefined && !name.includes('forbidden')) ??
      (method === 'GET' ? same[0] : undefined)
    if (step !== undefined) return this.noted(step)
    this.unknown.push(`${method} ${path}${url.search} ${JSON.stringify(sent)}`)
    return { name: 'unknown', request: '', status: 501, answer: { error: true, code: 1, message: 'Not recorded' } }
  }

  private noted(step: Step): Step {
    this.answered.push(step.name)
    return step
  }
}

function stepCalled(name: string): Step {
  const step = STEPS.find((it) => it.name === name)
  if (step === undefined) throw new Error(`${name} was not recorded`)
  return step
}

/** A login with the owner's key; the recording has tokens. */
function validLogin(login: string | null, user: string | undefined): Step {
  if (user === undefined) return stepCalled('auth.valid_login.anon')
  return stepCalled(login === `${user}@example.com` ? 'auth.valid_login.ok' : 'auth.valid_login.other')
}

function partsOf(request: string) {
  const [, method = '', path = '', query = ''] = /^(\w+) ([^?]*)\??(.*)$/.exec(request) ?? []
  return { method, path, query: new URLSearchParams(query) }
}

function hasParams(recorded: URLSearchParams, sent: URLSearchParams): boolean {
  const names = new Set([...recorded.keys(), ...sent.keys()])
  return [...names].every((name) => {
    if (!recorded.has(name)) return WITHOUT_EFFECT.has(name)
    // Who counts chooses no fields.
    return (
      recorded.getAll(name).join() === sent.getAll(name).join() || (name === 'include_fields' && sent.has('count_only'))
    )
  })
}

/** Perl makes no difference between a number and its text. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null)
    return typeof a === 'boolean' || typeof b === 'boolean' ? a === b : String(a) === String(b)
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))]
  return (
    Array.isArray(a) === Array.isArray(b) &&
    names.every((name) => left.has(name) && right.has(name) && isSame(left.get(name), right.get(name)))
  )
}
