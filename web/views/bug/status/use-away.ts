import { useEffect, useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { absenceInWords } from '../../../core/account/absences.ts'
import { get } from '../../../core/server/rest.ts'
import type { Flag } from '../../../core/server/types.ts'

const NOBODY: ReadonlyMap<string, string> = new Map()

/** Until when the users are away who are asked, in words, by login name. */
export function useAway(flags: readonly Flag[]): ReadonlyMap<string, string> {
  const [away, setAway] = useState(NOBODY)
  const asked = [...new Set(flags.flatMap(({ status, requestee }) => (status === '?' && requestee) || []))].sort()
  const key = asked.join(' ')
  useEffect(() => {
    if (key === '') return
    let isCurrent = true
    get(addressOf('/absence', { users: asked })).then(
      ({ absences }) => {
        const now = absences.filter(({ is_now }) => is_now)
        if (isCurrent) setAway(new Map(now.map((absence) => [absence.user, absenceInWords(absence)])))
      },
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [key])
  return away
}
