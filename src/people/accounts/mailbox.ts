import { fold } from '../../platform/text/fold.ts'

const GOOGLE = ['gmail.com', 'googlemail.com']

/**
 * Different spellings of an address that lead to one mailbox have the same key: letter case, `+tag`, a dot at the end of the domain, and
 * dots in addresses of Google. Limits per address count by it, and joining makes one account per mailbox.
 */
export function mailboxKey(address: string): string {
  const key = fold(address.trim())
  const at = key.lastIndexOf('@')
  if (at < 0) return key
  const domain = key.slice(at + 1).replace(/\.+$/, '')
  const local = key.slice(0, at).replace(/(?!^)\+.*$/s, '')
  return GOOGLE.includes(domain) ? `${local.replaceAll('.', '')}@${GOOGLE[0]}` : `${local}@${domain}`
}
