/** What waits, by caller. Callers take turns, so that many items of one do not delay those of others. */
export class CallerTurns<Item> {
  /** The caller whose turn is next comes first; items of one caller are in their order. */
  private readonly waiting = new Map<string, Set<Item>>()
  private count = 0

  get size() {
    return this.count
  }

  sizeOf(caller: string): number {
    return this.waiting.get(caller)?.size ?? 0
  }

  add(caller: string, item: Item) {
    const own = this.waiting.get(caller)
    if (own) own.add(item)
    else this.waiting.set(caller, new Set([item]))
    this.count++
  }

  remove(caller: string, item: Item) {
    const own = this.waiting.get(caller)
    if (!own?.delete(item)) return
    this.count--
    if (own.size === 0) this.waiting.delete(caller)
  }

  /** Of the callers with the lowest rank, the one whose turn is next. Undefined if nothing waits whose rank is finite. */
  takeNext(rankOf: (caller: string) => number = () => 0): Item | undefined {
    let next: { caller: string; own: Set<Item>; rank: number } | undefined
    for (const [caller, own] of this.waiting) {
      const rank = rankOf(caller)
      if (rank < (next?.rank ?? Number.POSITIVE_INFINITY)) next = { caller, own, rank }
      if (rank === 0) break
    }
    if (next === undefined) return undefined
    const { caller, own } = next
    const [item] = own as Set<Item> & Iterable<Item>
    own.delete(item as Item)
    this.count--
    this.waiting.delete(caller)
    if (own.size > 0) this.waiting.set(caller, own)
    return item
  }

  /** The last item of the caller with the most. */
  lastOfBusiest(): Item | undefined {
    let busiest: Set<Item> | undefined
    for (const own of this.waiting.values()) if (own.size > (busiest?.size ?? 0)) busiest = own
    return busiest === undefined ? undefined : [...busiest].at(-1)
  }
}
