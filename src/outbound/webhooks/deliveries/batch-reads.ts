/**
 * Looks up one thing at a time for whoever asks, but reads all that is asked for in the same moment at once. Nothing is kept: whoever asks
 * later is answered anew.
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
