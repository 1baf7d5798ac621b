import { type AddressInfo, createServer, type Socket } from 'node:net'

/** The process that receives mail over SMTP: it accepts everything, counts it, and keeps nothing. */
let received = 0
const END_OF_DATA = Buffer.from('\r\n.\r\n')

function serve(socket: Socket) {
  let rest: Buffer = Buffer.alloc(0)
  let isData = false
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.write('220 bench\r\n')
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let replies = ''
    for (;;) {
      const end = rest.indexOf(isData ? END_OF_DATA : '\r\n')
      if (end === -1) break
      const command = isData ? '.' : rest.toString('latin1', 0, end).toUpperCase()
      rest = rest.subarray(end + (isData ? END_OF_DATA.length : 2))
      replies += replyTo(command)
      isData = command === 'DATA'
    }
    socket.write(replies)
  })
}

function replyTo(command: string) {
  if (command === 'DATA') return '354 go on\r\n'
  if (command === 'QUIT') return '221 bye\r\n'
  if (command.startsWith('EHLO')) return '250-bench\r\n250-PIPELINING\r\n250 8BITMIME\r\n'
  if (command === '.') received++
  return '250 ok\r\n'
}

const server = createServer(serve)
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', () => process.send?.({ received }))
