import { useEffect, useRef, useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { getOnce } from '../../../core/server/rest.ts'
import type { Group } from './group-state.ts'

/** The server counts no more groups at once. */
export const COUNTED_AT_ONCE = 100
const FIELDS = 'id,member_count,direct_member_count,inherited_member_count'
const AFTER_TYPING_MILLISECONDS = 200

export type MemberCounts = Pick<Group, 'id' | 'member_count' | 'direct_member_count' | 'inherited_member_count'>

/** How many members the shown groups have, by id. Each group is asked for once, all that are new together. */
export function useMemberCounts(shown: readonly Group[]): ReadonlyMap<number, MemberCounts> {
  const [counts, setCounts] = useState<ReadonlyMap<number, MemberCounts>>(new Map())
  const asked = useRef(new Set<number>())
  const missing = shown.map(({ id }) => id).filter((id) => !asked.current.has(id))
  useEffect(() => {
    if (missing.length === 0) return
    const timer = setTimeout(
      () => {
        for (let from = 0; from < missing.length; from += COUNTED_AT_ONCE) {
          const ids = missing.slice(from, from + COUNTED_AT_ONCE)
          for (const id of ids) asked.current.add(id)
          // Without counts the list still serves.
          getOnce(addressOf('/group', { ids, member_counts: 1, include_fields: FIELDS })).then(
            ({ groups }) => setCounts((last) => new Map([...last, ...groups.map((it) => [it.id, it] as const)])),
            () => {},
          )
        }
      },
      counts.size > 0 ? AFTER_TYPING_MILLISECONDS : 0,
    )
    return () => clearTimeout(timer)
  }, [missing.join()])
  return counts
}
