import { createHmac } from 'node:crypto'

/**
 * The address to which a user sends mail: that of the installation with a secret word. Anyone who knows it can write as
 * the user, so it is a secret like a key. The word is derived from a secret of the installation and the number of
 * renewals.
 */
export interface OwnAddress {
  userId: number
  generation: number
}

const BASE32_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz234567'
/** Over 128 bits. Only lowercase letters and digits, because some mail programs change the case. */
const WORD_LENGTH = 26

export function addressSecretFor(secret: string, { userId, generation }: OwnAddress): string {
  const bytes = createHmac('sha256', secret).update(`mail ${userId} ${generation}`).digest()
  return Array.from(bytes.subarray(0, WORD_LENGTH), (byte) => BASE32_CHARACTERS[byte % BASE32_CHARACTERS.length]).join(
    '',
  )
}

/** `bugs@example.com` becomes `bugs+7-(word)@example.com`, and with a bug `bugs+7-(word)-42@example.com`. */
export function incomingAddressOf(installation: string, userId: number, word: string, bugId?: number): string {
  const at = installation.lastIndexOf('@')
  const tail = bugId === undefined ? '' : `-${bugId}`
  return `${installation.slice(0, at)}+${userId}-${word}${tail}${installation.slice(at)}`
}

export interface AddressClaim {
  userId: number
  word: string
  bugId: number | undefined
}

/** The user, word and bug that an address names; undefined if it is not an address of this installation. */
export function addressClaim(installation: string, address: string): AddressClaim | undefined {
  const at = installation.lastIndexOf('@')
  const folded = address.trim().toLowerCase()
  const [start, end] = [`${installation.slice(0, at)}+`.toLowerCase(), installation.slice(at).toLowerCase()]
  if (at < 1 || !folded.startsWith(start) || !folded.endsWith(end)) return undefined
  const found = /^(\d{1,9})-([a-z2-7]{26})(?:-(\d{1,9}))?$/.exec(folded.slice(start.length, folded.length - end.length))
  const [, userId, word, bugId] = found ?? []
  if (userId === undefined || word === undefined) return undefined
  return { userId: Number(userId), word, bugId: bugId === undefined ? undefined : Number(bugId) }
}
