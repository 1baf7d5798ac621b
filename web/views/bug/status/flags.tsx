import { personBy } from '../../../core/bugs/people.ts'
import type { Flag } from '../../../core/server/types.ts'
import { Avatar, nameOf } from '../../../parts/person.tsx'

const KINDS: Readonly<Record<string, string>> = {
  '?': 'flag flag-requested',
  '+': 'flag flag-granted',
  '-': 'flag flag-denied',
}

/** A request, or the answer to one: its name and state, then who is asked. */
export function FlagChip({ flag: { name, status, requestee } }: { flag: Flag }) {
  const person = requestee === undefined ? undefined : personBy(requestee)
  return (
    <span class={KINDS[status] ?? 'flag'}>
      <b>
        {name}
        {status === '-' ? '−' : status}
      </b>
      {person !== undefined && (
        <>
          <Avatar id={person.id} name={nameOf(person)} size={16} />
          <span dir="auto">{nameOf(person).split(' ')[0]}</span>
        </>
      )}
    </span>
  )
}
