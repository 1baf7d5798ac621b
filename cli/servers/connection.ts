import { Client, RestError } from '../../client/index.ts'
import { boundedFetch } from './bounded-fetch.ts'
import type { ChosenServer } from './choose-server.ts'

/** A server with the client that talks to it. */
export class Connection {
  readonly server: ChosenServer
  readonly client: Client
  private isKnownLacewing: boolean | undefined

  constructor(server: ChosenServer) {
    this.server = server
    this.client = clientFor(server)
    this.isKnownLacewing = server.isLacewing
  }

  /** How messages call the server. */
  get name() {
    return this.server.name
  }

  /** Whether the server is a Lacewing: a Bugzilla has other calls, and knows no Idempotency-Key. */
  async isLacewing(): Promise<boolean> {
    this.isKnownLacewing ??= await asksLikeLacewing(this.client)
    return this.isKnownLacewing
  }

  /** The address of a page for people. */
  async pageOf(bug: string | number) {
    const id = encodeURIComponent(String(bug))
    return (await this.isLacewing()) ? `${this.server.url}/bug/${id}` : `${this.server.url}/show_bug.cgi?id=${id}`
  }
}

type Access = Pick<ChosenServer, 'url' | 'rest'> & { readonly apiKey?: string | undefined }

/** Both kinds of server know this header. Redirections are not followed, so that the key goes nowhere else. */
export function clientFor({ url, rest, apiKey }: Access, headers: Readonly<Record<string, string>> = {}): Client {
  return new Client({
    url,
    headers: { 'User-Agent': 'lacewing', ...(apiKey !== undefined && { 'X-BUGZILLA-API-KEY': apiKey }), ...headers },
    fetch: boundedFetch({ rest, base: url }),
  })
}

/** Only Lacewing has scopes in `whoami`, and names the reason of an error. */
export async function asksLikeLacewing(client: Client): Promise<boolean> {
  try {
    return Array.isArray((await client.get('/whoami')).scopes)
  } catch (fault) {
    if (fault instanceof RestError && fault.code !== 0) return fault.reason !== undefined
    throw fault
  }
}
