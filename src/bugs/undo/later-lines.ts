import { valuesIn } from '../history/history.ts'
import type { ReadLine } from '../history/read-history.ts'
import type { ChangeOfBug, Conflict, LaterLine } from './undo.ts'

/** What has happened to a field, or to an item of a list, since a change. */
export interface Aftermath {
  /** The last line that counts; undefined if the field is as the change has left it, or was undone since. */
  last: LaterLine | undefined
  /** Whether the change itself is undone already. */
  isUndone: boolean
}

/** The lines about the same field after those of a change, oldest first, without those of changes that are undone as well. */
export function linesAfter({ lines, isUndone }: ChangeOfBug, own: readonly ReadLine[]): ReadLine[] {
  const [first] = own
  const last = Math.max(...own.map(({ change_id }) => change_id))
  const gone = new Set(lines.filter(isUndone).map(({ change_ref }) => change_ref))
  return lines.filter(
    (line) =>
      line.change_id > last &&
      isAboutSame(line, first as ReadLine) &&
      !isUndone(line) &&
      (line.undoes_id === null || !gone.has(line.undoes_id)),
  )
}

function isAboutSame(one: ReadLine, other: ReadLine) {
  return one.field === other.field && one.attachment_id === other.attachment_id && one.comment_id === other.comment_id
}

/** A change and its undo do not count; an undo that was undone does not count either. */
export function aftermathOf(own: readonly ReadLine[], after: readonly ReadLine[]): Aftermath {
  const known = new Set([...own, ...after].map(({ change_ref }) => change_ref))
  const undone = new Set<number>()
  let last: ReadLine | undefined
  for (const line of after.toReversed()) {
    const { change_ref, undoes_id } = line
    if (change_ref !== null && undone.has(change_ref)) continue
    // The undo of an older change is a change as any other.
    if (undoes_id === null || !known.has(undoes_id)) last ??= line
    else undone.add(undoes_id)
  }
  const ref = own[0]?.change_ref ?? null
  return { last, isUndone: ref !== null && undone.has(ref) }
}

/** The value of a field before and after the lines of one change. */
export function singleOf(own: readonly ReadLine[]) {
  return { removed: own[0]?.removed ?? '', added: own.at(-1)?.added ?? '' }
}

/** How the values of a list are read from a line. */
type ReadValues = (text: string) => readonly string[]

/** The items of a list that are taken back. An item that was changed again since stays as it is. */
export function itemsToUndo(own: readonly ReadLine[], after: readonly ReadLine[], valuesOf: ReadValues = valuesIn) {
  const changed = new Map<string, boolean>()
  for (const line of own) {
    for (const item of valuesOf(line.removed)) changed.set(item, false)
    for (const item of valuesOf(line.added)) changed.set(item, true)
  }
  const touching = touchingLines(changed, after, valuesOf)
  const [add, remove]: [string[], string[]] = [[], []]
  const conflicts: Conflict[] = []
  for (const [item, isThere] of changed) {
    const { last, isUndone } = aftermathOf(own, touching.get(item) ?? [])
    if (isUndone) continue
    if (last === undefined) (isThere ? remove : add).push(item)
    else if (valuesOf(last.added).includes(item) === isThere) {
      const [removed, added] = isThere ? ['', item] : [item, '']
      conflicts.push({ field: own[0]?.field ?? '', removed, added, now: last.added, later: last })
    }
  }
  return { add, remove, conflicts }
}

/** The later lines that are about each of these items. Every line is read once. */
function touchingLines(items: ReadonlyMap<string, boolean>, after: readonly ReadLine[], valuesOf: ReadValues) {
  const touching = new Map<string, ReadLine[]>()
  for (const line of after)
    for (const item of new Set([...valuesOf(line.removed), ...valuesOf(line.added)]))
      if (items.has(item)) touching.set(item, [...(touching.get(item) ?? []), line])
  return touching
}

/** The values of a list whose names may contain what stands between values. */
export function valuesAmong(names: Iterable<string>): ReadValues {
  const known = [...names].filter((name) => name.includes(',')).toSorted((one, other) => other.length - one.length)
  if (known.length === 0) return valuesIn
  return (text) => {
    const values: string[] = []
    for (let rest = text; rest !== ''; ) {
      const name = known.find((it) => rest === it || rest.startsWith(`${it}, `)) ?? rest.split(', ', 1)[0] ?? rest
      values.push(name)
      rest = rest.slice(name.length + ', '.length)
    }
    return values
  }
}
