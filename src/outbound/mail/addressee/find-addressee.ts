import { anonymous, type Caller } from '../../../access/caller.ts'
import { emailOf } from '../../../people/users/user.ts'
import { findUserByLogin } from '../../../people/users/user-store.ts'
import type { MailContext } from '../mail-context.ts'
import type { MailJob } from '../mail-job.ts'
import { type Choice, type MailPreferences, preferencesOf } from '../preferences/mail-preference.ts'
import { DEFAULT_FORM, type MailForm } from '../preferences/mail-preference-store.ts'
import { timesOf } from '../waiting/mail-times-store.ts'
import { AT_ONCE, type MailTimes } from '../waiting/send-time.ts'
import { type AccountRow, findAccount } from './addressee-store.ts'

/** The recipient of a message, with their current rights and preferences. */
export interface Addressee {
  /** An anonymous caller for an address without an account. */
  caller: Caller
  address: string
  preferences: MailPreferences
  form: MailForm
  times: MailTimes
}

/** Undefined if there is no such user, or if the user wants no mail at all or none about the bug. */
export async function findAddressee(
  mailContext: MailContext,
  { to, bugId }: Pick<MailJob, 'to' | 'bugId'>,
): Promise<Addressee | undefined> {
  const id = 'userId' in to ? to.userId : await accountWith(mailContext, to.address)
  if (id === undefined) return 'address' in to ? addresseeWithoutAccount(to.address) : undefined
  const account = await findAccount(mailContext.db, id, bugId)
  if (account === undefined || account.email_enabled === 0 || account.ignores_bug === 1) return undefined
  return addresseeOf(mailContext, account)
}

/** If addresses are logins with a suffix, the text may be the login or the address. */
export async function accountWith({ db, settings }: MailContext, address: string): Promise<number | undefined> {
  const { emailsuffix } = settings
  const login = emailsuffix !== '' && address.endsWith(emailsuffix) ? address.slice(0, -emailsuffix.length) : address
  return ((await findUserByLogin(db, login)) ?? (await findUserByLogin(db, address)))?.id
}

function addresseeWithoutAccount(address: string): Addressee {
  return { caller: anonymous, address, preferences: preferencesOf([]), form: DEFAULT_FORM, times: AT_ONCE }
}

function addresseeOf({ groups, settings }: MailContext, account: AccountRow): Addressee {
  const { id, login, real_name: realName, is_html, has_new_prefix } = account
  const membership = groups.membership(JSON.parse(account.group_ids) as number[])
  return {
    caller: { ...anonymous, id, login, realName, groups: membership },
    address: emailOf(account, settings),
    preferences: preferencesOf(JSON.parse(account.choices) as Choice[]),
    form: {
      is_html: is_html ?? DEFAULT_FORM.is_html,
      has_new_prefix: has_new_prefix ?? DEFAULT_FORM.has_new_prefix,
    },
    times: timesOf(account),
  }
}
