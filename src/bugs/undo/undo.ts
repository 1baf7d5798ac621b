import type { RequestParams } from '../../platform/wire/params.ts'
import type { BugState } from '../editing/bug-state.ts'
import type { ExistingFlag } from '../flags/flag-texts.ts'
import type { ReadLine } from '../history/read-history.ts'

/** A line that was written after the change, about the same field. */
export type LaterLine = Pick<ReadLine, 'added' | 'removed' | 'change_ref' | 'at' | 'who'>

/** What a change did to one bug, and what has happened to the bug since. */
export interface ChangeOfBug {
  state: BugState
  /** The lines of the change, as far as the caller may see them. */
  own: readonly ReadLine[]
  /** All lines of the bug from then on. */
  lines: readonly ReadLine[]
  flags: readonly ExistingFlag[]
  /** The duplicated bug before the change; undefined if it is not known, or hidden. */
  duplicated: number | undefined
  /** Whether another change is undone as well, before this one. */
  isUndone: (line: ReadLine) => boolean
}

export interface UndoPlan {
  /** Parameters of Update Bug; without any, nothing is to be done. */
  params: RequestParams
  conflicts: Conflict[]
  kept: Kept[]
  /** Fields that nothing can change back, with the reason. */
  impossible: { field: string; why: string }[]
}

/** A part that was changed again since, and stays as it is. */
export interface Conflict {
  field: string
  removed: string
  added: string
  /** The value that stays. */
  now: string
  later: LaterLine
  /** The field that was changed again, if this one only stays because of it. */
  staysWith?: string
}

export interface Kept {
  kind: 'comment' | 'filed' | 'attachment' | 'hours' | 'comment_text' | 'answer'
  id?: number
}
