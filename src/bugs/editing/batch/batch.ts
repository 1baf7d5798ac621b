import type { SignedIn } from '../../../access/caller.ts'
import type { GroupGraph } from '../../../access/visibility/group-graph.ts'
import type { FieldDefinitions } from '../../../catalogue/fields/field.ts'
import type { Workflow } from '../../../catalogue/workflow/workflow.ts'
import type { BugChange } from '../../../changes/record-bug-changes.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import type { Read } from '../../../platform/wire/params.ts'
import type { BugState } from '../../bug-store.ts'
import type { EditorRights } from '../../rights/bug-permissions.ts'
import type { BugProduct } from '../../values/bug-places.ts'
import type { updateParams } from '../update-params.ts'

/** A bug as it is to be: what the steps of an update change. */
export type Draft = { -readonly [Part in keyof BugState]: BugState[Part] }

/** One bug that is being changed. */
export interface BugEdit {
  readonly before: BugState
  readonly after: Draft
  /** The caller's part in the bug as it was. */
  readonly standing: EditorRights
  /** The product that the bug comes into, or stays in. */
  product: BugProduct
}

/** What somebody wrote, and the hours that it took. */
export interface CommentAndHours {
  text: string
  isPrivate: boolean
  workHundredths: number
  tags: string[]
}

/** Bugs that are changed alike, all of them or none, by one person at one time. */
export interface Batch {
  readonly editor: SignedIn
  readonly settings: Settings
  readonly groups: GroupGraph
  readonly fields: FieldDefinitions
  readonly workflow: Workflow
  readonly baseUrl: string
  readonly at: string
  readonly params: Readonly<Read<typeof updateParams>>
  /** Everything that was sent, for custom fields. */
  readonly given: Readonly<Record<string, unknown>>
  readonly edits: readonly BugEdit[]
  /** Whatever was sent and has no effect. */
  readonly ignored: Set<string>
  /** What goes beside the changes of every bug; undefined when nothing was written and no work told. */
  remark: CommentAndHours | undefined
  /** Comments that become private or public. */
  readonly privacy: PrivacyChange[]
  /** Lines of history that the steps made: of the bugs themselves, and of others that were changed along. */
  readonly lines: BugChange[]
  /** Lines of history of bugs whose See Also was changed along. */
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
