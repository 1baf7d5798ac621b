import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { parseMail, type ReceivedMail } from './parse-mail.ts'

/** A real mail server that keeps messages and can simulate faults. */
export class TestMailServer {
  readonly messages: ReceivedMail[] = []
  /** Mail about new accounts, kept separately because every test creates accounts. */
  readonly notices: ReceivedMail[] = []
  /** The number of connections and of recipients, successful or not. */
  connections = 0
  tried = 0
  /** The response to a recipient, or a fault. May wait, and may never resolve. */
  onRecipient: (address: string, session: SMTPServerSession) => Promise<void> = async () => {}
  /** The response to a message. */
  onMessage: (message: ReceivedMail, session: SMTPServerSession) => Promise<void> = async () => {}
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
          const message = parseMail(Buffer.concat(chunks), session)
          this.onMessage(message, session).then(
            () => {
              const isNotice = message.headers.get('x-tracker-type')?.[0] === 'admin'
              const kept = isNotice ? this.notices : this.messages
              kept.push(message)
              done()
            },
            (fault) => done(fault),
          )
        })
      },
      ...options,
    })
    // A client that disconnects is not a failure of the test.
    this.server.on('error', () => {})
  }

  async open(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve))
    // After a failed test, which does not come to `close`, the process ends all the same.
    this.server.server.unref()
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

  /** Closes all connections at once, even in the middle of a message. */
  hangUp() {
    for (const connection of this.server.connections) connection._socket.destroy()
  }

  /** Restores the initial behaviour. */
  clear() {
    this.messages.length = 0
    this.notices.length = 0
    this.tried = 0
    this.connections = 0
    this.onRecipient = async () => {}
    this.onMessage = async () => {}
  }
}

/** An error response of a mail server. */
export function reply(code: number, text: string) {
  return Object.assign(new Error(text), { responseCode: code })
}
