/** Stands between the name of a caller and that of a part of it. No name contains it. */
const BEFORE_PART = '\n'

/** A part of a caller, such as credentials from one address that are not checked yet. Parts take turns among themselves. */
export function partOfCaller(caller: string, part: string): string {
  return `${caller}${BEFORE_PART}${part}`
}

export function wholeCaller(caller: string): string {
  const end = caller.indexOf(BEFORE_PART)
  return end === -1 ? caller : caller.slice(0, end)
}

/** What waits, by caller. Callers take turns, so that many items of one do not delay those of others. */
export class CallerTurns<Item> {
  /** By whole caller and part; whose turn is next comes first. Items of one part are in their order. */
  private readonly waiting = new Map<string, Map<string, Set<Item>>>()
  private count = 0

  get size() {
    return this.count
  }

  sizeOf(caller: string): number {
    return sizeOfAll(this.waiting.get(wholeCaller(caller)))
  }

  add(caller: string, item: Item) {
    const name = wholeCaller(caller)
    const own = this.waiting.get(name) ?? new Map<string, Set<Item>>()
    const items = own.get(caller) ?? new Set<Item>()
    this.waiting.set(name, own.set(caller, items.add(item)))
    this.count++
  }

  remove(caller: string, item: Item) {
    const own = this.waiting.get(wholeCaller(caller))
    const items = own?.get(caller)
    if (!own || !items?.delete(item)) return
    this.count--
    if (items.size === 0) own.delete(caller)
    if (own.size === 0) this.waiting.delete(wholeCaller(caller))
  }

  /** Of the callers with the lowest rank, the one whose turn is next. Undefined if nothing waits whose rank is finite. */
  takeNext(rankOf: (name: string) => number = () => 0): Item | undefined {
    let next: { name: string; rank: number } | undefined
    for (const name of this.waiting.keys()) {
      const rank = rankOf(name)
      if (rank < (next?.rank ?? Number.POSITIVE_INFINITY)) next = { name, rank }
      if (rank === 0) break
    }
    const own = next && this.waiting.get(next.name)
    if (next === undefined || own === undefined) return undefined
    const item = takeFirst(own)
    this.count--
    this.waiting.delete(next.name)
    if (own.size > 0) this.waiting.set(next.name, own)
    return item
  }

  /** The first item of each part, with its whole caller. */
  *firsts(): Generator<{ caller: string; item: Item }> {
    for (const [caller, own] of this.waiting)
      for (const items of own.values())
        for (const item of items) {
          yield { caller, item }
          break
        }
  }

  /** The last item of the caller with the most, of the part with the most. */
  lastOfBusiest(): Item | undefined {
    let busiest: Map<string, Set<Item>> | undefined
    for (const own of this.waiting.values()) if (sizeOfAll(own) > sizeOfAll(busiest)) busiest = own
    let most: Set<Item> | undefined
    for (const items of busiest?.values() ?? []) if (items.size > (most?.size ?? 0)) most = items
    return most && [...most].at(-1)
  }
}

function sizeOfAll(own: ReadonlyMap<string, ReadonlySet<unknown>> | undefined): number {
  let size = 0
  for (const items of own?.values() ?? []) size += items.size
  return size
}

/** The first item of the first part, which comes last then. */
function takeFirst<Item>(own: Map<string, Set<Item>>): Item | undefined {
  for (const [part, items] of own)
    for (const item of items) {
      items.delete(item)
      own.delete(part)
      if (items.size > 0) own.set(part, items)
      return item
    }
  return undefined
}
