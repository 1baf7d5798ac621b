import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { after, describe, it } from 'node:test'
import { Signals } from '../signals.ts'
import { PostgresListener } from './postgres-listener.ts'

const postgres = new URL(`${process.env.LACEWING_TEST_POSTGRES}/postgres`)
const WAITS = { timeoutMilliseconds: 200, againAfterMilliseconds: 1 }

describe('The connection that listens to PostgreSQL', { timeout: 30_000 }, () => {
  const sockets = new Set<Socket>()
  const servers: Server[] = []
  after(() => {
    for (const socket of sockets) socket.destroy()
    for (const server of servers) server.close()
  })

  /** Passes connections on to PostgreSQL, except the first one, which is treated as `first` says. */
  async function relay(first: (socket: Socket) => void): Promise<string> {
    let count = 0
    const server = createServer((socket) => {
      remember(socket)
      if (++count === 1) return first(socket)
      socket.pipe(toPostgres()).pipe(socket)
    }).listen(0, '127.0.0.1')
    servers.push(server)
    await once(server, 'listening')
    const url = new URL(postgres)
    url.port = String((server.address() as AddressInfo).port)
    return url.href
  }

  function toPostgres() {
    return remember(connect(Number(postgres.port), postgres.hostname))
  }

  function remember(socket: Socket) {
    socket.on('error', () => {})
    sockets.add(socket)
    return socket
  }

  async function isWoken(url: string) {
    const signals = new Signals()
    const woken = new Promise<void>((resolve) => void signals.listen('events', resolve))
    const listener = new PostgresListener(url, signals, WAITS)
    await woken
    await listener.close()
  }

  it('is made anew if a server accepts it and does not respond', async () => {
    await isWoken(await relay(() => {}))
  })

  it('is made anew if the server stops responding after the login', async () => {
    await isWoken(
      await relay((socket) => {
        const server = toPostgres()
        socket.pipe(server)
        // The first response is that to the login.
        server.once('data', (bytes) => socket.write(bytes))
      }),
    )
  })
})
