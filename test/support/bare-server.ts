import { type HttpLimits, HttpServer } from '../../src/platform/wire/http/http-server.ts'

/** The HTTP layer without the application. What it refuses has an empty body, and the code of the fault in a header. */
export function bareServer(limits: Partial<HttpLimits> = {}) {
  const faults: unknown[] = []
  const http = new HttpServer(
    {
      addressCharacters: 1000,
      headerBytes: 8 * 1024,
      requestMilliseconds: 20_000,
      keepAliveMilliseconds: 5000,
      discardBytes: 256 * 1024,
      discardMilliseconds: 20_000,
      ...limits,
    },
    {
      notFound: (_, response) => response.writeHead(404, { 'Content-Length': 4 }).end('none'),
      tooLong: (_, response) => response.writeHead(414, { 'Content-Length': 0 }).end(),
      badAddress: (_, response) => response.writeHead(400, { 'Content-Length': 0 }).end(),
      noHost: (_, response) => response.writeHead(400, { 'Content-Length': 0 }).end(),
      broken: (fault, socket) =>
        socket.write(`HTTP/1.1 400 Bad\r\nX-Code: ${fault.code}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`),
      failed(fault, response) {
        faults.push(fault)
        if (response.headersSent) response.destroy()
        else response.writeHead(500, { 'Content-Length': 0 }).end()
      },
      notAccepted: (fault) => void faults.push(fault),
    },
    '',
  )
  return { http, faults }
}
