/**
 * A lookup table for names that clients send. It has no prototype: a plain object would also have `constructor` and
 * `toString`. A test rejects plain objects for this.
 */
export function dictionary<const Table extends object>(table: Table): Table {
  return Object.freeze(Object.assign(Object.create(null), table))
}
