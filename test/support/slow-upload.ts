import { connect, type Socket } from 'node:net'

const KIB = 1024

/** Sends the beginning, waits for a response, then sends the rest, like a client that reads only after it has written everything. */
export async function slowUpload(url: string, beginning: string, rest: number) {
  const socket = openSocket(url)
  const reply = replyOn(socket)
  socket.write(beginning)
  await reply.started
  for (let sent = 0; sent < rest; sent += 64 * KIB) await write(socket, Buffer.alloc(64 * KIB, 'x'))
  socket.end()
  return reply.whole
}

export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url)
  return connect({ port: Number(port), host: hostname, allowHalfOpen: true })
}

/** What arrives on a connection: when it begins, and all of it. */
export function replyOn(socket: Socket) {
  let text = ''
  const started = new Promise<void>((resolve) => socket.once('data', () => resolve()))
  const whole = new Promise<string>((resolve, reject) => {
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(text))
  })
  whole.catch(() => {})
  return { started, whole }
}

function write(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => socket.write(bytes, (fault) => (fault ? reject(fault) : resolve())))
}
