import { useEffect, useState } from 'preact/hooks'
import type { Flag } from '../../../core/server/types.ts'

/** Until when the users are away who are asked, in words, by login name. */
export function useAway(flags: readonly Flag[]): ReadonlyMap<string, string> | undefined {
  const [away, setAway] = useState<ReadonlyMap<string, string>>()
  const asked = [...new Set(flags.flatMap(({ status, requestee }) => (status === '?' && requestee) || []))]
  useEffect(() => {
    if (asked.length > 0)
      import('./read-away.ts').then(({ readAway }) => readAway(asked)).then(setAway, () => undefined)
  }, [asked.join()])
  return away
}
