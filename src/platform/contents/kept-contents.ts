const MOST_BYTES = 16 * 1024 * 1024
const LARGEST = 128 * 1024

/** A cache of small contents that were read recently. Contents never change, so no entry is stale. */
export class KeptContents {
  private readonly kept = new Map<string, Buffer>()
  private bytes = 0

  get(digest: string): Buffer | undefined {
    const found = this.kept.get(digest)
    if (found === undefined) return undefined
    // Moves the entry to the end: the first one is evicted next.
    this.kept.delete(digest)
    this.kept.set(digest, found)
    return found
  }

  add(digest: string, content: Buffer) {
    if (content.length > LARGEST || this.kept.has(digest)) return
    this.kept.set(digest, content)
    this.bytes += content.length
    for (const [oldest, { length }] of this.kept) {
      if (this.bytes <= MOST_BYTES) return
      this.kept.delete(oldest)
      this.bytes -= length
    }
  }
}
