// A change as the server takes it, and what the server did not take.
import type { FoundBug } from '../reading/found-bugs.ts'
import { shownValue } from '../reading/shown-value.ts'

type Change = Readonly<Record<string, unknown>>

/** A list replaces the whole list. */
export function changeFor(change: Change, bug: FoundBug, isLacewing: boolean): Change {
  const entries = Object.entries(change).map(([name, value]) => {
    if (!Array.isArray(value) || name === 'flags') return [name, value]
    return [name, isLacewing || !NOT_REPLACED.has(name) ? { set: value } : differenceFrom(bug[name], value)]
  })
  return Object.fromEntries(entries)
}

/** Lists that a Bugzilla does not replace, without an error. */
const NOT_REPLACED = new Set(['cc', 'groups', 'see_also'])

function differenceFrom(before: unknown, wanted: readonly unknown[]) {
  const had = Array.isArray(before) ? before.map(shownValue) : []
  const items = wanted.map(shownValue)
  const [add, remove] = [items.filter((it) => !had.includes(it)), had.filter((it) => !items.includes(it))]
  return { ...(add.length > 0 && { add }), ...(remove.length > 0 && { remove }) }
}

/** What a Bugzilla takes and does not return. */
const NOT_RETURNED = new Set([
  'comment',
  'work_time',
  'estimated_time',
  'remaining_time',
  'reset_assigned_to',
  'reset_qa_contact',
  'minor_update',
])

/** Names of fields without effect. Lacewing names them; a Bugzilla takes them without a word, but returns all fields that it has. */
export function ignoredNames(answer: object, change: Change, bug: FoundBug, isLacewing: boolean): string[] {
  if (isLacewing) return 'ignored' in answer && Array.isArray(answer.ignored) ? answer.ignored.map(shownValue) : []
  return Object.keys(change).filter((name) => !Object.hasOwn(bug, name) && !NOT_RETURNED.has(name))
}
