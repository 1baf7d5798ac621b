/**
 * A table that is looked into with names that somebody sent. It has no prototype: a plain object would answer to `constructor` and
 * `toString` as well. A test keeps plain objects from being used for it.
 */
export function dictionary<const Table extends object>(table: Table): Table {
  return Object.freeze(Object.assign(Object.create(null), table))
}
