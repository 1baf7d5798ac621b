import { queueAccountNotices } from '../../access/account-notice.ts'
import { noteGroupsChanged } from '../../access/installation.ts'
import { recordAudit } from '../../changes/audit.ts'
import type { Settings } from '../../platform/config/settings.ts'
import { onlyProviderFor, providersIn, type SignInProvider } from '../../platform/config/sign-in-providers.ts'
import type { ConfigurationTransaction, Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { listFactors } from '../factors/factor-store.ts'
import { readGrantor, requireNotStronger } from '../grantor.ts'
import { groupsByProvider, revokeByProvider } from '../group-grants.ts'
import { findGroups } from '../groups/group-store.ts'
import { isLastAdministrator, keepingAnAdministrator } from '../last-administrator.ts'
import { emailOf, type User } from '../users/user.ts'
import { passwordHashOf } from '../users/user-store.ts'
import { getTarget } from '../users/user-targets.ts'
import { deleteIdentityLink, endSessionsOfLink, type IdentityLink, listIdentityLinks } from './identity-store.ts'

/** A link as it is returned. A provider that was removed from the parameters has no name. */
export function presentLink({ id, issuer, subject, created_at, last_used_at }: IdentityLink, settings: Settings) {
  const provider = providerOf(issuer, settings)
  return {
    id,
    name: provider?.name ?? null,
    title: provider?.title ?? issuer,
    issuer,
    subject,
    created_at,
    last_used: last_used_at,
  }
}

function providerOf(issuer: string, { sign_in_providers }: Settings): SignInProvider | undefined {
  return providersIn(sign_in_providers).find((it) => it.issuer.replace(/\/$/, '') === issuer.replace(/\/$/, ''))
}

/**
 * Removes the link of a user with a provider. The sessions that were opened through it end, and the groups that it gave are lost. Users
 * cannot remove the last way in which they can log in; others need the rights that setting the password needs.
 */
export function unlinkProvider(
  db: Db,
  settings: Settings,
  editor: { id: number; token: string | undefined },
  ref: string,
  linkId: number,
): Promise<{ id: number }> {
  return db.transaction(async (tx) => {
    const user = await getTarget(tx, ref)
    if (user.id !== editor.id) await requireNotStronger(tx, await readGrantor(tx, editor.id), user)
    const links = await listIdentityLinks(tx, user.id)
    const link = links.find(({ id }) => id === linkId)
    if (link === undefined) throw errors.no_such_object({ what: 'link with a provider', ref: String(linkId) })
    const others = links.filter(({ id }) => id !== linkId)
    if (user.id === editor.id && !(await hasOtherWayIn(tx, settings, user, others)))
      throw errors.last_login_method_kept()
    const provider = await removeLink(tx, settings, editor, user, link)
    if (provider !== undefined) await keepingAnAdministrator(tx, () => revokeGroupsOf(tx, provider, user.id))
    return { id: linkId }
  }, 'configuration')
}

/**
 * Removes the links of a user, except the one with the provider that the user must use and, with `keepsWayIn`, the last way in which the
 * user can log in. The last administrator keeps the groups. Returns how many links were removed.
 */
export async function unlinkAllProviders(
  tx: ConfigurationTransaction,
  settings: Settings,
  editor: LinkEditor,
  user: User,
  { keepsWayIn }: { keepsWayIn: boolean },
): Promise<number> {
  const links = await listIdentityLinks(tx, user.id)
  const only = onlyProviderFor(settings.sign_in_providers, emailOf(user, settings))
  const kept = new Set(links.filter(({ issuer }) => only && providerOf(issuer, settings)?.name === only.name))
  if (keepsWayIn && !(await hasOtherWayIn(tx, settings, user, [...kept]))) {
    const usable = links.filter(({ issuer }) => providerOf(issuer, settings) !== undefined)
    for (const last of usable.sort(byLastUse).slice(-1)) kept.add(last)
  }
  const removed = links.filter((link) => !kept.has(link))
  const isLast = removed.length > 0 && (await isLastAdministrator(tx, user.id))
  for (const link of removed) {
    const provider = await removeLink(tx, settings, editor, user, link)
    if (provider !== undefined && !isLast) await revokeGroupsOf(tx, provider, user.id)
  }
  return removed.length
}

function byLastUse(one: IdentityLink, other: IdentityLink) {
  return one.last_used_at < other.last_used_at ? -1 : 1
}

interface LinkEditor {
  /** Null is an operator, with a command. */
  id: number | null
  token: string | undefined
}

/** No user has this id. */
const NOBODY = 0

/** Also ends the sessions that were opened through it, except that of the editor. Returns the provider, if the parameters still have it. */
async function removeLink(
  tx: Db,
  settings: Settings,
  editor: LinkEditor,
  user: User,
  link: IdentityLink,
): Promise<SignInProvider | undefined> {
  await deleteIdentityLink(tx, link.id)
  const provider = providerOf(link.issuer, settings)
  if (provider !== undefined)
    await endSessionsOfLink(tx, { provider: provider.name, subject: link.subject }, editor.token)
  await noteUnlinked(tx, editor.id, user, link, provider?.title ?? link.issuer)
  return provider
}

/** Whether the user can log in with a password, a passkey or another provider. */
async function hasOtherWayIn(tx: Db, settings: Settings, user: User, others: readonly IdentityLink[]) {
  if (others.some(({ issuer }) => providerOf(issuer, settings) !== undefined)) return true
  const only = onlyProviderFor(settings.sign_in_providers, emailOf(user, settings))
  if (only === undefined && (await passwordHashOf(tx, user.id)) !== null) return true
  return (await listFactors(tx, user.id)).some(({ kind, is_confirmed }) => kind === 'passkey' && is_confirmed === 1)
}

async function revokeGroupsOf(tx: ConfigurationTransaction, { groups }: SignInProvider, userId: number) {
  const found = await findGroups(tx, [...new Set(Object.values(groups))])
  const managed = new Set([...found.values()].flatMap((group) => group?.id ?? []))
  const given = (await groupsByProvider(tx, userId)).filter((id) => managed.has(id))
  if (given.length === 0) return
  for (const id of given) await revokeByProvider(tx, userId, id)
  await noteGroupsChanged(tx)
}

async function noteUnlinked(tx: Db, who: number | null, { id: userId }: User, link: IdentityLink, title: string) {
  const removed = `${link.issuer} ${link.subject}`
  await recordAudit(tx, { who, class: 'User', objectId: userId }, { provider: { removed, added: '' } })
  const notice = {
    what: 'factor_changed',
    change: 'provider_unlinked',
    userId,
    who: who ?? NOBODY,
    name: title,
  } as const
  await queueAccountNotices(tx, { ...notice, at: timeNow() })
}
