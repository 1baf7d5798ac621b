import { requireNoDeniedWord } from '../../access/new-account.ts'
import { recordAudit } from '../../changes/audit.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { hashPassword } from '../../platform/secrets/passwords.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { added, type EndedCredentials, endedInWords, endKeysAndMail } from '../credentials/end-credentials.ts'
import { unlinkAllProviders } from '../providers/unlink-provider.ts'
import { createUser } from '../users/create-user.ts'
import { requireChosenPassword } from '../users/password-rules.ts'
import { changesInAccount, saveAccount } from '../users/save-account.ts'
import { requireRealName } from '../users/user.ts'
import { listUsersByIds, noteJoined, type UserRow } from '../users/user-store.ts'
import { type AccountLink, closeJoinLinksTo, findLinkOfToken, useLink } from './account-link-store.ts'
import { requireMayJoin } from './request-link.ts'
import { findAccountOfMailbox } from './same-mailbox.ts'

/** A link that works, and the user that it belongs to; undefined for a new account. */
export interface OpenLink {
  link: AccountLink
  user: UserRow | undefined
}

/** Throws 309 for a token that is unknown, used or expired, or whose account is disabled. */
export async function getOpenLink(db: Db, token: string): Promise<OpenLink> {
  const link = await findLinkOfToken(db, token.trim())
  if (link === undefined) throw errors.link_invalid()
  if (link.kind === 'join') return { link, user: undefined }
  const [user] = link.user_id === null ? [] : await listUsersByIds(db, [link.user_id])
  if (user === undefined || user.disabled_text !== '') throw errors.link_invalid()
  return { link, user }
}

export interface ChosenAccount {
  token: string
  password: string
  fullName: string | undefined
  /** API keys, webhooks and what else acts for the user go on. */
  keepsOthers: boolean
}

/** Does what the link is for. The password is hashed only for a link that works, because that takes long. */
export async function confirmLink(
  db: Db,
  settings: Settings,
  { token, password, fullName, keepsOthers }: ChosenAccount,
): Promise<{ id: number; login: string; ended: EndedCredentials }> {
  const { link, user } = await getOpenLink(db, token)
  const login = user?.login ?? requireMayJoin(link.login, settings)
  const realName = fullName === undefined ? undefined : requireRealName(fullName)
  if (user === undefined) requireNoDeniedWord(settings, [login, realName])
  const checked = requireChosenPassword(password, settings, [login, realName ?? user?.real_name ?? ''])
  const passwordHash = await hashPassword(checked, [`link ${link.id}`])
  if (user === undefined) return joinWith(db, settings, token, { login, realName: realName ?? '', passwordHash })
  const chosen = { realName: link.kind === 'invite' ? realName : undefined, passwordHash }
  return setPassword(db, settings, token, chosen, link.kind === 'password' && !keepsOthers)
}

interface NewAccount {
  login: string
  realName: string
  passwordHash: string
}

function joinWith(db: Db, settings: Settings, token: string, { login, realName, passwordHash }: NewAccount) {
  return db.transaction(async (tx) => {
    if (!(await useLink(tx, token.trim()))) throw errors.link_invalid()
    if ((await findAccountOfMailbox(tx, login)) !== undefined) throw errors.account_exists({ login })
    const id = await createUser(tx, settings, null, { email: login, fullName: realName, passwordHash })
    await noteJoined(tx, id, timeNow())
    await closeJoinLinksTo(tx, login)
    return { id, login, ended: {} }
  }, 'accounts')
}

function setPassword(
  db: Db,
  settings: Settings,
  token: string,
  chosen: { realName: string | undefined; passwordHash: string },
  endsOthers: boolean,
) {
  return db.transaction(async (tx) => {
    const { user } = await getOpenLink(tx, token)
    if (user === undefined || !(await useLink(tx, token.trim()))) throw errors.link_invalid()
    const { passwordHash, realName = user.real_name } = chosen
    const edit = { before: user, after: { ...user, real_name: realName }, passwordHash }
    await saveAccount(tx, user.id, edit, changesInAccount(edit))
    const ended = endsOthers
      ? added(await endKeysAndMail(tx, user.id, null), {
          provider: await unlinkAllProviders(tx, settings, { id: user.id, token: undefined }, user, {
            keepsWayIn: false,
          }),
        })
      : {}
    if (Object.keys(ended).length > 0)
      await recordAudit(
        tx,
        { who: user.id, class: 'User', objectId: user.id },
        { credentials: { removed: endedInWords(ended), added: '' } },
      )
    return { id: user.id, login: user.login, ended }
  }, 'configuration')
}
