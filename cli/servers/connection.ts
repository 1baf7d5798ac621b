import { Client } from '../../client/index.ts'
import { failureFor } from '../failures/rest-failures.ts'
import { boundedFetch } from './bounded-fetch.ts'
import type { ChosenServer } from './choose-server.ts'
import { asksLikeLacewing, findServerKind, type ServerKind, USUAL_KIND } from './server-kind.ts'

/** A server with the client that talks to it. */
export class Connection {
  readonly server: ChosenServer
  readonly client: Client
  private knownKind: Promise<ServerKind> | undefined
  private isKnownLacewing: boolean | undefined

  constructor(server: ChosenServer) {
    this.server = server
    this.client = clientWith(server, () => this.kind())
    this.isKnownLacewing = server.kind?.isLacewing
  }

  /** How messages call the server. */
  get name() {
    return this.server.name
  }

  /** Whether the server is a Lacewing: a Bugzilla has other calls, and knows no Idempotency-Key. */
  async isLacewing(): Promise<boolean> {
    this.isKnownLacewing ??= (await this.kind()).isLacewing ?? (await asksLikeLacewing(this.client))
    return this.isKnownLacewing
  }

  /** The address of a page for people. */
  async pageOf(bug: string | number) {
    const id = encodeURIComponent(String(bug))
    return (await this.isLacewing()) ? `${this.server.url}/bug/${id}` : `${this.server.url}/show_bug.cgi?id=${id}`
  }

  /** That of a server for which nobody has logged in is asked for once. */
  private kind(): Promise<ServerKind> {
    const { kind, url } = this.server
    this.knownKind ??= kind
      ? Promise.resolve(kind)
      : findServerKind((rest) => clientFor({ url, rest })).then(
          (found) => found ?? USUAL_KIND,
          (fault) => {
            throw failureFor(fault, this.name)
          },
        )
    return this.knownKind
  }
}

interface Access extends Partial<ServerKind> {
  readonly url: string
  readonly apiKey?: string | undefined
}

/** A client for a server of which everything is known. */
export function clientFor(access: Access, headers: Readonly<Record<string, string>> = {}): Client {
  return clientWith(access, async () => ({ ...USUAL_KIND, ...access }), headers)
}

/** Redirections are not followed, so that the key goes nowhere else. */
function clientWith(
  { url, apiKey }: Access,
  kind: () => Promise<ServerKind>,
  headers: Readonly<Record<string, string>> = {},
): Client {
  return new Client({
    url,
    headers: { 'User-Agent': 'lacewing', ...headers },
    fetch: boundedFetch({ base: url, apiKey, kind }),
  })
}
