import type { GroupGraph } from '../../access/group-graph.ts'
import { getUsersByLogins, type UserRow } from '../../people/users/user-store.ts'
import type { Db } from '../../platform/database/db.ts'
import { fold } from '../../platform/fold.ts'
import type { Settings } from '../../platform/settings.ts'
import { visibleAmong } from '../bug-refs.ts'
import type { Candidate } from './flag.ts'

/** Answers, for a login name, who that is and what the rules want to know of them; 51 for a name that nobody has. */
export async function findRequestees(
  tx: Db,
  scene: { settings: Settings; groups: GroupGraph },
  bugId: number,
  logins: readonly string[],
): Promise<(login: string) => Candidate> {
  const names = [...new Set(logins.map((login) => login.trim()))].filter((login) => login !== '')
  const users = names.length === 0 ? [] : await getUsersByLogins(tx, names)
  const candidates = new Map<string, Candidate>()
  for (const user of users) candidates.set(fold(user.login), await candidateOf(tx, scene, bugId, user))
  return (login) => candidates.get(fold(login.trim())) as Candidate
}

async function candidateOf(
  tx: Db,
  { settings, groups }: { settings: Settings; groups: GroupGraph },
  bugId: number,
  user: UserRow,
): Promise<Candidate> {
  const { ids, names } = groups.membership(JSON.parse(user.group_ids) as number[])
  const viewer = { viewerId: user.id, viewerGroups: JSON.stringify([...ids]) }
  return {
    id: user.id,
    login: user.login,
    isEnabled: user.disabled_text === '',
    seesBug: (await visibleAmong(tx, settings, viewer, [bugId])).has(bugId),
    seesPrivate: settings.insidergroup !== '' && names.has(settings.insidergroup),
    groups: ids,
  }
}
