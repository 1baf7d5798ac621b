import type { CataloguePart } from '../access/installation.ts'
import type { JsonText } from '../platform/wire/json/json-text.ts'

const LARGE_BYTES = 128 * 1024
const MOST_BYTES = 64 * 1024 * 1024

/**
 * A cache of large responses about the catalogue, kept until the catalogue changes. The key must contain everything else that the
 * response depends on, above all what the caller may see.
 */
export class LargeAnswers {
  private readonly kept = new Map<string, JsonText>()
  private bytes = 0

  get(key: string): JsonText | undefined {
    const answer = this.kept.get(key)
    if (answer) this.putLast(key, answer)
    return answer
  }

  /** If the cache is full, the least recently used responses are removed. */
  keep(key: string, answer: JsonText) {
    if (answer.bytes.length < LARGE_BYTES || answer.bytes.length > MOST_BYTES || this.kept.has(key)) return
    this.putLast(key, answer)
    this.bytes += answer.bytes.length
    for (const [oldest, { bytes }] of this.kept) {
      if (this.bytes <= MOST_BYTES) return
      this.kept.delete(oldest)
      this.bytes -= bytes.length
    }
  }

  private putLast(key: string, answer: JsonText) {
    this.kept.delete(key)
    this.kept.set(key, answer)
  }
}

export function largeAnswers(): CataloguePart<LargeAnswers> {
  return { read: async () => new LargeAnswers() }
}
