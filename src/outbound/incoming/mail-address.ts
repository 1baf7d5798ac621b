import { createHmac } from 'node:crypto'

/**
 * The address to which somebody sends mail to the tracker: that of the installation, with a word in it that only they know. Whoever knows it
 * can write as them, so it is a secret like a key; it is made from one of the installation's, and from how often theirs was renewed.
 */
export interface OwnAddress {
  userId: number
  generation: number
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'
/** Over 128 bits. Small letters and digits, because some mail programs change the case of others. */
const WORD_LENGTH = 26

export function addressSecretFor(secret: string, { userId, generation }: OwnAddress): string {
  const bytes = createHmac('sha256', secret).update(`mail ${userId} ${generation}`).digest()
  return Array.from(bytes.subarray(0, WORD_LENGTH), (byte) => LETTERS[byte % LETTERS.length]).join('')
}

/** `bugs@example.com` becomes `bugs+7-(word)@example.com`, and with a bug `bugs+7-(word)-42@example.com`. */
export function addressWith(installation: string, userId: number, word: string, bugId?: number): string {
  const at = installation.lastIndexOf('@')
  const tail = bugId === undefined ? '' : `-${bugId}`
  return `${installation.slice(0, at)}+${userId}-${word}${tail}${installation.slice(at)}`
}

export interface AddressClaim {
  userId: number
  word: string
  bugId: number | undefined
}

/** What an address claims; undefined when it is none of ours. */
export function addressClaim(installation: string, address: string): AddressClaim | undefined {
  const at = installation.lastIndexOf('@')
  const given = address.trim().toLowerCase()
  const [start, end] = [`${installation.slice(0, at)}+`.toLowerCase(), installation.slice(at).toLowerCase()]
  if (at < 1 || !given.startsWith(start) || !given.endsWith(end)) return undefined
  const found = /^(\d{1,9})-([a-z2-7]{26})(?:-(\d{1,9}))?$/.exec(given.slice(start.length, given.length - end.length))
  const [, userId, word, bugId] = found ?? []
  if (userId === undefined || word === undefined) return undefined
  return { userId: Number(userId), word, bugId: bugId === undefined ? undefined : Number(bugId) }
}
