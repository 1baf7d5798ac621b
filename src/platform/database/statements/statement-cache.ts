import type { Statement } from './statement.ts'

/**
 * A bounded cache by text, in two generations: when the recent one is full, it becomes the older one, and what was in the older one is
 * evicted. What is in use stays, and finding it takes one lookup, which is less than an exact order of use would cost.
 */
export class StatementCache<Value> {
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

/** For each family. Clients use few combinations of fields, but a hostile one can make up any number. */
const MOST_VARIANTS = 200

/**
 * Statements that differ in what they select or in the rules they apply: each is written when it is first needed. `keyOf` tells variants
 * apart.
 */
export function statementFamily<Variant, Params extends object, Row>(
  keyOf: (variant: Variant) => string,
  write: (variant: Variant) => Statement<Params, Row>,
): (variant: Variant) => Statement<Params, Row> {
  const statements = new StatementCache<Statement<Params, Row>>(MOST_VARIANTS)
  return (variant) => {
    const key = keyOf(variant)
    return statements.get(key) ?? statements.set(key, write(variant))
  }
}
