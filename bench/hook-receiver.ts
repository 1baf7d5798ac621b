import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The process that receives webhooks: it accepts everything, and never answers requests to /hang. */
let received = 0
const server = createServer((request, response) => {
  request.resume()
  if (request.url === '/hang') return
  received++
  response.writeHead(204).end()
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', () => {
  process.send?.({ received })
  received = 0
})
