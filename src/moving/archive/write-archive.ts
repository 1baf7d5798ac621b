import { createHash } from 'node:crypto'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, gzipSync } from 'node:zlib'
import type { ArchivePart } from './archive-part.ts'
import { CHECKSUMS, LAST_IDS, MANIFEST, type Manifest, manifestText } from './manifest.ts'
import { TAR_END, tarHeader, tarPadding } from './tar.ts'

/** The rows of a table are written in files of about this size, so that each fits into memory. */
const FILE_BYTES = 1024 * 1024
const COMPRESSION = { level: 5 }

/** The last file of an archive. An archive without it is cut. */
export interface Checksums {
  /** The SHA-256 of each file with rows, in order. */
  files: [name: string, sha256: string][]
  /** The names of contents begin with their SHA-256, so one of all names is enough. */
  contents: { count: number; sha256: string }
  missing_contents: string[]
}

export interface WrittenArchive {
  rows: number
  contents: number
  missingContents: readonly string[]
}

/**
 * Writes an archive: a tar file of JSON Lines, compressed by gzip. The manifest is a gzip member of its own, so that two
 * archives of the same state are equal after it, compressed or not.
 */
export async function writeArchive(
  output: Writable,
  manifest: Manifest,
  parts: AsyncIterable<ArchivePart>,
  onRows: (rows: number) => void,
): Promise<WrittenArchive> {
  const first = gzipSync(Buffer.concat(fileOf(MANIFEST, Buffer.from(manifestText(manifest)))))
  const body = new ArchiveBody(onRows)
  await pipeline(
    Readable.from(body.chunks(parts)),
    createGzip(COMPRESSION),
    async function* (compressed: AsyncIterable<Buffer>) {
      yield first
      yield* compressed
    },
    output,
    // Standard output stays open.
    { end: output !== process.stdout },
  )
  const { contents, missing_contents } = body.checksums
  return { rows: body.rows, contents: contents.count, missingContents: missing_contents }
}

/** Everything after the manifest. */
class ArchiveBody {
  rows = 0
  readonly checksums: Checksums = { files: [], contents: { count: 0, sha256: '' }, missing_contents: [] }
  private readonly onRows: (rows: number) => void
  private readonly names = createHash('sha256')
  private table = ''
  private file = 0
  private lines: Buffer[] = []
  private bytes = 0

  constructor(onRows: (rows: number) => void) {
    this.onRows = onRows
  }

  async *chunks(parts: AsyncIterable<ArchivePart>): AsyncGenerator<Buffer> {
    for await (const part of parts) {
      if (part.kind === 'rows') yield* this.rowsOf(part.table, part.rows)
      else yield* this.endTable()
      if (part.kind === 'lastIds') yield* this.hashed(LAST_IDS, linesOf(part.lastIds))
      if (part.kind === 'missing') this.checksums.missing_contents.push(part.key)
      if (part.kind === 'content') yield* this.content(part.key, part.size, part.bytes)
    }
    yield* this.endTable()
    this.checksums.contents.sha256 = this.names.digest('hex')
    yield* fileOf(CHECKSUMS, Buffer.from(`${JSON.stringify(this.checksums, null, 1)}\n`))
    yield TAR_END
  }

  private *rowsOf(table: string, rows: readonly object[]) {
    if (table !== this.table) yield* this.endTable()
    this.table = table
    for (const row of rows) {
      const line = Buffer.from(`${JSON.stringify(row)}\n`)
      this.lines.push(line)
      this.bytes += line.length
      if (this.bytes >= FILE_BYTES) yield* this.endFile()
    }
    this.rows += rows.length
    this.onRows(this.rows)
  }

  private *endTable() {
    if (this.bytes > 0) yield* this.endFile()
    this.file = 0
  }

  private *endFile() {
    const name = `tables/${this.table}/${String(++this.file).padStart(6, '0')}.jsonl`
    yield* this.hashed(name, Buffer.concat(this.lines))
    this.lines = []
    this.bytes = 0
  }

  private *hashed(name: string, bytes: Buffer) {
    this.checksums.files.push([name, createHash('sha256').update(bytes).digest('hex')])
    yield* fileOf(name, bytes)
  }

  private async *content(key: string, size: number, bytes: AsyncIterable<Buffer>) {
    const name = `contents/${key}`
    yield tarHeader(name, size)
    let written = 0
    for await (const chunk of bytes) {
      written += chunk.length
      yield chunk
    }
    if (written !== size) throw new Error(`The content ${key} changed while it was read`)
    yield tarPadding(size)
    this.names.update(`${name}\n`)
    this.checksums.contents.count++
  }
}

function linesOf(rows: readonly object[]) {
  return Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
}

function fileOf(name: string, bytes: Buffer): Buffer[] {
  return [tarHeader(name, bytes.length), bytes, tarPadding(bytes.length)]
}
