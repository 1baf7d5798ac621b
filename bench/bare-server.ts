import { createServer } from 'node:http'

/** The baseline: node:http and nothing else, which returns the given bytes. */
process.once('message', ({ headers, body }: { headers: Record<string, string>; body: string }) => {
  const bytes = Buffer.from(body)
  const server = createServer((_, response) => {
    response.writeHead(200, headers)
    response.end(bytes)
  })
  server.keepAliveTimeout = 75_000
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port))
})
