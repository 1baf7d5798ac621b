// What differs between the servers that speak this REST API.
import { type Client, RestError } from '../../client/index.ts'

export interface ServerKind {
  /** What is between the address and the calls: `rest`, or `rest.cgi` for a Bugzilla whose web server rewrites no addresses. */
  readonly rest: 'rest' | 'rest.cgi'
  /** Releases 5 of Bugzilla read a key only from the parameters, and without an error are anonymous to one in a header. */
  readonly keyIn: 'header' | 'parameter'
  /** Undefined: it is found out when it matters. */
  readonly isLacewing: boolean | undefined
}

export const USUAL_KIND: ServerKind = { rest: 'rest', keyIn: 'header', isLacewing: undefined }

/** Asks for the release, without a key. Undefined if there is no REST API. */
export async function findServerKind(clientAt: (rest: ServerKind['rest']) => Client): Promise<ServerKind | undefined> {
  for (const rest of ['rest', 'rest.cgi'] as const) {
    try {
      const answer: unknown = await clientAt(rest).get('/version')
      const version = typeof answer === 'object' && answer !== null && 'version' in answer ? answer.version : undefined
      if (typeof version !== 'string') continue
      return /^5\./.test(version)
        ? { rest, keyIn: 'parameter', isLacewing: false }
        : { rest, keyIn: 'header', isLacewing: undefined }
    } catch (fault) {
      if (!isElsewhere(fault)) throw fault
    }
  }
  return undefined
}

/** A web server answers with a page where nothing is. */
function isElsewhere(fault: unknown): boolean {
  if (!(fault instanceof RestError) || fault.status >= 500) return false
  return fault.status === 404 || (fault.code === 0 && (fault.status < 300 || fault.status >= 400))
}

/** Only Lacewing has scopes in `whoami`, and names the reason of an error. */
export async function asksLikeLacewing(client: Client): Promise<boolean> {
  try {
    const answer: unknown = await client.get('/whoami')
    return typeof answer === 'object' && answer !== null && 'scopes' in answer && Array.isArray(answer.scopes)
  } catch (fault) {
    if (fault instanceof RestError && fault.code !== 0) return fault.reason !== undefined
    throw fault
  }
}
