import type { CallContext } from '../../access/call.ts'
import { EVERY_SCOPE, type SignedIn } from '../../access/caller.ts'
import { readStateVersions } from '../../access/installation.ts'
import { listUsersByIds, type UserRow } from '../../people/users/user-store.ts'
import type { DeliveryContext } from '../delivery/delivery-context.ts'

/** The context for work on behalf of a user without a request: with the rights that the user has now. */
export interface ActingContext
  extends Pick<CallContext, 'db' | 'settings' | 'groups' | 'catalogue' | 'versions' | 'baseUrl'> {
  caller: SignedIn
}

/** Returns a context for each of these users. Users whose accounts are gone or disabled are left out. */
export async function actAsUsers(
  { db, installation, baseUrl }: Pick<DeliveryContext, 'db' | 'installation' | 'baseUrl'>,
  userIds: readonly number[],
): Promise<Map<number, ActingContext>> {
  const versions = await readStateVersions(db)
  const settings = await installation.settingsAt(versions)
  const groups = await installation.groupsAt(versions)
  const catalogue = installation.catalogueAt(versions)
  const users = (await listUsersByIds(db, [...new Set(userIds)])).filter(({ disabled_text }) => disabled_text === '')
  const callerFrom = ({ id, login, real_name, joined_at, group_ids }: UserRow): SignedIn => ({
    id,
    login,
    realName: real_name,
    groups: groups.membership(JSON.parse(group_ids) as number[]),
    scopes: EVERY_SCOPE,
    expiresAt: null,
    source: null,
    keyId: null,
    provenAt: null,
    joinedAt: joined_at ?? null,
    mustAddFactor: false,
  })
  return new Map(
    users.map((user) => [
      user.id,
      { db, settings, groups, catalogue, versions, baseUrl: baseUrl(), caller: callerFrom(user) },
    ]),
  )
}
