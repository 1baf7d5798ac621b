import { once } from 'node:events'
import { createReadStream, statSync } from 'node:fs'
import { type Duplex, PassThrough, type Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { Refusal } from '../../../platform/refusal.ts'
import { UnreadableDump } from './dump-value.ts'

/** Standard input instead of a file. */
export const STANDARD_INPUT = '-'

export interface OpenDump {
  /** The dump itself, decompressed. */
  readonly chunks: AsyncIterable<Buffer>
  /** The size of the file; undefined for a stream. */
  readonly totalBytes: number | undefined
  /** How much of the file was read. */
  bytesRead(): number
}

/** Opens a dump: plain, .gz or .zst, by its first bytes and not by its name. */
export function openDump(file: string, input: Readable = process.stdin): OpenDump {
  const totalBytes = file === STANDARD_INPUT ? undefined : sizeOf(file)
  const raw = file === STANDARD_INPUT ? input : createReadStream(file, { highWaterMark: 1024 * 1024 })
  let read = 0
  const counted = async function* () {
    for await (const chunk of raw) {
      read += (chunk as Buffer).length
      yield Buffer.from(chunk as Buffer)
    }
  }
  return { chunks: decompressed(counted()), totalBytes, bytesRead: () => read }
}

function sizeOf(file: string): number {
  try {
    const stat = statSync(file)
    if (stat.isDirectory()) throw new Refusal(`${file} is a folder. The dump must be a file, or - for standard input.`)
    return stat.size
  } catch (fault) {
    if (fault instanceof Refusal) throw fault
    throw new Refusal(`The dump ${file} cannot be read: ${(fault as Error).message}.`)
  }
}

async function* decompressed(source: AsyncIterator<Buffer>): AsyncIterable<Buffer> {
  const first = await firstBytes(source)
  const all = (async function* () {
    if (first.length > 0) yield first
    for (;;) {
      const { value, done } = await source.next()
      if (done) return
      yield value
    }
  })()
  const decompressor = decompressorFor(first)
  if (decompressor === undefined) {
    yield* all
    return
  }
  yield* through(all, decompressor)
}

async function firstBytes(source: AsyncIterator<Buffer>): Promise<Buffer> {
  let bytes = Buffer.alloc(0)
  while (bytes.length < 4) {
    const { value, done } = await source.next()
    if (done) break
    bytes = Buffer.concat([bytes, value])
  }
  return bytes
}

const GZIP = Buffer.from([0x1f, 0x8b])
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
/** The first bytes of files that are refused, and the sentence. */
const REFUSED: readonly (readonly [first: Buffer, sentence: string])[] = [
  [
    Buffer.from('PGDM'),
    'The dump is in the custom format of pg_dump. Make one with pg_dump --format=plain, or of this one with pg_restore --file=dump.sql.',
  ],
  [Buffer.from('toc.'), 'The dump is in the tar format of pg_dump. Make one with pg_dump --format=plain.'],
  [
    Buffer.from([0xff, 0xfe]),
    'The dump is in UTF-16, as PowerShell writes the output of programs, which damages it. Let the program write the file: --result-file=dump.sql, or pg_dump --file=dump.sql.',
  ],
  ...(['BZh', '\xfd7zX', 'PK\x03\x04'] as const).map(
    (first) =>
      [
        Buffer.from(first, 'latin1'),
        'The dump is compressed in a way that cannot be read here. Decompress it first, for instance: bzcat, xzcat or unzip -p DUMP | npx lacewing import bugzilla -',
      ] as const,
  ),
]

function decompressorFor(first: Buffer): Duplex | undefined {
  if (first.subarray(0, 2).equals(GZIP)) return createGunzip({ chunkSize: 256 * 1024 })
  if (first.subarray(0, 4).equals(ZSTD)) return createZstdDecompress({ chunkSize: 256 * 1024 })
  const refused = REFUSED.find(([start]) => first.subarray(0, start.length).equals(start))
  if (refused !== undefined) throw new UnreadableDump(`${refused[1]} Nothing was imported.`)
  return undefined
}

async function* through(source: AsyncIterable<Buffer>, transform: Duplex): AsyncIterable<Buffer> {
  const output = new PassThrough({ highWaterMark: 1024 * 1024 })
  transform.pipe(output)
  transform.on('error', (fault) => output.destroy(fault))
  const feeding = feed(source, transform)
  try {
    for await (const chunk of output) yield chunk as Buffer
  } catch (fault) {
    throw new UnreadableDump(`The dump cannot be decompressed: ${(fault as Error).message}. Is it cut short?`)
  }
  await feeding
}

async function feed(source: AsyncIterable<Buffer>, into: Duplex) {
  try {
    for await (const chunk of source)
      if (!into.write(chunk)) await Promise.race([once(into, 'drain'), once(into, 'close')])
    into.end()
  } catch (fault) {
    into.destroy(fault as Error)
  }
}
