import { hash, randomInt } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Letters and digits from the system's random source; 22 of them have over 128 bits. */
export function randomWord(length: number) {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/** How keys and tokens are stored. They are long and random, so a fast hash is enough. */
export function digest(secret: string) {
  return hash('sha256', secret, 'base64url')
}
