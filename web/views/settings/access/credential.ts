import type { Answer, NameOf } from '../../../../client/call-types.ts'
import { addressOf } from '../../../../shared/rest-address.ts'
import { remove } from '../../../core/server/rest.ts'
import type { Me } from '../../../core/server/types.ts'

/** Something that acts or listens for the reader. */
export type Credential = Answer<NameOf<'GET', '/user/:user/credential'>>['credentials'][number]

export const credentialsCall = ({ id }: Me) => addressOf('/user/:user/credential', { user: id })

interface KindWords {
  title: string
  icon: string
  /** What it can do, after “may”. */
  may: string
  /** What happens if it is ended. */
  ended: string
  /** The page where it is made and changed. */
  address?: string
  end?(who: Me, id: number): Promise<unknown>
}

const KINDS: Readonly<Record<string, KindWords>> = {
  session: {
    title: 'Session',
    icon: 'globe',
    may: 'do everything that you may do',
    ended: 'The browser that uses it must log in again. A draft stays in that browser.',
    address: '/settings',
    end: (_, id) => remove('/session/:id', { id }),
  },
  api_key: {
    title: 'API key',
    icon: 'key',
    may: 'do nothing',
    ended: 'Programs that use it stop working at once, and what was made with it ends too. It cannot be used again.',
    address: '/settings/keys',
    end: (who, id) => remove('/user/:user/api_key/:id', { user: who.id, id }),
  },
  webhook: {
    title: 'Webhook',
    icon: 'out',
    may: 'send what you may see',
    ended: 'Nothing is sent to its address any more. Its log is deleted too. It cannot be restored.',
    end: (_, id) => remove('/webhook/:id', { id }),
  },
  mail_address: {
    title: 'Address for filing by mail',
    icon: 'mail',
    may: 'file bugs and comment as you',
    ended: 'Mail to it is refused at once. It cannot be used again; you can get another address.',
    end: (who) => remove('/user/:user/mail_address', { user: who.id }),
  },
  scheduled_mail: {
    title: 'Scheduled mail',
    icon: 'clock',
    may: 'send mail in your name, with what each reader may see',
    ended: 'It is not sent any more. It cannot be restored; its searches stay.',
    address: '/settings/scheduled-mail',
    end: (_, id) => remove('/scheduled_mail/:id', { id }),
  },
  provider: {
    title: 'Login through a provider',
    icon: 'link',
    may: 'log in as you',
    ended: 'You can no longer log in through it. You can link it again.',
    address: '/settings/factors',
    end: (who, id) => remove('/user/:ref/provider/:id', { ref: who.id, id }),
  },
  account_link: { title: 'Link to set a password', icon: 'lock', may: 'set your password, once', ended: '' },
  email_change: { title: 'Requested change of the address', icon: 'edit', may: 'change your login name', ended: '' },
  passkey: { title: 'Passkey', icon: 'lock', may: 'log in as you', ended: '', address: '/settings/factors' },
  totp: {
    title: 'Authenticator app',
    icon: 'lock',
    may: 'be your second factor',
    ended: '',
    address: '/settings/factors',
  },
}

/** An API key that a program got with OAuth. */
const PROGRAM: KindWords = {
  title: 'Program',
  icon: 'link',
  may: 'do nothing',
  ended: 'The program loses its access at once, and what was made with it ends too. It can ask you again.',
  end: (who, id) => remove('/user/:user/api_key/:id', { user: who.id, id }),
}

export function isProgram({ resource }: Credential) {
  return resource !== null
}

export function wordsFor(credential: Credential): KindWords {
  const { kind } = credential
  if (isProgram(credential)) return PROGRAM
  return KINDS[kind] ?? { title: kind, icon: 'gear', may: 'act for you', ended: '' }
}

const SCOPES: Readonly<Record<string, string>> = {
  read: 'read what you may see',
  write: 'file and change bugs',
  propose: 'propose changes',
  admin: 'change your account and administer',
}

/** What it may do, in words. */
export function rightsOf(credential: Credential): string {
  const { kind, allows } = credential
  if (kind === 'api_key' && allows.length > 0) return allows.map((scope) => SCOPES[scope] ?? scope).join(', ')
  const { may } = wordsFor(credential)
  return kind === 'webhook' ? `${may}: ${allows.join(', ')}` : may
}

/** Second factors protect the account, so that they are ended only one by one, on their page. */
const FACTORS: readonly string[] = ['passkey', 'totp']

export function isFactor({ kind }: Credential) {
  return FACTORS.includes(kind)
}

/** What is in use first, then what was used last. What was never used is at the end. */
export function byLastUse(credentials: readonly Credential[]): Credential[] {
  const use = ({ is_current, last_used }: Credential) => (is_current ? '9' : (last_used ?? ''))
  return [...credentials].sort((one, other) => (use(one) < use(other) ? 1 : use(one) > use(other) ? -1 : 0))
}
