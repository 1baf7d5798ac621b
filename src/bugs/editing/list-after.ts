interface Numbered {
  id: number
}

export interface WantedList<Item> {
  add: readonly Item[]
  remove: readonly Item[]
  set: readonly Item[] | undefined
}

/** Applies `add` and `remove` to a list, or replaces it with `set`. Each item occurs once in the result. */
export function listAfter<Item extends Numbered>(current: readonly Item[], wanted: WantedList<Item>): Item[] {
  const items = wanted.set ?? [...current, ...wanted.add]
  const removed = new Set(wanted.set === undefined ? wanted.remove.map(({ id }) => id) : [])
  const kept = items.filter(({ id }) => !removed.has(id))
  return [...new Map(kept.map((item) => [item.id, item])).values()]
}

export function sameIds(some: readonly Numbered[], others: readonly Numbered[]) {
  const ids = new Set(some.map(({ id }) => id))
  return ids.size === others.length && others.every(({ id }) => ids.has(id))
}

/** The items that only the first of two lists has. */
export function without<Item extends Numbered>(items: readonly Item[], others: readonly Numbered[]): Item[] {
  const ids = new Set(others.map(({ id }) => id))
  return items.filter(({ id }) => !ids.has(id))
}
