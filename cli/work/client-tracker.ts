import { RestError } from '../../client/index.ts'
import { bodyIn } from '../../client/rest-error.ts'
import {
  type CallOptions,
  isReservedName,
  type Tracker,
  type TrackerAnswer,
  TrackerRefusal,
} from '../../shared/mcp/tracker.ts'
import { addressOf, fillPath, type Parameters } from '../../shared/rest-address.ts'
import { failureFor } from '../failures/rest-failures.ts'
import type { Connection } from '../servers/connection.ts'

/** A longer answer is not read for a tool. */
const MOST_CHARACTERS = 6_000_000

/** The tracker as the tools of `lacewing mcp` use it: the chosen server, with the key of the command line. */
export class ClientTracker implements Tracker {
  readonly url: string
  readonly isLacewing: boolean
  readonly scopes: ReadonlySet<string> | undefined
  private readonly connection: Connection

  constructor(connection: Connection, isLacewing: boolean, scopes: ReadonlySet<string> | undefined) {
    this.url = connection.server.url
    this.isLacewing = isLacewing
    this.scopes = scopes
    this.connection = connection
  }

  async call(method: string, path: string, params: Parameters = {}, options: CallOptions = {}): Promise<TrackerAnswer> {
    if (Object.keys(params).some(isReservedName)) throw refused('A parameter has a name that is reserved.')
    const { address, rest } = fillPath(path, params)
    const isRead = method === 'GET'
    try {
      const { client } = this.connection
      const response = await client.send(
        method,
        isRead ? addressOf(path, params) : address,
        isRead ? undefined : rest,
        options,
      )
      const text = await response.text()
      if (text.length > MOST_CHARACTERS) throw refused('The answer is too long for a tool: ask for less at once.')
      const body = bodyIn(response.status, text)
      return { status: response.status, body, etag: response.headers.get('ETag') ?? undefined }
    } catch (fault) {
      throw this.refusalOf(fault)
    }
  }

  private refusalOf(fault: unknown): TrackerRefusal {
    if (fault instanceof TrackerRefusal) return fault
    const { message } = failureFor(fault, this.connection.name)
    if (!(fault instanceof RestError)) return refused(message)
    return new TrackerRefusal({ status: fault.status, code: fault.code, reason: fault.reason, message })
  }
}

function refused(message: string) {
  return new TrackerRefusal({ status: 0, code: 0, message })
}
