import pg from 'pg'
import { connectionSettings } from '../postgres/postgres-connection.ts'
import { STANDBY_STATE, type StandbyState } from './wal-position.ts'

/** A standby that takes longer to say how far it is has died, or is frozen. */
const LONGEST_MILLISECONDS = 2000

/** Asks a standby how far it is, on a connection of its own: those for reads may all be busy. */
export class StandbyProbe {
  private readonly url: string
  private client: pg.Client | undefined
  private running: Promise<StandbyState> | undefined

  constructor(url: string) {
    this.url = url
  }

  /** The state at some moment after the call. One question is asked at a time. */
  async state(): Promise<StandbyState> {
    await this.running?.catch(() => {})
    this.running ??= this.ask().finally(() => {
      this.running = undefined
    })
    return this.running
  }

  async close() {
    const { client } = this
    this.client = undefined
    await client?.end().catch(() => {})
  }

  private async ask(): Promise<StandbyState> {
    try {
      this.client ??= await connected(this.url)
      const { rows } = await this.client.query<StandbyState>(STANDBY_STATE)
      const [state] = rows
      if (state === undefined) throw new Error('a standby said nothing')
      return state
    } catch (fault) {
      // Without waiting: a frozen standby answers no farewell.
      void this.close()
      throw fault
    }
  }
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    ...connectionSettings(url),
    connectionTimeoutMillis: LONGEST_MILLISECONDS,
    query_timeout: LONGEST_MILLISECONDS,
  })
  client.on('error', () => {})
  await client.connect()
  return client
}
