import { UnreadableArchive } from './unreadable-archive.ts'

const BLOCK = 512
const REGULAR_FILE = '0'
const PRIVATE = 0o600
const ZEROS = Buffer.alloc(BLOCK)

/** The two empty blocks at the end of a tar file. */
export const TAR_END = Buffer.alloc(2 * BLOCK)

/** The header of a file in a tar archive. Time and owner are left out, so that equal contents give equal archives. */
export function tarHeader(name: string, size: number, mode = PRIVATE): Buffer {
  const header = Buffer.alloc(BLOCK)
  header.write(name, 0, 100, 'latin1')
  header.write(`${mode.toString(8).padStart(7, '0')}\0`, 100, 'latin1')
  for (const at of [108, 116]) header.write('0000000\0', at, 'latin1')
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1')
  header.write('00000000000\0', 136, 'latin1')
  header.write(REGULAR_FILE, 156, 'latin1')
  header.write('ustar\u000000', 257, 'latin1')
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}

/** The zeros after the content of a file. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)
}

/** The sum of all bytes, with spaces in place of the checksum itself. */
function checksumOf(header: Buffer) {
  let sum = 8 * 0x20
  for (let at = 0; at < BLOCK; at++) if (at < 148 || at >= 156) sum += header[at] as number
  return sum
}

export interface TarEntry {
  readonly name: string
  readonly size: number
  /** To be read before the next entry. What is left is skipped. */
  chunks(): AsyncGenerator<Buffer>
}

/** The files of a tar archive, one after another. Other kinds of entries, such as links, are refused. */
export async function* tarEntries(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const input = new ByteReader(source)
  for (;;) {
    const header = await input.exactly(BLOCK)
    if (header.equals(ZEROS)) return await requireEnd(input)
    const { name, size } = readHeader(header)
    let left = size
    const chunks = async function* () {
      while (left > 0) {
        const chunk = await input.atMost(left)
        left -= chunk.length
        yield chunk
      }
    }
    yield { name, size, chunks }
    for await (const _ of chunks());
    await input.exactly(tarPadding(size).length)
  }
}

async function requireEnd(input: ByteReader) {
  if (!(await input.exactly(BLOCK)).equals(ZEROS)) throw new UnreadableArchive('it is damaged at its end')
  if (!(await input.isAtEnd())) throw new UnreadableArchive('there are more bytes after its end')
}

function readHeader(header: Buffer) {
  const [stored] = /^[0-7]+/.exec(header.toString('latin1', 148, 156)) ?? ['']
  if (Number.parseInt(stored, 8) !== checksumOf(header) || header.toString('latin1', 257, 262) !== 'ustar')
    throw new UnreadableArchive('a header in it is damaged')
  const size = header.toString('latin1', 124, 135)
  if (header.toString('latin1', 156, 157) !== REGULAR_FILE || !/^[0-7]{11}$/.test(size))
    throw new UnreadableArchive('it has an entry that is not a file')
  const [name = ''] = header.toString('latin1', 0, 100).split('\0')
  return { name, size: Number.parseInt(size, 8) }
}

/** Reads numbers of bytes from a stream of chunks. */
class ByteReader {
  private readonly chunks: AsyncIterator<Buffer>
  private current: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.chunks = source[Symbol.asyncIterator]()
  }

  async exactly(bytes: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let left = bytes; left > 0; ) {
      const part = await this.atMost(left)
      left -= part.length
      parts.push(part)
    }
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
  }

  /** At least one byte. */
  async atMost(bytes: number): Promise<Buffer> {
    if (await this.isAtEnd()) throw new UnreadableArchive('it is cut short')
    const part = this.current.subarray(0, bytes)
    this.current = this.current.subarray(part.length)
    return part
  }

  async isAtEnd(): Promise<boolean> {
    while (this.current.length === 0) {
      const { done, value } = await this.chunks.next()
      if (done) return true
      this.current = value
    }
    return false
  }
}
