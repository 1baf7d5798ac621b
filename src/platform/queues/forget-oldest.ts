/** Keeps at most so many entries of a map: those that were added first go. */
export function forgetOldest(entries: Map<unknown, unknown>, most: number) {
  if (entries.size <= most) return
  for (const key of entries.keys()) {
    entries.delete(key)
    if (entries.size <= most) return
  }
}
