import { sql } from 'kysely'
import { type Caller, isIn } from '../../../access/caller.ts'
import { isInsider, isTimeTracker } from '../../../access/visibility/reader-rights.ts'
import { bugsUnfiltered } from '../../../access/visibility/visible-bugs.ts'
import { conditionsFor } from '../../../access/visibility/visible-products.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { mayChange } from '../../rights/bug-permissions.ts'

/** The bugs among these whose See Also the caller may change. The caller sees all of them. */
export async function mirrorableBugs(
  tx: Db,
  caller: Caller,
  settings: Settings,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const rows = await tx.all(parts[`${settings.or_groups}`], {
    ids: JSON.stringify(ids),
    groups: JSON.stringify([...caller.groups.ids]),
  })
  const mine = rows.filter((bug) =>
    mayChange(
      {
        hasEditbugs: bug.editbugs === 1 || isIn(caller, 'editbugs'),
        hasCanconfirm: bug.canconfirm === 1 || isIn(caller, 'canconfirm'),
        isTimeTracker: isTimeTracker(caller, settings),
        isInsider: isInsider(caller, settings),
        restrictsComments: false,
        areCommentsRestricted: false,
        isAssignee: bug.assigned_to_id === caller.id,
        isQaContact: settings.useqacontact && bug.qa_contact_id === caller.id,
        isReporter: bug.creator_id === caller.id,
        reporterChoosesPriority: settings.letsubmitterchoosepriority,
      },
      'see_also',
    ),
  )
  return new Set(mine.map(({ id }) => id))
}

/** One statement for each value of the parameter or_groups. */
const parts = { true: partsInBugs(true), false: partsInBugs(false) }

function partsInBugs(or_groups: boolean) {
  return statement<{ ids: string; groups: string }>()((q, p, d) => {
    const { isEditable, gives } = conditionsFor(d, { or_groups }, p.groups)
    return bugsUnfiltered(q, 'The caller was found to see these bugs; this finds those that they may change.')
      .innerJoin('products', 'products.id', 'bugs.product_id')
      .select(['bugs.id', 'bugs.creator_id', 'bugs.assigned_to_id', 'bugs.qa_contact_id'])
      .select([
        sql<0 | 1>`case when ${gives('editbugs')} then 1 else 0 end`.as('editbugs'),
        sql<0 | 1>`case when ${gives('canconfirm')} then 1 else 0 end`.as('canconfirm'),
      ])
      .where('bugs.id', 'in', d.integersIn(p.ids))
      .where(isEditable)
  })
}
