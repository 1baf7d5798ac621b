import { valuesIn } from '../../../bugs/history/history.ts'
import { fold } from '../../../platform/text/fold.ts'
import type { FieldChange } from '../../events/event-facts.ts'
import type { Role } from '../preferences/mail-preference.ts'
import type { LeftPlaces } from './followed-places.ts'
import { FIELD_OF_ROLE } from './mail-events.ts'

/** The logins that gained or lost a role, by role. */
export function peopleIn(changes: ReadonlyMap<string, FieldChange>): Map<Role, ReadonlySet<string>> {
  return new Map(
    roleChanges(changes).map(([role, { removed, added }]) => [
      role,
      new Set([...valuesIn(removed), ...valuesIn(added)]),
    ]),
  )
}

/** The users who lost a role. */
export function lostRoles(changes: ReadonlyMap<string, FieldChange>): { role: Role; login: string }[] {
  return roleChanges(changes).flatMap(([role, { removed }]) => valuesIn(removed).map((login) => ({ role, login })))
}

/** What a bug was in before the change. */
export function leftPlaces(changes: ReadonlyMap<string, FieldChange>): LeftPlaces {
  const removed = (field: string) => fold(changes.get(field)?.removed ?? '')
  return {
    product: removed('product'),
    component: removed('component'),
    keywords: valuesIn(removed('keywords')),
  }
}

function roleChanges(changes: ReadonlyMap<string, FieldChange>): [Role, FieldChange][] {
  return Object.entries(FIELD_OF_ROLE).flatMap(([role, field]) => {
    const line = changes.get(field)
    return line === undefined ? [] : [[role as Role, line] as [Role, FieldChange]]
  })
}
