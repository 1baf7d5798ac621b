/**
 * A bounded cache by key, in two generations: when the recent one is full, it becomes the older one, and the previous
 * older one is evicted. Entries in use stay. A hit takes one lookup, which is cheaper than an exact LRU order.
 */
export class BoundedCache<Value> {
  private readonly largestGeneration: number
  private readonly evicted: (value: Value) => void
  private recent = new Map<string, Value>()
  private older = new Map<string, Value>()

  constructor(capacity: number, evicted: (value: Value) => void = () => {}) {
    this.largestGeneration = capacity / 2
    this.evicted = evicted
  }

  get(key: string): Value | undefined {
    return this.recent.get(key) ?? this.promoted(key)
  }

  set(key: string, value: Value): Value {
    if (this.recent.size >= this.largestGeneration) this.startGeneration()
    this.recent.set(key, value)
    return value
  }

  private promoted(key: string): Value | undefined {
    const value = this.older.get(key)
    if (value === undefined) return undefined
    this.older.delete(key)
    return this.set(key, value)
  }

  private startGeneration() {
    for (const value of this.older.values()) this.evicted(value)
    this.older = this.recent
    this.recent = new Map()
  }
}
