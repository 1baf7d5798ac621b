/** The largest id that a row can have, on both engines. */
export const LARGEST_ID = 2_147_483_647

/**
 * The id in a path or a list: all digits is an id, anything else a name. An id that no row could have becomes 0, which
 * no row has.
 */
export function idIn(ref: string): number | undefined {
  if (!/^\s*\d+\s*$/.test(ref)) return undefined
  return clampedId(Number(ref))
}

/** Limits an id to the range of the database; a larger number would make the query fail. */
export function clampedId(id: number): number {
  return Math.abs(id) <= LARGEST_ID ? id : 0
}
