import { queueAccountNotices } from '../../access/account-notice.ts'
import { requireNoDeniedWord } from '../../access/new-account.ts'
import { recordAudit } from '../../changes/audit.ts'
import type { Settings } from '../../platform/config/settings.ts'
import { isOfDomains, type SignInProvider } from '../../platform/config/sign-in-providers.ts'
import type { ConfigurationTransaction, Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { findAccountOfMailbox } from '../accounts/same-mailbox.ts'
import { createUser } from '../users/create-user.ts'
import { findUserByLogin, hasFactor, listUsersByIds, noteJoined, type UserRow } from '../users/user-store.ts'
import { insertIdentityLink, isLinked, useIdentityLink } from './identity-store.ts'
import type { Identity } from './provider-client.ts'
import { setProviderGroups } from './provider-groups.ts'

/**
 * The user whom the provider means. A subject that is linked stays linked, whatever its address is now. Otherwise the verified address
 * decides: an account with it is linked, and its user gets a mail, or a new account is created.
 */
export function userOfIdentity(
  db: Db,
  settings: Settings,
  provider: SignInProvider,
  identity: Identity,
  /** The user who is logged in and links their own account. */
  linking: number | null,
): Promise<UserRow> {
  return db.transaction(async (tx) => {
    const known = await useIdentityLink(tx, identity)
    if (known !== undefined && linking !== null && known !== linking)
      throw refusedByProvider(provider, 'it is linked with another account here')
    if (known === undefined && linking !== null) requireDomain(provider, identity)
    const id = known ?? linking ?? (await userWithAddress(tx, settings, provider, identity))
    const [user] = await listUsersByIds(tx, [id])
    if (user === undefined) throw new Error(`The user ${id} of an identity is missing`)
    if (user.disabled_text !== '') throw errors.account_disabled({ reason: 'ask the administrator.' })
    if (known === undefined) await link(tx, provider, identity, user)
    await setProviderGroups(tx, provider, identity, user.id)
    return user
  }, 'configuration')
}

async function userWithAddress(
  tx: ConfigurationTransaction,
  settings: Settings,
  provider: SignInProvider,
  identity: Identity,
): Promise<number> {
  const address = requireAddress(provider, identity)
  const login = loginOf(address, settings)
  const account = await findUserByLogin(tx, login)
  if (account === undefined) return createAccount(tx, settings, provider, identity, login)
  if (await isLinked(tx, account.id, identity.issuer))
    throw refusedByProvider(provider, 'the account with your address is linked with another user of this provider')
  if (await hasFactor(tx, account.id))
    throw refusedByProvider(
      provider,
      'the account with your address has a second factor: log in with it, then link the account in the settings',
    )
  return account.id
}

/** Throws 314 unless the provider has verified the address and its domain is allowed. */
function requireAddress(provider: SignInProvider, { claims }: Identity): string {
  const address = claims[provider.address_claim]
  if (typeof address !== 'string' || !address.includes('@'))
    throw refusedByProvider(provider, 'it does not say what your address is')
  if (!provider.trusts_addresses && !isVerified(claims, address))
    throw refusedByProvider(provider, 'it has not verified your address')
  requireDomain(provider, { claims })
  return address.trim()
}

/** email_verified is only about the claim email. Users of a provider may choose the text of other claims themselves. */
function isVerified({ email, email_verified }: Identity['claims'], address: string) {
  return email_verified === true && typeof email === 'string' && fold(email.trim()) === fold(address.trim())
}

/** Throws 314 if only addresses of some domains are allowed and this is none of them. */
function requireDomain(provider: SignInProvider, { claims }: Pick<Identity, 'claims'>) {
  const address = claims[provider.address_claim]
  if (provider.domains.length > 0 && !isOfDomains(provider, typeof address === 'string' ? address.trim() : ''))
    throw refusedByProvider(provider, 'addresses of your domain cannot be used here')
}

function loginOf(address: string, { emailsuffix }: Settings): string {
  const hasSuffix = emailsuffix !== '' && fold(address).endsWith(fold(emailsuffix))
  return hasSuffix ? address.slice(0, -emailsuffix.length) : address
}

async function createAccount(
  tx: ConfigurationTransaction,
  settings: Settings,
  provider: SignInProvider,
  { claims }: Identity,
  login: string,
): Promise<number> {
  if (!provider.creates_accounts)
    throw refusedByProvider(provider, 'there is no account with your address here: ask an administrator for one')
  if ((await findAccountOfMailbox(tx, login)) !== undefined)
    throw refusedByProvider(provider, 'there is an account with another spelling of your address: log in with it')
  const name =
    typeof claims.name === 'string'
      ? claims.name
          .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
          .trim()
          .slice(0, 200)
      : ''
  // Without domains everybody can get an account, as by joining.
  const isJoining = provider.domains.length === 0
  if (isJoining) requireNoDeniedWord(settings, [login, name])
  const id = await createUser(tx, settings, null, { email: login, fullName: name, passwordHash: null })
  if (isJoining) await noteJoined(tx, id, timeNow())
  return id
}

async function link(
  tx: ConfigurationTransaction,
  { title }: SignInProvider,
  identity: Identity,
  { id: userId }: UserRow,
) {
  await insertIdentityLink(tx, userId, identity)
  const added = `${identity.issuer} ${identity.subject}`
  await recordAudit(tx, { who: userId, class: 'User', objectId: userId }, { provider: { removed: '', added } })
  const notice = { what: 'factor_changed', change: 'provider_linked', userId, who: userId, name: title } as const
  await queueAccountNotices(tx, { ...notice, at: timeNow() })
}

export function refusedByProvider({ title }: SignInProvider, why: string) {
  return errors.provider_refused({ title, why })
}
