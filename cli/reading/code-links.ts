import { isMissingCall } from '../failures/rest-failures.ts'
import type { Connection } from '../servers/connection.ts'
import type { FoundBug } from './found-bugs.ts'

/** Changes under review and commits of a bug; undefined if the server does not have them. */
export async function readCodeLinks(connection: Connection, id: string): Promise<readonly FoundBug[] | undefined> {
  if (!(await connection.isLacewing())) return undefined
  try {
    const body: unknown = await connection.client.read(`/rest/bug/${encodeURIComponent(id)}/code`)
    const links = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
    return Array.isArray(links) ? links : []
  } catch (fault) {
    if (isMissingCall(fault)) return undefined
    throw fault
  }
}
