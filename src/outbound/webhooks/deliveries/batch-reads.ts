/**
 * Collects reads of single keys that are requested at the same moment, and runs them as one read. Nothing is cached.
 */
export function batchReads<Key, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let keys: Key[] = []
  let reading: Promise<ReadonlyMap<Key, Value>> | undefined
  return async (key) => {
    keys.push(key)
    reading ??= new Promise((resolve) => setImmediate(resolve)).then(() => {
      const batch = keys
      keys = []
      reading = undefined
      return read([...new Set(batch)])
    })
    return (await reading).get(key)
  }
}
