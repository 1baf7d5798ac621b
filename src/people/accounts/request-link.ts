import { queueAccountNotices } from '../../access/account-notice.ts'
import { isLoopback, networkOf } from '../../access/authentication/real-address.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { compilePattern } from '../../platform/text/regexps.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { requireLoginName } from '../users/user.ts'
import { countLinksOfLastDay, insertAccountLink } from './account-link-store.ts'

export interface LinkRequest {
  kind: 'join' | 'password'
  login: string
  address: string
}

/**
 * Sends a link by mail. Whether there is an account is looked up when the mail is written, so that the response and its time are the same. A
 * recipient gets a few mails a day; further requests change nothing, since the links in these mails still work.
 */
export async function requestLink(db: Db, settings: Settings, { kind, login, address }: LinkRequest) {
  const network = networkOf(address)
  await db.transaction(async (tx) => {
    const { ofRecipient, ofNetwork } = await countLinksOfLastDay(tx, kind, login, network)
    if (ofNetwork >= settings.account_mails_per_network && !isLoopback(address)) throw tooMany()
    if (ofRecipient >= settings.account_mails_per_address) return
    const linkId = await insertAccountLink(tx, {
      kind,
      login,
      network,
      userId: null,
      hours: settings.account_link_hours,
    })
    await queueAccountNotices(tx, { what: 'link_asked', linkId, login, at: timeNow() })
  }, 'login')
}

const TRY_AGAIN_SECONDS = 3600

function tooMany() {
  return errors.too_many_requests({ seconds: TRY_AGAIN_SECONDS }).withHeader('Retry-After', String(TRY_AGAIN_SECONDS))
}

/** Returns the login name as it will be stored. Throws 501 if the parameter createemailregexp does not allow it. */
export function requireMayJoin(input: string, settings: Settings): string {
  if (settings.createemailregexp === '') throw errors.joining_off()
  const login = requireLoginName(input, settings)
  if (!compilePattern(settings.createemailregexp).occursIn(login))
    throw errors.bad_login_name({ login, right: 'accounts with such an address are made by an administrator' })
  return login
}
