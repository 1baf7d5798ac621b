import { addressOf } from '../../../../shared/rest-address.ts'
import { changeTogether } from '../../../core/bugs/change-many.ts'
import { get, RestError } from '../../../core/server/rest.ts'

/** What bugs can leave: a component, version or milestone of a product. */
export interface MovedFrom {
  product: string
  field: 'component' | 'version' | 'target_milestone'
  name: string
}

const FOUND_AT_ONCE = 500
const MOVED_AT_ONCE = 25

export interface MoveProgress {
  moved: number
  /** Why the server refused some bugs: each reason with how many. */
  refused: ReadonlyMap<string, number>
}

export async function countBugsIn({ product, field, name }: MovedFrom): Promise<number> {
  const found = await get(addressOf('/bug', { product, [field]: name, count_only: 1 }))
  return found.bug_count ?? 0
}

/** Moves all bugs, open and closed, some at a time. A refused bug stays where it is and stops no other. */
export async function moveBugs(
  { product, field, name }: MovedFrom,
  to: string,
  onProgress: (progress: MoveProgress) => void,
  isStopped: () => boolean,
): Promise<MoveProgress> {
  const refused = new Map<string, number>()
  let [moved, after] = [0, 0]
  while (!isStopped()) {
    const { bugs = [] } = await get(
      addressOf('/bug', {
        ...{ product, [field]: name, include_fields: 'id', order: 'bug_id', limit: FOUND_AT_ONCE },
        ...{ f1: 'bug_id', o1: 'greaterthan', v1: after },
      }),
    )
    const ids = bugs.map(({ id }) => id)
    const last = ids.at(-1)
    if (last === undefined) break
    for (let from = 0; from < ids.length && !isStopped(); from += MOVED_AT_ONCE) {
      moved += await moveSome(ids.slice(from, from + MOVED_AT_ONCE), { [field]: to }, refused)
      onProgress({ moved, refused: new Map(refused) })
    }
    after = last
  }
  return { moved, refused }
}

/** One call for all; if it is refused, one for each. */
async function moveSome(ids: readonly number[], body: object, refused: Map<string, number>): Promise<number> {
  try {
    await changeTogether(ids, body)
    return ids.length
  } catch (fault) {
    if (!(fault instanceof RestError)) throw fault
    if (ids.length > 1) {
      let moved = 0
      for (const id of ids) moved += await moveSome([id], body, refused)
      return moved
    }
    refused.set(fault.message, (refused.get(fault.message) ?? 0) + 1)
    return 0
  }
}
