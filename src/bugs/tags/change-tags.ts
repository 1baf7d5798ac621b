import type { CallContext } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { requireOwnRoom } from '../../access/own-limits.ts'
import { viewerOf } from '../../access/visibility/visible-bugs.ts'
import { writeBugs } from '../../access/write-bugs.ts'
import { lockUser } from '../../people/users/user-store.ts'
import { requireVisibleBugs } from '../values/bug-refs.ts'
import { tagFrom } from './tag.ts'
import { addTags, countTags, listTags, removeTags } from './tag-store.ts'

/** Changes the caller's personal tags of a bug. Only the caller sees them, and they have no history. Returns the resulting tags. */
export async function changeTags(
  context: CallContext,
  ref: string,
  add: readonly string[],
  remove: readonly string[],
): Promise<string[]> {
  const { id: userId } = requireLogin(context.caller)
  const added = [...new Set(add.map(tagFrom))]
  const removed = [...new Set(remove.map(tagFrom))]
  return writeBugs(context, async (tx, { caller, settings }) => {
    const [bugId] = await requireVisibleBugs(tx, settings, viewerOf(caller), [ref])
    const key = { userId, bugId: bugId as number }
    // Two calls of one user at once would both find room.
    if (added.length > 0) await lockUser(tx, userId)
    const before = added.length > 0 ? await countTags(tx, userId) : 0
    await addTags(tx, key, added)
    await removeTags(tx, key, removed)
    if (added.length > 0) requireOwnRoom('personalTags', before, (await countTags(tx, userId)) - before)
    return listTags(tx, key)
  })
}
