import { authenticate } from '../access/authentication/authenticate.ts'
import { anonymous } from '../access/caller.ts'
import type { OpenRequest } from '../access/open-request.ts'
import { bugsVisibleTo, viewerOf } from '../access/visibility/visible-bugs.ts'
import type { Compilable } from '../platform/database/statements/builder.ts'
import type { Answer } from '../platform/wire/http/answer.ts'
import type { HttpServer, Request } from '../platform/wire/http/http-server.ts'
import { LARGEST_ID } from '../platform/wire/reference.ts'
import { originOf } from '../serving/authenticate-call.ts'
import { servePage, textPage } from '../serving/server-pages.ts'
import type { Service } from '../serving/service.ts'
import { escaped } from './page-shell.ts'

/** The numbers of bugs in one part of the sitemap. The protocol allows 50,000 addresses. */
const NUMBERS_IN_PART = 10_000
const XML = 'application/xml; charset=utf-8'

/** What programs that read the whole site ask for: robots.txt, and the public bugs as a sitemap. */
export function serveCrawlers(service: Service, http: HttpServer) {
  servePage(service, http, '/robots.txt', async (request) =>
    textPage('text/plain; charset=utf-8', await robots(service, request)),
  )
  servePage(service, http, '/sitemap.xml', (request, opened) => sitemapIndex(service, request, opened))
  servePage(service, http, '/sitemap/:part(^\\d{1,6}\\.xml$)', (request, opened) =>
    sitemapPart(service, request, opened),
  )
}

/** Searches, forms and the REST API are no reading matter: bugs, products and the lists of them are. */
const NOT_FOR_CRAWLERS = [
  '/rest/',
  '/rest.cgi/',
  '/bugs',
  '/file',
  '/login',
  '/oauth/',
  '/join',
  '/forgot',
  '/confirm',
  '/settings',
  '/admin',
  '/inbox',
  '/requests',
  '/unsubscribe/',
  '/user/',
]

async function robots({ authenticator, root, baseUrl }: Service, request: Request): Promise<string> {
  const { settings } = await authenticate(authenticator, {}, originOf(request))
  const paths = settings.requirelogin ? ['/'] : NOT_FOR_CRAWLERS
  const lines = ['User-agent: *', ...paths.map((path) => `Disallow: ${root}${path}`)]
  if (settings.publish_sitemap && !settings.requirelogin) lines.push(`Sitemap: ${baseUrl()}/sitemap.xml`)
  return `${lines.join('\n')}\n`
}

/** The parts are all numbers up to the last public bug, so that they tell nothing about those in between. */
async function sitemapIndex(service: Service, request: Request, opened: OpenRequest): Promise<Answer> {
  const bugs = await publicBugs(service, request, opened)
  if (bugs === undefined) return noSitemap()
  const [last] = await bugs((q) => q.select('bugs.id').orderBy('bugs.id', 'desc').limit(1))
  const count = last === undefined ? 0 : Math.floor(last.id / NUMBERS_IN_PART) + 1
  const base = escaped(service.baseUrl())
  const parts = Array.from(
    { length: count },
    (_, part) => `<sitemap><loc>${base}/sitemap/${part}.xml</loc></sitemap>\n`,
  )
  return textPage(XML, `${HEAD}<sitemapindex xmlns="${NAMESPACE}">\n${parts.join('')}</sitemapindex>\n`)
}

async function sitemapPart(service: Service, request: Request, opened: OpenRequest): Promise<Answer> {
  const bugs = await publicBugs(service, request, opened)
  if (bugs === undefined) return noSitemap()
  const from = Number.parseInt(request.path.part ?? '', 10) * NUMBERS_IN_PART
  if (from > LARGEST_ID) return noSitemap()
  const found = await bugs((q) =>
    q
      .select(['bugs.id', 'bugs.changed_at'])
      .where('bugs.id', '>=', from)
      .where('bugs.id', '<=', Math.min(from + NUMBERS_IN_PART - 1, LARGEST_ID))
      .orderBy('bugs.id'),
  )
  const base = escaped(service.baseUrl())
  const entries = found.map(
    ({ id, changed_at: changed }) => `<url><loc>${base}/bug/${id}</loc><lastmod>${changed}</lastmod></url>\n`,
  )
  return textPage(XML, `${HEAD}<urlset xmlns="${NAMESPACE}">\n${entries.join('')}</urlset>\n`)
}

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** Reads bugs that everybody may see. Undefined if there is no sitemap. Counted as a search of the caller's address, also with credentials. */
async function publicBugs({ authenticator }: Service, request: Request, opened: OpenRequest) {
  const { settings, address } = await authenticate(authenticator, {}, originOf(request))
  opened.address = address
  authenticator.rateLimit.count({ id: null, address, isSearch: true }, settings)
  if (!settings.publish_sitemap || settings.requirelogin) return undefined
  const db = authenticator.db.within(opened.readLimits)
  return <Row>(query: (bugs: ReturnType<typeof bugsVisibleTo>) => Compilable<Row>) =>
    db.querySlowly((q, d) => query(bugsVisibleTo(q, d, settings, viewerOf(anonymous))))
}

function noSitemap(): Answer {
  return { ...textPage('text/plain; charset=utf-8', 'There is no sitemap.'), status: 404 }
}
