import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

// Codes of authenticator apps: RFC 6238 with the values that all apps understand (SHA-1, 30 seconds, six digits).

const STEP_SECONDS = 30
const DIGITS = 6
const SECRET_BYTES = 20
/** A clock may be off by one step. */
const STEPS_OFF = [0, -1, 1]
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A new secret in base32, as apps take it. */
export function newTotpSecret(): string {
  const bits = [...randomBytes(SECRET_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('')
}

/** The address that apps read from a QR code. */
export function totpAddress(secret: string, login: string, site: string): string {
  const issuer = site.replaceAll(':', ' ')
  const query = new URLSearchParams({
    secret,
    issuer,
    algorithm: 'SHA1',
    digits: `${DIGITS}`,
    period: `${STEP_SECONDS}`,
  })
  return `otpauth://totp/${encodeURIComponent(`${issuer}:${login}`)}?${query.toString().replaceAll('+', '%20')}`
}

export function isTotpCode(code: string) {
  return /^\d{6}$/.test(code)
}

/** The step that the code belongs to; undefined if it is wrong. A step later than the last used one is a code that was not used. */
export function stepOfCode(secret: string, code: string, atMilliseconds: number): number | undefined {
  if (!isTotpCode(code)) return undefined
  const now = Math.floor(atMilliseconds / 1000 / STEP_SECONDS)
  return STEPS_OFF.map((off) => now + off).find((step) =>
    timingSafeEqual(Buffer.from(codeOf(secret, step)), Buffer.from(code)),
  )
}

/** The code of a step, which is the number of half minutes since 1970. */
export function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

function bytesOf(secret: string): Buffer {
  const bits = [...secret].map((character) => ALPHABET.indexOf(character).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)))
}
