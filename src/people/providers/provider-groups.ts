import { noteGroupsChanged } from '../../access/installation.ts'
import { recordAudit } from '../../changes/audit.ts'
import type { SignInProvider } from '../../platform/config/sign-in-providers.ts'
import type { ConfigurationTransaction } from '../../platform/database/db.ts'
import { grantByProvider, groupsByProvider, revokeByProvider } from '../group-grants.ts'
import { findGroups } from '../groups/group-store.ts'
import { keepingAnAdministrator } from '../last-administrator.ts'
import type { Identity } from './provider-client.ts'

/** Makes the user a member of exactly those groups of the provider that the claim names. Other groups of the user stay. */
export async function setProviderGroups(
  tx: ConfigurationTransaction,
  { groups, groups_claim }: SignInProvider,
  { claims }: Identity,
  userId: number,
) {
  const mapped = new Map(Object.entries(groups))
  if (mapped.size === 0) return
  const claim = claims[groups_claim]
  const named = new Set(Array.isArray(claim) ? claim : typeof claim === 'string' ? [claim] : [])
  const found = await findGroups(tx, [...new Set(mapped.values())])
  const idOf = (name: string) => found.get(name)?.id
  const wanted = new Set([...mapped].flatMap(([value, name]) => (named.has(value) ? (idOf(name) ?? []) : [])))
  const managed = new Set([...mapped.values()].flatMap((name) => idOf(name) ?? []))
  const before = new Set(await groupsByProvider(tx, userId))
  const added = [...wanted].filter((id) => !before.has(id))
  const removed = [...before].filter((id) => managed.has(id) && !wanted.has(id))
  if (added.length + removed.length === 0) return
  await keepingAnAdministrator(tx, async () => {
    for (const id of added) await grantByProvider(tx, userId, id)
    for (const id of removed) await revokeByProvider(tx, userId, id)
  })
  const names = (ids: readonly number[]) =>
    ids.map((id) => [...found.values()].find((group) => group?.id === id)?.name ?? String(id)).join(', ')
  await recordAudit(
    tx,
    { who: userId, class: 'User', objectId: userId },
    { groups: { removed: names(removed), added: names(added) } },
  )
  await noteGroupsChanged(tx)
}
