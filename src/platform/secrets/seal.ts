import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'

/** Encrypts a secret that must be read again. `purpose` is part of the key, so that one table's values cannot be put into another. */
export function seal(key: string, purpose: string, text: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv(CIPHER, keyFor(key, purpose), nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Throws if the key is another one or the value was changed. */
export function unseal(key: string, purpose: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const cipher = createDecipheriv(CIPHER, keyFor(key, purpose), bytes.subarray(0, 12))
  cipher.setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString('utf8')
}

function keyFor(key: string, purpose: string) {
  return Buffer.from(hkdfSync('sha256', key, '', purpose, 32))
}
