import { valuesIn } from '../history/history.ts'
import type { ReadLine } from '../history/read-history.ts'
import type { ChangeOfBug, Conflict, LaterLine } from './undo.ts'

/**
 * The lines about the same field after those of a change. A change and its undo do not count, and neither do changes that are undone as
 * well.
 */
export function laterLines({ lines, isUndone }: ChangeOfBug, own: readonly ReadLine[]): ReadLine[] {
  const [first] = own
  const last = Math.max(...own.map(({ change_id }) => change_id))
  let later: ReadLine[] = []
  for (const line of lines) {
    if (line.change_id <= last || !isAboutSame(line, first as ReadLine) || isUndone(line)) continue
    const undone = line.undoes_id === null ? [] : later.filter(({ change_ref }) => change_ref === line.undoes_id)
    if (undone.length > 0) later = later.filter((it) => !undone.includes(it))
    else if (!isUndoOf(line, lines, isUndone)) later.push(line)
  }
  return later
}

/** Whether the line belongs to the undo of a change that is not counted itself. */
function isUndoOf({ undoes_id }: ReadLine, lines: readonly ReadLine[], isUndone: (line: ReadLine) => boolean) {
  return undoes_id !== null && lines.some((line) => line.change_ref === undoes_id && isUndone(line))
}

function isAboutSame(one: ReadLine, other: ReadLine) {
  return one.field === other.field && one.attachment_id === other.attachment_id && one.comment_id === other.comment_id
}

/** The value of a field before and after the lines of one change. */
export function singleOf(own: readonly ReadLine[]) {
  return { removed: own[0]?.removed ?? '', added: own.at(-1)?.added ?? '' }
}

/** The items of a list that are taken back. An item that was changed again since stays as it is. */
export function itemsToUndo(own: readonly ReadLine[], later: readonly LaterLine[]) {
  const changed = new Map<string, boolean>()
  for (const line of own) {
    for (const item of valuesIn(line.removed)) changed.set(item, false)
    for (const item of valuesIn(line.added)) changed.set(item, true)
  }
  const [add, remove]: [string[], string[]] = [[], []]
  const conflicts: Conflict[] = []
  for (const [item, isThere] of changed) {
    const touching = later.filter(({ removed, added }) => [...valuesIn(removed), ...valuesIn(added)].includes(item))
    const last = touching.at(-1)
    if (last === undefined) (isThere ? remove : add).push(item)
    else if (valuesIn(last.added).includes(item) === isThere) {
      const [removed, added] = isThere ? ['', item] : [item, '']
      conflicts.push({ field: own[0]?.field ?? '', removed, added, later: last })
    }
  }
  return { add, remove, conflicts }
}
