import { type IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { ADDRESSES, firstCallsOf, isStyledApart, type View, viewAt } from '../../shared/addresses.ts'
import { FRAME_CALLS, PARAMETERS_CALL } from '../../shared/first-calls.ts'
import { accentStyleIn, siteNameIn } from '../../shared/look.ts'
import { tokenInCookie } from '../access/authentication/session-cookie.ts'
import type { Answer } from '../platform/wire/http/answer.ts'
import { compressed, encodingFor } from '../platform/wire/http/compress.ts'
import type { HttpServer, Request } from '../platform/wire/http/http-server.ts'
import { oldQueryIn } from '../platform/wire/old-query.ts'
import { openRequest, sendResponse } from '../serving/send-response.ts'
import type { Service } from '../serving/service.ts'
import type { Assets } from './build-pages.ts'
import type { CallAnswer, FirstCalls } from './first-data.ts'
import { withLook } from './frame-data.ts'
import { idsIn, isForNow, OLD_LINKS } from './old-addresses/old-links.ts'
import { answerXml } from './old-addresses/old-xml.ts'
import { htmlOf, SHELL_POLICY } from './page-shell.ts'
import { aroundPlain, plainPage } from './plain/plain-page.ts'
import { isUnknownProduct } from './plain/plain-product.ts'
import type { PlainSource } from './plain/plain-source.ts'
import { SAFE_HEADERS, serveFiles } from './serve-files.ts'

/** What a page depends on, besides its address. */
const PAGE_VARY = 'Cookie, Accept-Encoding, Origin, Sec-Fetch-Site, Sec-Fetch-Dest'

const PAGE_HEADERS = {
  ...SAFE_HEADERS,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': SHELL_POLICY,
  'Cache-Control': 'no-store',
  Vary: PAGE_VARY,
} as const

/** Serves the pages and the files that they load. */
export class Pages {
  private readonly service: Service
  private readonly assets: () => Promise<Assets>
  private readonly first: FirstCalls

  constructor(service: Service, assets: () => Promise<Assets>, first: FirstCalls) {
    this.service = service
    this.assets = assets
    this.first = first
  }

  addTo(http: HttpServer) {
    for (const [pattern] of ADDRESSES) {
      const count = this.service.metrics.of('GET', pattern)
      http.on('GET', pattern, async (request, response) => {
        const opened = openRequest(this.service, request, pattern, response)
        const view = viewAt(pathOf(request))
        sendResponse(this.service, count, opened, response, await this.page(view, request, response))
      })
    }
    this.addOldLinks(http)
    serveFiles(this.service, this.assets, http)
  }

  /** compat: `/1001` is a bug too. */
  private addOldLinks(http: HttpServer) {
    const count = this.service.metrics.of('GET', 'old links')
    const redirect = (path: string, addressFor: (request: Request) => string) =>
      http.on('GET', path, async (request, response) => {
        const query = oldQueryIn(request.url)
        const ids = XML_SCRIPTS.has(path) && (path === '/xml.cgi' || query.get('ctype') === 'xml') ? idsIn(query) : []
        if (ids.length > 0) {
          const xml = await answerXml(this.first, this.service.baseUrl(), ids, query, [request, response])
          return sendResponse(this.service, count, openRequest(this.service, request, path, response), response, xml)
        }
        const to = addressFor(request)
        const address = this.service.root + to
        const answer = isForNow(to) ? privateRedirection(address) : redirection(address)
        sendResponse(this.service, count, openRequest(this.service, request, path, response), response, answer)
      })
    for (const [path, addressFor] of Object.entries(OLD_LINKS)) redirect(path, ({ url }) => addressFor(oldQueryIn(url)))
    redirect('/:number(^\\d{1,10}$)', ({ path }) => `/bug/${path.number}`)
    http.on('GET', '/attachment/:id', async (request, response) => {
      const opened = openRequest(this.service, request, '/attachment/:id', response)
      sendResponse(this.service, count, opened, response, await this.attachment(request, response))
    })
  }

  /** Leads to the place of an attachment on the page of its bug. One that is hidden is treated like one that does not exist. */
  private async attachment(request: Request, response: ServerResponse): Promise<Answer> {
    const id = request.path.id ?? ''
    const address = `/rest/bug/attachment/${encodeURIComponent(id)}?include_fields=bug_id`
    const found = await this.first.answerOf(address, request, response)
    const { attachments = {} } = JSON.parse(found?.body ?? '{}') as { attachments?: Record<string, { bug_id: number }> }
    const bug = attachments[id]?.bug_id
    return bug === undefined
      ? this.missing(request, response)
      : privateRedirection(`${this.service.root}/bug/${bug}#a${id}`)
  }

  /** Loads the files, and makes pages of each kind once, so that the first reader does not wait for what is only needed first. */
  async warmUp() {
    const raw = new IncomingMessage(new Socket())
    const headers = { 'accept-encoding': 'br', 'sec-fetch-site': 'none' }
    for (const url of ['/', '/bugs', '/bug/1']) {
      const request: Request = { raw, method: 'GET', url, headers, peer: '127.0.0.1', query: {}, path: {} }
      await this.page(viewAt(url), request, new ServerResponse(raw))
    }
  }

  /** The page for an unknown address. */
  missing(request: Request, response: ServerResponse): Promise<Answer> {
    return this.page({ name: 'missing', parts: {} }, request, response)
  }

  private async page(view: View, request: Request, response: ServerResponse): Promise<Answer> {
    const query = new URLSearchParams(request.url.split('?')[1] ?? '')
    const isSignedIn = tokenInCookie(request.headers, this.service.sessionCookie()) !== undefined
    const own = firstCallsOf(view, query, isSignedIn)
    const [frame, first, assets] = await Promise.all([
      this.first.dataFor(FRAME_CALLS, request, response).then((it) => withLook(this.service, request, it)),
      this.first.dataFor(own, request, response),
      this.assets(),
    ])
    const cookies = cookiesIn(request.headers)
    const { root } = this.service
    const bodyOf = bodiesIn(first.answers)
    const { parameters = {} } = bodiesIn(frame.answers)<{ parameters: Record<string, string> }>(PARAMETERS_CALL) ?? {}
    const source = { root, bodyOf, parameters }
    const plain = await plainPage(view, query, source)
    const refusal = plain === undefined ? refusalIn(first.answers) : undefined
    const siteName = siteNameIn(parameters)
    const body = htmlOf({
      title: plain?.title ? `${plain.title} · ${siteName}` : siteName,
      siteName,
      accent: accentStyleIn(parameters),
      description: plain?.description,
      canonical: plain?.canonical === undefined ? undefined : this.service.baseUrl() + plain.canonical,
      plain: aroundPlain(plain, { refusal, root, siteName, parameters }).text,
      root,
      script: assets.script,
      style: assets.style,
      styleApart: assets.styleApart,
      isStyledApart: isStyledApart(view),
      preload: assets.scriptsOf.get(view.name) ?? [],
      theme: oneOf(cookies.get('theme'), THEMES),
      density: oneOf(cookies.get('density'), DENSITIES),
      data: `{"frame":${frame.json},"view":${first.json}}`,
    })
    const status = isMissing(view, source) ? 404 : first.status
    const headers: Answer['headers'] = { ...PAGE_HEADERS }
    if (status === first.status && first.retryAfter !== undefined) headers['Retry-After'] = first.retryAfter
    return compressedForSite({ status, headers, body }, request.headers)
  }
}

function bodiesIn(answers: readonly CallAnswer[]): PlainSource['bodyOf'] {
  const found = new Map(answers.map((answer) => [answer.address, answer]))
  return (address) => {
    const answer = found.get(address)
    return answer?.status === 200 ? JSON.parse(answer.body) : undefined
  }
}

function isMissing({ name, parts }: View, source: PlainSource): boolean {
  return name === 'missing' || (name === 'product' && isUnknownProduct(parts.product ?? '', source))
}

/** Why the reader does not get what the page is about. */
function refusalIn([first]: readonly CallAnswer[]): string | undefined {
  return first === undefined || first.status === 200 ? undefined : JSON.parse(first.body).message
}

/**
 * Not for a page that another site opens: the length of a compressed page with a chosen search in it would tell something about the rest.
 */
function compressedForSite(page: Answer, headers: IncomingHttpHeaders): Answer | Promise<Answer> {
  const encoding = encodingFor(headers)
  const isOwn = OWN_SITES.has(String(headers['sec-fetch-site'] ?? 'none'))
  return encoding === undefined || !isOwn ? page : compressed(page, encoding)
}

const OWN_SITES = new Set(['same-origin', 'none'])

function redirection(address: string): Answer {
  return { status: MOVED_PERMANENTLY, headers: { ...SAFE_HEADERS, Location: address }, body: '' }
}

/** A redirection that depends on what the reader may see. */
function privateRedirection(address: string): Answer {
  const headers = { ...SAFE_HEADERS, Location: address, 'Cache-Control': 'no-store', Vary: PAGE_VARY }
  return { status: FOUND, headers, body: '' }
}

/** compat: they can return bugs as XML. */
const XML_SCRIPTS = new Set(['/show_bug.cgi', '/xml.cgi'])

const MOVED_PERMANENTLY = 301
const FOUND = 302

function pathOf({ url }: Request) {
  return url.split('?')[0] as string
}

const THEMES = ['light', 'dark']
const DENSITIES = ['compact', 'normal', 'roomy']

function oneOf(value: string | undefined, known: readonly string[]) {
  return value !== undefined && known.includes(value) ? value : undefined
}

function cookiesIn({ cookie = '' }: IncomingHttpHeaders) {
  return new Map(cookie.split(';').map((part) => part.trim().split('=', 2) as [string, string]))
}
