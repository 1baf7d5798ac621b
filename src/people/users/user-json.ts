import { type Caller, isIn, isSignedIn } from '../../access/caller.ts'
import type { GroupGraph } from '../../access/group-graph.ts'
import type { Settings } from '../../platform/settings.ts'
import type { FieldSelection } from '../../platform/wire/field-selection.ts'
import { emailOf } from './user.ts'
import type { UserRow } from './user-store.ts'

/** What somebody needs to know to show users to a caller. */
export interface UserView {
  caller: Caller
  groups: GroupGraph
  settings: Settings
  select: FieldSelection
  blessable: ReadonlySet<number>
}

/** Who sees which fields of a user; see the table in docs/api/user.md. */
export function presentUser(user: UserRow, view: UserView) {
  const { caller, settings, select } = view
  if (!isSignedIn(caller))
    return select.pick({ id: user.id, name: nameFor(user.login, settings), real_name: user.real_name })
  return select.pick({
    id: user.id,
    name: user.login,
    real_name: user.real_name,
    email: emailOf(user, settings),
    can_login: user.disabled_text === '',
    ...(select.wants('groups') && { groups: presentGroups(user, view) }),
    ...(user.id === caller.id && { saved_searches: [], saved_reports: [] }),
    ...(isIn(caller, 'editusers') && {
      email_enabled: user.email_enabled === 1,
      login_denied_text: user.disabled_text,
    }),
  })
}

/** With webservice_email_filter on, strangers see of an address only what stands before the @. */
function nameFor(login: string, settings: Settings) {
  return settings.webservice_email_filter ? login.replace(/@.*$/, '') : login
}

function presentGroups(user: UserRow, { caller, groups, blessable, select }: UserView) {
  const membership = groups.membership(JSON.parse(user.group_ids) as number[])
  const seesAll = user.id === caller.id || isIn(caller, 'editusers')
  const part = select.within('groups')
  return [...membership.ids]
    .filter((id) => seesAll || blessable.has(id))
    .sort((a, b) => a - b)
    .flatMap((id) => groups.groups.get(id) ?? [])
    .map(({ id, name, description }) => part.pick({ id, name, description }))
}
