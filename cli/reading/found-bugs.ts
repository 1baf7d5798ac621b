import type { Answer, ParamsOf } from '../../client/index.ts'
import type { Connection } from '../servers/connection.ts'
import { objectsIn } from './objects-in.ts'

type Page = Answer<'GET /bug'>

export type FoundBug = Readonly<Record<string, unknown>>

const BUGS_AT_ONCE = 500

/** The bugs of a search, page by page. Bugzilla has no cursor, so the next page begins with an offset there. */
export async function* foundBugs({ client }: Connection, params: Record<string, unknown>, limit: number) {
  let [found, cursor]: [number, string | undefined] = [0, undefined]
  while (found < limit) {
    const asked = Math.min(BUGS_AT_ONCE, limit - found)
    const where: object = cursor !== undefined ? { cursor } : found > 0 ? { offset: found } : {}
    const page: Page = await client.get('/bug', { ...params, ...where, limit: asked } as ParamsOf<'GET /bug'>)
    const bugs = objectsIn(page.bugs, 'bugs')
    yield { bugs, total: typeof page.total_matches === 'number' ? page.total_matches : undefined }
    found += bugs.length
    cursor = page.next_cursor
    if (bugs.length < asked || (cursor === undefined && page.total_matches !== undefined)) return
  }
}
