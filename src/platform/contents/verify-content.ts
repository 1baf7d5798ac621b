import { createHash } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'
import { Slice } from '../monitoring/event-loop.ts'
import { digestIn } from './content-store.ts'

/** Bytes that are hashed at once, which takes less than a millisecond. */
const STEP = 512 * 1024
/** Digits of a digest in the log: enough to find the file, and too few to be mistaken for a secret. */
const SHOWN_DIGITS = 16

/** Whether the bytes are what was stored under the key. */
export async function isWhole(key: string, bytes: Buffer): Promise<boolean> {
  const hash = createHash('sha256')
  const slice = new Slice()
  for (let at = 0; at < bytes.length; at += STEP) {
    if (slice.isOver()) await slice.next()
    hash.update(bytes.subarray(at, at + STEP))
  }
  return hash.digest('hex') === digestIn(key)
}

/**
 * Passes the bytes through. The last ones are held back until the digest is verified, so that a damaged file never
 * looks complete. When either stream ends early, so does the other.
 */
export function verifiedStream(key: string, stream: Readable): Readable {
  const hash = createHash('sha256')
  let lastChunk: Buffer | undefined
  const checking = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      if (lastChunk !== undefined) this.push(lastChunk)
      lastChunk = chunk
      done()
    },
    flush(done) {
      if (hash.digest('hex') === digestIn(key)) done(null, lastChunk)
      else done(damagedContentError(key))
    },
  })
  return pipeline(stream, checking, () => {})
}

/** A content that no store has, or that is not what was stored. A store that does not respond is another error. */
export class LostContent extends Error {}

export function damagedContentError(key: string) {
  return new LostContent(`The stored content ${shown(key)} is damaged`)
}

export function missingContentError(key: string) {
  return new LostContent(`The content ${shown(key)} is not in any store`)
}

function shown(key: string) {
  return `${key.slice(0, SHOWN_DIGITS)}…`
}
