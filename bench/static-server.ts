import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'

/** A file that is served as it is. */
export interface StaticFile {
  contentType: string
  body: string
  isKept: boolean
}

/** The baseline of the pages: node:http and a few files, compressed in advance. */
process.once('message', (files: Record<string, StaticFile>) => {
  const ready = new Map(
    Object.entries(files).map(([path, { contentType, body, isKept }]) => {
      const headers = {
        'Content-Type': contentType,
        'Content-Encoding': 'gzip',
        'Cache-Control': isKept ? 'public, max-age=31536000, immutable' : 'no-store',
      }
      return [path, { headers, bytes: gzipSync(body) }]
    }),
  )
  const server = createServer(({ url = '' }, response) => {
    const file = ready.get(url)
    response.writeHead(file === undefined ? 404 : 200, file?.headers)
    response.end(file?.bytes)
  })
  server.keepAliveTimeout = 75_000
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port))
})
