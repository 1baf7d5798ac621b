import { type ViewerParams, viewerOf } from '../../../access/visibility/visible-bugs.ts'
import { aboutField } from '../../../platform/about-field.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import type { BugTransaction, Db } from '../../../platform/database/db.ts'
import type { ListChange } from '../../../platform/wire/params.ts'
import { changeDependencies } from '../../links/dependencies.ts'
import type { Dependency } from '../../links/dependency-store.ts'
import { requireMayChange } from '../../rights/bug-permissions.ts'
import { idsOfRefs, missingBugError, requireVisibleBugs, visibleAmong } from '../../values/bug-refs.ts'
import type { Batch } from '../batch/batch.ts'

const FIELDS = ['depends_on', 'blocks'] as const
type Field = (typeof FIELDS)[number]

/** Changes `depends_on` and `blocks`. Bugs that the editor cannot see stay in the lists, even with `set`. */
export async function editDependencies(tx: BugTransaction, batch: Batch) {
  const added: Dependency[] = []
  const removed: Dependency[] = []
  for (const field of FIELDS) {
    const wanted = batch.params[field]
    if (wanted === undefined) continue
    const named = await aboutField(field, () => bugsNamed(tx, batch, field, wanted))
    for (const { before, after, rights } of batch.edits) {
      const next = named.after(before[field])
      const gained = next.filter((id) => !before[field].includes(id))
      const lost = before[field].filter((id) => !next.includes(id))
      if (gained.length + lost.length === 0) continue
      requireMayChange(rights, field)
      after[field] = next
      added.push(...gained.map((id) => between(field, before.id, id)))
      removed.push(...lost.map((id) => between(field, before.id, id)))
    }
  }
  if (added.length + removed.length > 0) batch.lines.push(...(await changeDependencies(tx, { added, removed })))
}

function between(field: Field, id: number, other: number): Dependency {
  return field === 'depends_on' ? { blocked_id: id, depends_on_id: other } : { blocked_id: other, depends_on_id: id }
}

/** Reads the bugs that a change names. The result computes the new list from the old one. */
async function bugsNamed(tx: Db, { editor, settings, edits }: Batch, field: Field, { add, remove, set }: ListChange) {
  const viewer = viewerOf(editor)
  if (set !== undefined) {
    const ids = await requireVisibleBugs(tx, settings, viewer, set)
    const seen = await visibleAmong(tx, settings, viewer, [...new Set(edits.flatMap(({ before }) => before[field]))])
    return { after: (current: readonly number[]) => once([...current.filter((id) => !seen.has(id)), ...ids]) }
  }
  const added = await requireVisibleBugs(tx, settings, viewer, add)
  const removed = new Set(await removableBugs(tx, settings, viewer, remove))
  return { after: (current: readonly number[]) => once([...current, ...added]).filter((id) => !removed.has(id)) }
}

function once(ids: readonly number[]) {
  return [...new Set(ids)]
}

/** References to missing bugs are ignored. Throws if the editor cannot see one of the bugs. */
async function removableBugs(tx: Db, settings: Settings, viewer: ViewerParams, refs: readonly string[]) {
  const bugs = [...(await idsOfRefs(tx, refs))].flatMap(([ref, id]) => (id === undefined ? [] : [{ ref, id }]))
  const ids = bugs.map(({ id }) => id)
  const seen = await visibleAmong(tx, settings, viewer, ids)
  for (const { ref, id } of bugs.filter((bug) => !seen.has(bug.id))) {
    const why = await missingBugError(tx, ref, id)
    if (why.reason === 'bug_not_visible') throw why
  }
  return ids
}
