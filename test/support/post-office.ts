import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { type Letter, readLetter } from './read-letter.ts'

/** A real mail server that keeps what it gets, and can be told to behave badly. */
export class PostOffice {
  readonly letters: Letter[] = []
  /** What tells of accounts is kept apart: everybody in a test has one that was made for it. */
  readonly notices: Letter[] = []
  /** Connections that were opened, and recipients that were tried, whatever became of them. */
  connections = 0
  tried = 0
  /** What to say to a recipient, or a fault. May wait, and may never answer. */
  onRecipient: (address: string, session: SMTPServerSession) => Promise<void> = async () => {}
  /** What to say once a message is there. */
  onMessage: (message: Letter, session: SMTPServerSession) => Promise<void> = async () => {}
  private readonly server: SMTPServer
  port = 0

  constructor(options: SMTPServerOptions = {}) {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      closeTimeout: 100,
      onConnect: (_, done) => {
        this.connections++
        done()
      },
      onRcptTo: ({ address }, session, done) => {
        this.tried++
        this.onRecipient(address, session).then(() => done(), done)
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const message = readLetter(Buffer.concat(chunks), session)
          this.onMessage(message, session).then(
            () => {
              const isNotice = message.headers.get('x-tracker-type')?.[0] === 'admin'
              const kept = isNotice ? this.notices : this.letters
              kept.push(message)
              done()
            },
            (fault) => done(fault),
          )
        })
      },
      ...options,
    })
    // A client that breaks off is not a fault of the test.
    this.server.on('error', () => {})
  }

  async open(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve))
    const address = this.server.server.address()
    this.port = typeof address === 'object' && address !== null ? address.port : 0
    return this
  }

  get url() {
    return `smtp://127.0.0.1:${this.port}`
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()))
  }

  /** Breaks off every connection, in the middle of whatever is said. */
  hangUp() {
    for (const connection of this.server.connections) connection._socket.destroy()
  }

  /** As it was at the beginning. */
  clear() {
    this.letters.length = 0
    this.notices.length = 0
    this.tried = 0
    this.connections = 0
    this.onRecipient = async () => {}
    this.onMessage = async () => {}
  }
}

/** A fault as a mail server tells it. */
export function reply(code: number, text: string) {
  return Object.assign(new Error(text), { responseCode: code })
}
