import { fold } from '../../platform/text/fold.ts'

const GOOGLE = ['gmail.com', 'googlemail.com'] as const

/**
 * Different spellings of an address that lead to one mailbox have the same key: letter case, `+tag`, a dot at the end of the domain, and
 * dots in addresses of Google. Limits per address count by it, and joining makes one account per mailbox. A login name without a domain
 * belongs to the domain of the parameter emailsuffix.
 */
export function mailboxKey(address: string): string {
  const key = fold(address.trim())
  const at = key.lastIndexOf('@')
  const local = (at < 0 ? key : key.slice(0, at)).replace(/(?!^)\+.*$/s, '')
  if (at < 0) return local
  const domain = key.slice(at + 1).replace(/\.+$/, '')
  return isOfGoogle(domain) ? `${local.replaceAll('.', '')}@${GOOGLE[0]}` : `${local}@${domain}`
}

/** The domains of the mailboxes whose key has this domain. */
export function domainsOf(domain: string): readonly string[] {
  return isOfGoogle(domain) ? GOOGLE : [domain]
}

function isOfGoogle(domain: string) {
  return (GOOGLE as readonly string[]).includes(domain)
}
