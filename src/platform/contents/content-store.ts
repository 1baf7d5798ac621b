import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'

/** Bytes with their SHA-256, in hexadecimal digits. */
export interface Content {
  readonly digest: string
  readonly bytes: Buffer
}

/** The same with the key that it is stored under: begins with its digest. */
export interface KeyedContent extends Content {
  readonly key: string
}

/** The key of no bytes at all, which no store keeps. */
export const EMPTY_KEY = createHash('sha256').digest('hex')

const DIGEST_DIGITS = 64

/** Behind the digest there is a number when the same bytes were removed before. */
export function digestIn(key: string) {
  return key.slice(0, DIGEST_DIGITS)
}

/** Keeps bytes under a key. What is kept never changes, until it is removed; a key that was removed is not used again. */
export interface ContentStore {
  /** When it is done, the bytes outlive a loss of power. */
  put(content: KeyedContent): Promise<void>
  /** Undefined when the store does not have them. */
  open(key: string): Promise<Readable | undefined>
  /** The same at once, for what is small enough. */
  read(key: string): Promise<Buffer | undefined>
  /** No error when the store does not have them. */
  remove(key: string): Promise<void>
  /** Throws when the next `put` would, as far as that can be known. */
  requireWritable(): Promise<void>
}
