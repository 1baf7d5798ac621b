import type { GroupGraph } from '../../access/visibility/group-graph.ts'
import { listQuestionBlockers } from '../../people/request-settings/request-settings-store.ts'
import { getUsersByLogins, type UserRow } from '../../people/users/user-store.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/db.ts'
import { fold } from '../../platform/text/fold.ts'
import { visibleAmong } from '../values/bug-refs.ts'
import type { PossibleRequestee } from './flag.ts'

interface RequesteeContext {
  settings: Settings
  groups: GroupGraph
}

/**
 * Reads the users with these login names and what each may do with the bugs, with one query per user. Returns a function that finds the
 * user for a bug and a login name. Throws error 51 if a login name is unknown.
 */
export async function findRequestees(
  tx: Db,
  flagContext: RequesteeContext,
  bugIds: readonly number[],
  logins: readonly string[],
): Promise<(bugId: number) => (login: string) => PossibleRequestee> {
  const names = [...new Set(logins.map((login) => login.trim()))].filter((login) => login !== '')
  const users = names.length === 0 ? [] : await getUsersByLogins(tx, names)
  const known = new Map<string, (bugId: number) => PossibleRequestee>()
  const blocking = await listQuestionBlockers(tx, [...new Set(users.map(({ id }) => id))])
  for (const user of users)
    known.set(
      fold(user.login),
      await candidateFrom(tx, flagContext, bugIds, { ...user, blocks: blocking.has(user.id) }),
    )
  return (bugId) => (login) => (known.get(fold(login.trim())) as (bugId: number) => PossibleRequestee)(bugId)
}

interface Candidate extends UserRow {
  /** The setting block_needinfo. */
  blocks: boolean
}

async function candidateFrom(
  tx: Db,
  { settings, groups }: RequesteeContext,
  bugIds: readonly number[],
  user: Candidate,
) {
  const { ids, names } = groups.membership(JSON.parse(user.group_ids) as number[])
  const viewer = { viewerId: user.id, viewerGroups: JSON.stringify([...ids]) }
  const visible = await visibleAmong(tx, settings, viewer, bugIds)
  return (bugId: number): PossibleRequestee => ({
    id: user.id,
    login: user.login,
    isEnabled: user.disabled_text === '',
    seesBug: visible.has(bugId),
    seesPrivate: settings.insidergroup !== '' && names.has(settings.insidergroup),
    blocksQuestions: user.blocks,
    groups: ids,
  })
}
