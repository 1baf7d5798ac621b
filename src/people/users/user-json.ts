import { type Caller, isIn, isSignedIn } from '../../access/caller.ts'
import type { GroupGraph } from '../../access/visibility/group-graph.ts'
import { loginFor } from '../../access/visibility/reader-rights.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { FieldSelection } from '../../platform/wire/field-selection.ts'
import type { QuestionsOfUser } from '../request-settings/pending-question-store.ts'
import type { SavedSearch } from '../saved-searches/saved-search.ts'
import { emailOf, nickOf } from './user.ts'
import type { UserRow } from './user-store.ts'

/** What is needed to present users to a caller. */
export interface UserView {
  caller: Caller
  groups: GroupGraph
  settings: Settings
  select: FieldSelection
  blessable: ReadonlySet<number>
  /** The saved searches and reports of the caller. */
  saved: OwnSaved
  /** Only where the caller asked for it by name. */
  questionsOf: ((userId: number) => QuestionsOfUser) | undefined
}

export interface OwnSaved {
  searches: readonly SavedSearch[]
  reports: readonly SavedSearch[]
}

/** docs/api/user.md has a table of who sees which field of a user. */
export function presentUser(user: UserRow, view: UserView) {
  const { caller, settings, select } = view
  if (!isSignedIn(caller))
    return select.pick({
      id: user.id,
      name: loginFor(user.login, { caller, settings }),
      real_name: user.real_name,
      nick: nickOf(user),
    })
  return select.pick({
    id: user.id,
    name: user.login,
    real_name: user.real_name,
    nick: nickOf(user),
    email: emailOf(user, settings),
    can_login: user.disabled_text === '',
    ...(select.wants('groups') && { groups: presentGroups(user, view) }),
    ...(view.questionsOf && { requests: select.within('requests').pick({ needinfo: view.questionsOf(user.id) }) }),
    ...(user.id === caller.id && presentSaved(view)),
    ...(isIn(caller, 'editusers') && {
      email_enabled: user.email_enabled === 1,
      login_denied_text: user.disabled_text,
    }),
  })
}

function presentSaved({ saved, select }: UserView) {
  const shown = (field: string, them: readonly SavedSearch[]) => {
    const part = select.within(field)
    return them.map(({ id, name, query }) => part.pick({ id, name, query }))
  }
  return {
    saved_searches: shown('saved_searches', saved.searches),
    saved_reports: shown('saved_reports', saved.reports),
  }
}

function presentGroups(user: UserRow, { caller, groups, blessable, select }: UserView) {
  const membership = groups.membership(JSON.parse(user.group_ids) as number[])
  const part = select.within('groups')
  const visible = user.id === caller.id ? membership.list : membership.list.filter(({ id }) => blessable.has(id))
  return visible.map((group) => part.pick(group))
}
