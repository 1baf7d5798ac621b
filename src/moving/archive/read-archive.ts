import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { digestIn } from '../../platform/contents/content-store.ts'
import type { SnapshotRow } from '../../platform/database/snapshot.ts'
import type { Database } from '../../platform/database/tables.ts'
import type { ArchivePart, LastId } from './archive-part.ts'
import { archivedTable } from './archive-tables.ts'
import { CHECKSUMS, LAST_IDS, MANIFEST, type Manifest, parsedObject, parseManifest } from './manifest.ts'
import { type TarEntry, tarEntries } from './tar.ts'
import { UnreadableArchive } from './unreadable-archive.ts'
import type { Checksums } from './write-archive.ts'

/** A file with rows is about a megabyte; one row can be several. */
const LARGEST_FILE = 256 * 1024 * 1024
const ROWS_FILE = /^tables\/([a-z_]+)\/\d{6}\.jsonl$/
const CONTENT_FILE = /^contents\/([0-9a-f]{64}(?:\.\d{1,9})?)$/

/**
 * Reads a whole archive and compares it with its manifest and its checksums. Throws what is wrong with it, so that an
 * import begins only with an archive that is whole.
 */
export async function verifyArchive(file: string, onBytes: (bytes: number) => void): Promise<Manifest> {
  const check = new ArchiveCheck()
  for await (const entry of entriesOf(file, onBytes)) await check.add(entry)
  return check.finish()
}

/** The parts of an archive that was verified. */
export async function* readArchive(file: string): AsyncGenerator<ArchivePart> {
  for await (const entry of entriesOf(file)) {
    const [, table] = ROWS_FILE.exec(entry.name) ?? []
    const [, key] = CONTENT_FILE.exec(entry.name) ?? []
    if (table !== undefined)
      yield { kind: 'rows', table: table as keyof Database, rows: await rowsIn<SnapshotRow>(entry) }
    else if (key !== undefined) yield { kind: 'content', key, size: entry.size, bytes: entry.chunks() }
    else if (entry.name === LAST_IDS) yield { kind: 'lastIds', lastIds: await rowsIn<LastId>(entry) }
  }
}

class ArchiveCheck {
  private manifest: Manifest | undefined
  private checksums: Checksums | undefined
  private readonly counts = new Map<string, number>()
  private readonly files: [string, string][] = []
  private readonly contents = { count: 0, names: createHash('sha256') }

  async add(entry: TarEntry) {
    if (this.manifest === undefined) return this.readManifest(entry)
    if (this.checksums !== undefined) throw new UnreadableArchive(`it has ${shown(entry.name)} after its last file`)
    if (entry.name === CHECKSUMS) this.checksums = parseChecksums(await entryText(entry))
    else if (CONTENT_FILE.test(entry.name)) await this.addContent(entry)
    else await this.addRows(entry)
  }

  private async readManifest(entry: TarEntry) {
    if (entry.name !== MANIFEST) throw new UnreadableArchive('it was not written by lacewing export')
    this.manifest = parseManifest(await entryText(entry))
  }

  private async addRows(entry: TarEntry) {
    const [, table] = ROWS_FILE.exec(entry.name) ?? []
    if (entry.name !== LAST_IDS && (table === undefined || archivedTable(table) === undefined))
      throw new UnreadableArchive(`it has a file ${shown(entry.name)}, which does not belong to it`)
    const { sha256, lines } = await hashOf(entry)
    this.files.push([entry.name, sha256])
    if (table !== undefined) this.counts.set(table, (this.counts.get(table) ?? 0) + lines)
  }

  private async addContent(entry: TarEntry) {
    const { sha256 } = await hashOf(entry)
    if (sha256 !== digestIn(entry.name.slice('contents/'.length)))
      throw new UnreadableArchive(`the file ${shown(entry.name)} was altered`)
    this.contents.names.update(`${entry.name}\n`)
    this.contents.count++
  }

  finish(): Manifest {
    const { manifest, checksums } = this
    if (manifest === undefined || checksums === undefined) throw new UnreadableArchive('it is cut short')
    const listed = new Map(checksums.files)
    for (const [name, sha256] of this.files)
      if (listed.get(name) !== sha256) throw new UnreadableArchive(`the file ${shown(name)} was altered`)
    const names = this.contents.names.digest('hex')
    if (listed.size !== this.files.length || checksums.contents.count !== this.contents.count)
      throw new UnreadableArchive('files are missing in it, or are there twice')
    if (checksums.contents.sha256 !== names) throw new UnreadableArchive('its list of contents was altered')
    this.requireCounts(manifest, checksums)
    if (!listed.has(LAST_IDS)) throw new UnreadableArchive(`the file ${shown(LAST_IDS)} is missing in it`)
    return manifest
  }

  private requireCounts(manifest: Manifest, checksums: Checksums) {
    const tables = new Set([...Object.keys(manifest.counts), ...this.counts.keys()])
    for (const table of tables) {
      const [wanted, found] = [manifest.counts[table] ?? 0, this.counts.get(table) ?? 0]
      if (wanted !== found)
        throw new UnreadableArchive(`the table ${shown(table)} has ${found} rows, and the manifest says ${wanted}`)
    }
    const missing = checksums.missing_contents.length
    if (manifest.contents !== this.contents.count + missing)
      throw new UnreadableArchive(
        `it has ${this.contents.count + missing} contents, and the manifest says ${manifest.contents}`,
      )
  }
}

function parseChecksums(text: string): Checksums {
  const { files, contents, missing_contents } = parsedObject(text) as Partial<Checksums>
  const isPair = (file: unknown) =>
    Array.isArray(file) && file.length === 2 && file.every((it) => typeof it === 'string')
  if (!Array.isArray(files) || !files.every(isPair) || !Array.isArray(missing_contents) || !contents)
    throw new UnreadableArchive(`the file ${shown(CHECKSUMS)} is damaged`)
  return { files, contents, missing_contents }
}

async function* entriesOf(file: string, onBytes: (bytes: number) => void = () => {}): AsyncGenerator<TarEntry> {
  const input = createReadStream(file, { highWaterMark: 256 * 1024 })
  const unzip = createGunzip()
  input.on('error', (fault) => unzip.destroy(fault))
  let bytes = 0
  input.on('data', (chunk) => {
    bytes += chunk.length
    onBytes(bytes)
  })
  // Errors are translated here: those of a file's content reach its reader, not this function.
  const unpacked = async function* (): AsyncGenerator<Buffer> {
    try {
      yield* input.pipe(unzip)
    } catch (fault) {
      throw sentenceFor(fault as NodeJS.ErrnoException, bytes)
    }
  }
  try {
    yield* tarEntries(unpacked())
  } finally {
    input.destroy()
    unzip.destroy()
  }
}

function sentenceFor(fault: NodeJS.ErrnoException, bytes: number): Error {
  if (fault.code === 'Z_BUF_ERROR') return new UnreadableArchive(bytes === 0 ? 'the file is empty' : 'it is cut short')
  if (fault.message === 'incorrect header check') return new UnreadableArchive('it is not a .tar.gz file')
  if (fault.code?.startsWith('Z_')) return new UnreadableArchive(`it is damaged (${fault.message})`)
  if (fault.syscall !== undefined) return new UnreadableArchive(`the file cannot be read (${fault.code})`)
  return fault
}

async function hashOf(entry: TarEntry): Promise<{ sha256: string; lines: number }> {
  const hash: Hash = createHash('sha256')
  let lines = 0
  for await (const chunk of entry.chunks()) {
    hash.update(chunk)
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++
  }
  return { sha256: hash.digest('hex'), lines }
}

async function entryText(entry: TarEntry): Promise<string> {
  if (entry.size > LARGEST_FILE) throw new UnreadableArchive(`the file ${shown(entry.name)} is too large`)
  return Buffer.concat(await Readable.from(entry.chunks()).toArray()).toString('utf8')
}

async function rowsIn<Row>(entry: TarEntry): Promise<Row[]> {
  const lines = (await entryText(entry)).split('\n')
  // Each line ends with a line feed.
  lines.pop()
  return lines.map((line) => parsedObject(line) as Row)
}

/** Names come from outside. */
function shown(name: string) {
  return JSON.stringify(name.slice(0, 100))
}
