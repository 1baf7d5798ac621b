const MOST_BYTES = 16 * 1024 * 1024
const LARGEST = 128 * 1024

/** Small contents that were read lately, in memory. Since no content ever changes, none is out of date. */
export class KeptContents {
  private readonly kept = new Map<string, Buffer>()
  private bytes = 0

  get(digest: string): Buffer | undefined {
    const found = this.kept.get(digest)
    if (found === undefined) return undefined
    // What was asked for last stands last, and goes last.
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
