import pg from 'pg'
import { connectionTarget } from './postgres-address.ts'

/** Internals of a pg connection that its types do not declare. */
interface Wire {
  connect(port: number | string, host?: string): void
  requestSsl(): void
  cancel(processId: number, secretKey: number): void
  readonly stream: { destroy(): void }
  on(event: string, listener: () => void): void
}

const LONGEST_MILLISECONDS = 4000

interface Target {
  processID: number | null
  secretKey: number | null
}

/**
 * Sends PostgreSQL's cancel request for the running statement of `client`, and waits until it was received. It uses a
 * separate connection, which counts towards no limit and needs no login.
 */
export function requestCancel(url: string, client: pg.Client): Promise<void> {
  const { processID, secretKey } = client as unknown as Target
  const { host, port, ssl, connection } = new pg.Client(connectionTarget(url))
  const wire = connection as unknown as Wire
  return new Promise((resolve) => {
    const late = setTimeout(() => wire.stream.destroy(), LONGEST_MILLISECONDS)
    const done = () => {
      clearTimeout(late)
      resolve()
    }
    const cancel = () => wire.cancel(processID ?? 0, secretKey ?? 0)
    wire.on('connect', () => (ssl ? wire.requestSsl() : cancel()))
    wire.on('sslconnect', cancel)
    wire.on('error', done)
    wire.on('end', done)
    if (host.startsWith('/')) wire.connect(`${host}/.s.PGSQL.${port}`)
    else wire.connect(port, host)
  })
}
