import type { AccountNotice } from '../../../access/account-notice.ts'
import type { MailContext } from '../mail-context.ts'

export interface NoticeText {
  to: string
  subject: string
  /** Line by line. Text that a user wrote is on one line. */
  text: string[]
}

export type NoticeOf<What> = Extract<AccountNotice, { what: What }>

/** What every notice to the owner of an account needs. */
export interface OwnerNotice {
  site: string
  /** The name of the installation, if it has one, and its address. */
  namedSite: string
  to: string
  login: string
  /** The user who made the change: a name, an address or both, or "you". */
  actor: string
}

/** The last lines of a notice about a change that the owner may not have made. */
export function ifUnexpected({ settings }: MailContext): string[] {
  const whom = settings.maintainer === '' ? 'an administrator' : settings.maintainer
  return ['', `If you did not expect this, tell ${whom}.`]
}
