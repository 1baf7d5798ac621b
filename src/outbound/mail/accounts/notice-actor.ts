import { anonymous, type Caller } from '../../../access/caller.ts'
import { seesAddresses } from '../../../access/visibility/reader-rights.ts'
import { groupsSeenThrough } from '../../../people/bless.ts'
import type { UserRow } from '../../../people/users/user-store.ts'
import { withoutTurns } from '../headers/one-header.ts'
import type { MailContext } from '../mail-context.ts'

interface NoticePeople {
  owner: UserRow
  /** The user who made the change; undefined if the account is gone. */
  actor: UserRow | undefined
  /** Whether nobody has used the account yet, so that the reader of the mail may be somebody else. */
  isNew: boolean
}

/** Who made the change, in the words of its mail: the real name, and the address where the reader of the mail may see it. */
export function actorInNotice(mailContext: MailContext, { owner, actor, isNew }: NoticePeople): string {
  if (actor === undefined) return UNNAMED
  if (actor.id === owner.id) return 'you'
  // A name that turns the direction of text would turn the address after it.
  const name = withoutTurns(actor.real_name)
  if (!seesAddressOf(mailContext, isNew ? anonymous : callerFor(mailContext, owner), actor)) return name || UNNAMED
  return name === '' ? actor.login : `${name} (${actor.login})`
}

export const UNNAMED = 'another user'

function seesAddressOf({ groups, settings }: MailContext, caller: Caller, { group_ids }: UserRow) {
  const through = groupsSeenThrough(groups, settings, caller)
  const isSeen = through === undefined || (JSON.parse(group_ids) as number[]).some((id) => through.has(id))
  return isSeen && seesAddresses({ caller, settings })
}

function callerFor({ groups }: MailContext, { id, login, real_name: realName, group_ids }: UserRow): Caller {
  return { ...anonymous, id, login, realName, groups: groups.membership(JSON.parse(group_ids) as number[]) }
}
