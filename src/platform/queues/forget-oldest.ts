/** Limits a map to this many entries; the oldest are removed. */
export function forgetOldest(entries: Map<unknown, unknown>, most: number) {
  if (entries.size <= most) return
  for (const key of entries.keys()) {
    entries.delete(key)
    if (entries.size <= most) return
  }
}
