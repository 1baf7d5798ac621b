import { anonymous, type SignedIn } from '../../../access/caller.ts'
import type { GroupGraph } from '../../../access/visibility/group-graph.ts'
import { viewerOf } from '../../../access/visibility/visible-bugs.ts'
import { findProduct } from '../../../access/visibility/visible-products.ts'
import { listUsersByIds } from '../../../people/users/user-store.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import type { Db } from '../../../platform/database/db.ts'
import { visibleAmong } from '../../values/bug-refs.ts'
import type { StoredProposal } from '../storing/proposal-store.ts'

/** Whether the author still acts here: the account is not disabled, and they still see the bug, or the product of a new bug. */
export async function isAuthorThere(
  tx: Db,
  { settings, groups }: { settings: Settings; groups: GroupGraph },
  { user_id, bug_id, product_id }: StoredProposal,
): Promise<boolean> {
  const [user] = await listUsersByIds(tx, [user_id])
  if (user?.disabled_text !== '') return false
  const membership = groups.membership(JSON.parse(user.group_ids) as number[])
  const author: SignedIn = { ...anonymous, id: user.id, login: user.login, groups: membership }
  if (bug_id === null) return (await findProduct(tx, author, settings, String(product_id))) !== undefined
  return (await visibleAmong(tx, settings, viewerOf(author), [bug_id])).has(bug_id)
}
