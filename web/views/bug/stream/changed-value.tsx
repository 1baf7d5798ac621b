import type { ComponentChildren } from 'preact'
import { findField } from '../../../../shared/bug-fields/field-names.ts'
import { isNothing, isOfBugs, isOfUsers } from '../../../core/bugs/fields.ts'
import { personBy } from '../../../core/bugs/people.ts'
import { shortDate } from '../../../core/times.ts'
import { displayValue } from '../../../parts/glyphs.tsx'
import { nameOf } from '../../../parts/person.tsx'
import { BugLink } from '../../../parts/text/text-with-links.tsx'

/** A value of a field before or after a change. */
export function Value({ name, value }: { name: string; value: string }): ComponentChildren {
  const kind = findField(name)?.kind
  if (isOfBugs(name) && /^[\d, ]+$/.test(value))
    return value.split(', ').map((id, place) => (
      <span key={id}>
        {place > 0 && ', '}
        <BugLink id={Number(id)} />
      </span>
    ))
  if (isOfUsers(name))
    return value
      .split(', ')
      .map((login) => nameOf(personBy(login)))
      .join(', ')
  if (kind === 'yes or no') return value === '1' ? 'yes' : 'no'
  if (value !== '' && isNothing(name, value)) return 'none'
  if (kind === 'hours' && value !== '') return `${Number(value)} h`
  if (kind === 'date' && value !== '') return shortDate(value)
  return name === 'status' || name === 'resolution' ? displayValue(value) : value
}
