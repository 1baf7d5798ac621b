import type { Readable } from 'node:stream'

/** Bytes with their SHA-256, in hexadecimal digits. */
export interface Content {
  readonly digest: string
  readonly bytes: Buffer
}

/** Keeps bytes under their digest. What is kept never changes, and the same bytes are kept once. */
export interface ContentStore {
  /** When it is done, the bytes outlive a loss of power. */
  put(content: Content): Promise<void>
  /** Undefined when the store does not have them. */
  open(digest: string): Promise<Readable | undefined>
  /** The same at once, for what is small enough. */
  read(digest: string): Promise<Buffer | undefined>
}
