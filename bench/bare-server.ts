import { createServer } from 'node:http'

/** The peer: node:http and nothing else, answering bytes that it was given. */
process.once('message', ({ headers, body }: { headers: Record<string, string>; body: string }) => {
  const bytes = Buffer.from(body)
  const server = createServer((_, response) => {
    response.writeHead(200, headers)
    response.end(bytes)
  })
  server.keepAliveTimeout = 75_000
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port))
})
