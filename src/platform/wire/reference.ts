const LARGEST_ID = 2_147_483_647

/** What a path or a list names: all digits is an id, anything else a name. An id that no row could have becomes 0, which none has. */
export function idIn(ref: string): number | undefined {
  if (!/^\s*\d+\s*$/.test(ref)) return undefined
  return clampedId(Number(ref))
}

/** An id as it can be compared with those in the database, where a larger number would be a fault of the query. */
export function clampedId(id: number): number {
  return Math.abs(id) <= LARGEST_ID ? id : 0
}
