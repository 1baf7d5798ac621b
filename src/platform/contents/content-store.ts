import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'

/** Bytes with their SHA-256, in hexadecimal digits. */
export interface Content {
  readonly digest: string
  readonly bytes: Buffer
}

/** The same with the key that it is stored under, which begins with the digest. */
export interface KeyedContent extends Content {
  readonly key: string
}

/** The key of empty content, which no store keeps. */
export const EMPTY_KEY = createHash('sha256').digest('hex')

const DIGEST_DIGITS = 64

/** If the same bytes were removed before, a number follows the digest. */
export function digestIn(key: string) {
  return key.slice(0, DIGEST_DIGITS)
}

/** Stores bytes under a key. A stored content never changes; a removed key is not used again. */
export interface ContentStore {
  /** Resolves when the bytes would survive a loss of power. */
  put(content: KeyedContent): Promise<void>
  /** Undefined if the store does not have the content. */
  open(key: string): Promise<Readable | undefined>
  /** Reads the whole content, for small ones. */
  read(key: string): Promise<Buffer | undefined>
  /** No error if the store does not have the content. */
  remove(key: string): Promise<void>
  /** Throws if the next `put` would fail, as far as that can be known. */
  requireWritable(): Promise<void>
}
