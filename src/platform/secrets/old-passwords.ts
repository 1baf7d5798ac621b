import { hash, timingSafeEqual } from 'node:crypto'

/** Marks the hash of a password that was imported; see isOldPassword. */
const MARK = 'bugzilla$'

/** `SALT,BASE64{SHA-256}`: base64 without padding of the digest of the password followed by the salt. */
const FORM = /^([^,]+),([A-Za-z0-9+/]+)=*\{(SHA-(?:1|224|256|384|512))\}$/

/** Whether passwords can be checked with a hash of Bugzilla. */
export function isOldHash(stored: string) {
  return FORM.test(stored)
}

/** Whether the stored hash is an imported one, which the next login replaces. */
export function isImported(stored: string | null | undefined): stored is string {
  return stored?.startsWith(MARK) === true
}

export function isOldPassword(password: string, stored: string): boolean {
  const [, salt = '', wanted = '', algorithm = ''] = FORM.exec(stored.slice(MARK.length)) ?? []
  if (wanted === '') return false
  const found = Buffer.from(
    hash(algorithm.replace('-', '').toLowerCase(), password + salt, 'base64').replace(/=+$/, ''),
  )
  const expected = Buffer.from(wanted)
  return found.length === expected.length && timingSafeEqual(found, expected)
}
