import type { Db } from '../../../platform/database/db.ts'
import { groupsAfter, listControlledGroups } from '../../rights/bug-groups.ts'
import { type Batch, isMoving } from '../batch/batch.ts'

/** Changes the groups that bugs are restricted to, as requested and as a move to another product requires. */
export async function editGroups(tx: Db, { params, edits, editor, settings, ignored }: Batch) {
  if (params.groups?.set !== undefined) ignored.add('groups.set')
  const changed = edits.filter((edit) => params.groups !== undefined || isMoving(edit))
  const { add = [], remove = [] } = params.groups ?? {}
  for (const [productId, inProduct] of Map.groupBy(changed, ({ after }) => after.product_id)) {
    const groups = await listControlledGroups(tx, productId)
    for (const edit of inProduct) {
      edit.after.groups = groupsAfter({
        groups,
        own: editor.groups,
        current: edit.before.groups,
        add,
        remove,
        isMoving: isMoving(edit),
        orGroups: settings.or_groups,
      })
    }
  }
}
