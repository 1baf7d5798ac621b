import type { IncomingHttpHeaders } from 'node:http'
import type { Answer } from '../platform/wire/http/answer.ts'
import { encodingFor } from '../platform/wire/http/compress.ts'
import type { HttpServer, Request } from '../platform/wire/http/http-server.ts'
import { openRequest, sendResponse } from '../serving/send-response.ts'
import { servePage } from '../serving/server-pages.ts'
import type { Service } from '../serving/service.ts'
import { accentStyle } from './accent.ts'
import type { Asset, Assets } from './build-pages.ts'

export const SAFE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const

/** For scripts and styles, of which a first visit loads a dozen: what is said about frames, openers and links matters only for pages. */
const SAFE_PART_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const

const KEPT_FOR_EVER = 'public, max-age=31536000, immutable'

/** Serves the scripts, styles and pictures of the pages. */
export function serveFiles(service: Service, assets: () => Promise<Assets>, http: HttpServer) {
  servePage(service, http, '/look/:file(^[0-9a-f]{6}\\.css$)', ({ path }) => ({
    status: 200,
    headers: { ...SAFE_PART_HEADERS, 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': KEPT_FOR_EVER },
    body: accentStyle((path.file ?? '').slice(0, 6)),
  }))
  const current = service.metrics.of('GET', '/assets/current')
  http.on('GET', '/assets/current', async (request, response) => {
    const { script } = await assets()
    const opened = openRequest(service, request, '/assets/current', response)
    sendResponse(service, current, opened, response, textAnswer(200, script))
  })
  const count = service.metrics.of('GET', '/assets/:file')
  http.on('GET', '/assets/:file', async (request, response) => {
    const opened = openRequest(service, request, '/assets/:file', response)
    const asset = (await assets()).files.get(request.path.file ?? '')
    const answer = asset === undefined ? missingFile() : assetAnswer(asset, request.headers, isNamedByContent(request))
    sendResponse(service, count, opened, response, answer)
  })
}

/** The name of most files contains a digest of their content, so that browsers keep them for ever. */
function isNamedByContent({ path }: Request) {
  return /-[A-Z0-9]{8}\.[\w.]+$/.test(path.file ?? '')
}

function assetAnswer(asset: Asset, headers: IncomingHttpHeaders, isKept: boolean): Answer {
  const encoding = encodingFor(headers)
  const compressed = encoding === 'br' ? asset.brotli : encoding === 'gzip' ? asset.gzip : undefined
  const answer = {
    ...(asset.contentType.startsWith('image/') ? SAFE_HEADERS : SAFE_PART_HEADERS),
    'Content-Type': asset.contentType,
    'Cache-Control': isKept ? KEPT_FOR_EVER : 'public, max-age=3600',
    Vary: 'Accept-Encoding',
  }
  return {
    status: 200,
    headers: compressed === undefined || encoding === undefined ? answer : { ...answer, 'Content-Encoding': encoding },
    body: compressed ?? asset.plain,
  }
}

function missingFile(): Answer {
  return textAnswer(404, 'There is no such file.')
}

function textAnswer(status: number, body: string): Answer {
  const headers = { ...SAFE_HEADERS, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }
  return { status, headers, body }
}
