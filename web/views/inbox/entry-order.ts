import { REASONS } from '../../../shared/reasons.ts'
import type { InboxEntry } from '../../core/server/types.ts'
import { dayOf } from '../../core/times.ts'

const RANKS: ReadonlyMap<string, number> = new Map(REASONS.map(({ name }, rank) => [name, rank]))

/** The newest day first; inside a day the strongest reason, then the newest. */
export function inOrder(entries: readonly InboxEntry[]): InboxEntry[] {
  const rank = ({ reasons }: InboxEntry) => RANKS.get(reasons[0] ?? '') ?? RANKS.size
  return entries.toSorted(
    (a, b) => compare(dayOf(b.time), dayOf(a.time)) || rank(a) - rank(b) || compare(b.time, a.time) || b.id - a.id,
  )
}

function compare(one: string, other: string) {
  return Number(one > other) - Number(one < other)
}

/** The entries under the headings of their days. */
export function byDay(entries: readonly InboxEntry[], now = new Date()): [heading: string, entries: InboxEntry[]][] {
  const today = dayOf(now.toISOString())
  const yesterday = dayOf(new Date(now.getTime() - 86_400_000).toISOString())
  const week = dayOf(new Date(now.getTime() - 7 * 86_400_000).toISOString())
  const headingOf = ({ time }: InboxEntry) => {
    const day = dayOf(time)
    if (day >= today) return 'Today'
    if (day === yesterday) return 'Yesterday'
    return day > week ? 'Last seven days' : 'Earlier'
  }
  return [...Map.groupBy(entries, headingOf)]
}
