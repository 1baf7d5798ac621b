import type { SignedIn } from '../../../access/caller.ts'
import type { GroupGraph } from '../../../access/visibility/group-graph.ts'
import type { FieldDefinitions } from '../../../catalogue/fields/field.ts'
import type { Workflow } from '../../../catalogue/workflow/workflow.ts'
import type { BugChange } from '../../../changes/record-bug-changes.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import type { ParamValues } from '../../../platform/wire/params.ts'
import type { EditorRights } from '../../rights/bug-permissions.ts'
import type { BugProduct } from '../../values/bug-location.ts'
import type { BugState } from '../bug-state.ts'
import type { updateParams } from '../update-params.ts'

/** The new state of a bug, which the steps of an update change. */
export type MutableBugState = { -readonly [Part in keyof BugState]: BugState[Part] }

/** One bug that is being changed. */
export interface BugEdit {
  readonly before: BugState
  readonly after: MutableBugState
  /** The editor's rights on the bug before the change. */
  readonly rights: EditorRights
  /** The product of the bug after the change. */
  product: BugProduct
}

/** The comment and the hours worked that go with a change. */
export interface CommentAndHours {
  text: string
  isPrivate: boolean
  isMarkdown: boolean
  workHundredths: number
  tags: string[]
}

/** Bugs that get the same changes in one request: either all are changed or none. */
export interface Batch {
  readonly editor: SignedIn
  readonly settings: Settings
  readonly groups: GroupGraph
  readonly fields: FieldDefinitions
  readonly workflow: Workflow
  readonly baseUrl: string
  readonly at: string
  readonly params: Readonly<ParamValues<typeof updateParams>>
  /** All parameters of the request, for custom fields. */
  readonly rawParams: Readonly<Record<string, unknown>>
  readonly edits: readonly BugEdit[]
  /** Names of parameters without effect. */
  readonly ignored: Set<string>
  /** Added to every bug; undefined if the request has neither a comment nor hours worked. */
  remark: CommentAndHours | undefined
  /** Comments whose privacy changes. */
  readonly privacy: PrivacyChange[]
  /** Lines of history from the steps: of the bugs themselves, and of other bugs that change as a consequence. */
  readonly lines: BugChange[]
  /** Lines of history of bugs whose See Also changes as a consequence. */
  readonly mirrored: BugChange[]
}

export interface PrivacyChange {
  bugId: number
  commentId: number
  isPrivate: 0 | 1
}

export function hasComment({ remark }: Batch) {
  return remark !== undefined && remark.text !== ''
}

export function isMoving({ before, after }: Pick<BugEdit, 'before' | 'after'>) {
  return before.product_id !== after.product_id
}
