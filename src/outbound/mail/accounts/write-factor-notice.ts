import type { FactorChange } from '../../../access/account-notice.ts'
import { headerText } from '../headers/one-header.ts'
import type { NoticeOf, NoticeText, OwnerNotice } from './notice-text.ts'

const SUBJECTS: Readonly<Record<FactorChange, string>> = {
  totp_added: 'Your account has a new second factor',
  passkey_added: 'Your account has a new passkey',
  passkey_copied: 'A passkey of your account was refused',
  removed: 'A second factor was removed from your account',
  codes_made: 'Your account has new recovery codes',
  code_used: 'A recovery code of your account was used',
  codes_wrong: 'Wrong codes were sent for your account',
  provider_linked: 'Your account can be used through another service',
  provider_unlinked: 'Your account can no longer be used through another service',
}

const SENTENCES: Readonly<Record<FactorChange, (name: string) => string>> = {
  totp_added: (name) => `An authenticator app was added: ${name}. A login with your password now needs its code.`,
  passkey_added: (name) => `A passkey was added: ${name}. It can be used to log in without a password.`,
  passkey_copied: (name) =>
    `The passkey ${name} was refused because its counter went back: there may be a copy of it. If you have not copied it, remove it from your account.`,
  removed: (name) => `Removed: ${name}.`,
  codes_made: () => 'New recovery codes were made. The old ones no longer work.',
  code_used: (name) => `A recovery code was used in place of a second factor: ${name}.`,
  codes_wrong: (name) =>
    `Someone who knows your password sent wrong codes, from ${name}. If this was not you, change your password now.`,
  provider_linked: (name) => `From now on you can log in through ${name}.`,
  provider_unlinked: (name) => `You can no longer log in through ${name}.`,
}

/** It is not known who caused it. */
const NOT_BY_OWNER: readonly FactorChange[] = ['codes_wrong', 'passkey_copied']

/** The mail about what protects an account besides its password. */
export function writeFactorNotice(
  { change, name, at }: NoticeOf<'factor_changed'>,
  { namedSite, to, login, actor }: OwnerNotice,
  end: readonly string[],
): NoticeText {
  return {
    to,
    subject: SUBJECTS[change],
    text: [
      `This is about your account ${login} at ${namedSite}`,
      '',
      SENTENCES[change](headerText(name)),
      '',
      ...(NOT_BY_OWNER.includes(change) ? [] : [`By: ${actor}`]),
      `At: ${at}`,
      ...end,
    ],
  }
}
