import type { CallContext } from '../../access/call.ts'
import { withLiveCredential } from '../../access/live-credential.ts'
import type { ConfigurationTransaction } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { mayChooseMembers, readGrantor } from '../grantor.ts'
import { directGroupsOf, grantDirectly, revokeGrant } from '../group-grants.ts'
import { keepingAnAdministrator } from '../last-administrator.ts'
import { saveAccount } from '../users/save-account.ts'
import { getUsersByLogins, type UserRow } from '../users/user-store.ts'
import type { Group } from './group.ts'
import { findGroups } from './group-store.ts'

interface Choice {
  add: readonly string[]
  remove: readonly string[]
}

/** Puts users into a group and takes others out. The right to do so is read in the transaction: it may have been taken away meanwhile. */
export function changeMembers(
  context: Pick<CallContext, 'db' | 'caller' | 'credentials' | 'settings'>,
  who: number,
  ref: string,
  { add, remove }: Choice,
) {
  return withLiveCredential(context, 'configuration', async (tx) => {
    const grantor = await readGrantor(tx, who)
    const group = (await findGroups(tx, [ref])).get(ref)
    // A group that the caller may not bless is refused like one that does not exist.
    if (group === undefined || !mayChooseMembers(grantor, group.id, context.settings))
      throw errors.group_not_blessable({ ref })
    const added = await getUsersByLogins(tx, add)
    const removed = (await getUsersByLogins(tx, remove)).filter(({ id }) => !added.some((it) => it.id === id))
    return keepingAnAdministrator(tx, async () => {
      const changed = []
      for (const user of new Map(added.map((it) => [it.id, it])).values())
        changed.push({ id: user.id, changes: await changeOne(tx, who, group, user, 'add') })
      for (const user of new Map(removed.map((it) => [it.id, it])).values())
        changed.push({ id: user.id, changes: await changeOne(tx, who, group, user, 'remove') })
      return changed
    })
  })
}

async function changeOne(
  tx: ConfigurationTransaction,
  who: number,
  group: Group,
  { id, login, real_name, nick, disabled_text, email_enabled }: UserRow,
  how: 'add' | 'remove',
) {
  const user = { id, login, real_name, nick, disabled_text, email_enabled }
  const isMember = (await directGroupsOf(tx, user.id, 'member')).includes(group.id)
  if (isMember === (how === 'add')) return {}
  if (how === 'add') await grantDirectly(tx, user.id, group.id, 'member')
  else await revokeGrant(tx, user.id, group.id, 'member')
  const groups = how === 'add' ? { removed: '', added: group.name } : { removed: group.name, added: '' }
  return saveAccount(tx, who, { before: user, after: user, passwordHash: undefined }, { groups })
}
