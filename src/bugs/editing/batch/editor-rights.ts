import { isIn, type SignedIn } from '../../../access/caller.ts'
import { isInsider, isTimeTracker } from '../../../access/visibility/reader-rights.ts'
import { bugsUnfiltered } from '../../../access/visibility/visible-bugs.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import type { Flag } from '../../../platform/database/tables.ts'
import type { EditorRights } from '../../rights/bug-permissions.ts'
import type { BugProduct } from '../../values/bug-location.ts'
import { listProductsOfBugs, type ProductOfBugs } from '../product-rights.ts'

/** The users with a role in a bug. */
interface Parts {
  creator_id: number
  assigned_to_id: number
  qa_contact_id: number | null
  restrict_comments: Flag
}

export interface Editor {
  editor: SignedIn
  settings: Settings
}

/** The rights of the editor on a bug of this product. */
export function editorRightsOn({ editor, settings }: Editor, bug: Parts, product: BugProduct): EditorRights {
  return {
    hasEditbugs: product.hasEditbugs,
    hasCanconfirm: product.hasCanconfirm,
    isTimeTracker: isTimeTracker(editor, settings),
    isInsider: isInsider(editor, settings),
    restrictsComments: isIn(editor, settings.restrict_comments_enable_group),
    areCommentsRestricted: bug.restrict_comments === 1,
    isAssignee: bug.assigned_to_id === editor.id,
    isQaContact: settings.useqacontact && bug.qa_contact_id === editor.id,
    isReporter: bug.creator_id === editor.id,
    reporterChoosesPriority: settings.letsubmitterchoosepriority,
  }
}

const parts = statement<{ ids: string }>()((q, p, d) =>
  bugsUnfiltered(q, 'The caller was found to see these bugs.')
    .select(['bugs.id', 'bugs.product_id', 'bugs.creator_id', 'bugs.assigned_to_id', 'bugs.qa_contact_id'])
    .select('bugs.restrict_comments')
    .where('bugs.id', 'in', d.integersIn(p.ids)),
)

/** The rights of the editor on bugs that they see, and whether their products are editable at all. */
export async function editorRightsOf(tx: Db, person: Editor, bugIds: readonly number[]) {
  const bugs = bugIds.length === 0 ? [] : await tx.all(parts, { ids: JSON.stringify(bugIds) })
  const products = await listProductsOfBugs(
    tx,
    person.editor,
    person.settings,
    bugs.map((bug) => bug.product_id),
  )
  return new Map(
    bugs.map((bug) => {
      const product = products.get(bug.product_id) as ProductOfBugs
      return [bug.id, { rights: editorRightsOn(person, bug, product), isEditable: product.isEditable, product }]
    }),
  )
}
