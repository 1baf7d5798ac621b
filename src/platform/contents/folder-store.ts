import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { ContentStore, KeyedContent } from './content-store.ts'

const A_DAY = 24 * 60 * 60 * 1000

/** Stores each content as a file named by its key, in 256 folders named by the first two digits. */
export class FolderStore implements ContentStore {
  private readonly folder: string
  private readonly drafts: string
  private swept: Promise<void> | undefined

  constructor(folder: string) {
    this.folder = folder
    this.drafts = join(folder, 'drafts')
  }

  /** A reader never sees half a file: it is renamed when all of it is on disk, and then the folder is synced. */
  async put({ key, bytes }: KeyedContent) {
    await this.sweepOnce()
    const folder = this.folderOf(key)
    await makeFolder(folder, this.folder)
    const path = this.pathOf(key)
    const existing = await ifExists(readFile(path))
    // A damaged file is stored again.
    if (existing === undefined || !existing.equals(bytes)) await this.write(path, bytes)
    await syncFolder(folder)
  }

  async open(key: string): Promise<Readable | undefined> {
    const file = await ifExists(open(this.pathOf(key), 'r'))
    return file?.createReadStream()
  }

  read(key: string): Promise<Buffer | undefined> {
    return ifExists(readFile(this.pathOf(key)))
  }

  async has(key: string): Promise<boolean> {
    return (await ifExists(stat(this.pathOf(key)))) !== undefined
  }

  async remove(key: string) {
    const isThere = (await ifExists(unlink(this.pathOf(key)).then(() => true))) ?? false
    if (isThere) await syncFolder(this.folderOf(key))
  }

  async requireWritable() {
    await this.sweepOnce()
    const draft = join(this.drafts, randomUUID())
    try {
      await withFile(draft, 'wx', (file) => file.writeFile('written'))
    } finally {
      await rm(draft, { force: true })
    }
  }

  private async write(path: string, bytes: Buffer) {
    const draft = join(this.drafts, randomUUID())
    try {
      await withFile(draft, 'wx', async (file) => {
        await file.writeFile(bytes)
        await file.sync()
      })
      await rename(draft, path)
    } catch (fault) {
      await rm(draft, { force: true })
      throw fault
    }
  }

  private pathOf(key: string) {
    return join(this.folderOf(key), key)
  }

  private folderOf(key: string) {
    return join(this.folder, key.slice(0, 2))
  }

  /** A process that was killed while writing leaves a draft behind. */
  private sweepOnce() {
    this.swept ??= this.sweep().catch((fault) => {
      this.swept = undefined
      throw fault
    })
    return this.swept
  }

  private async sweep() {
    await makeFolder(this.folder)
    await makeFolder(this.drafts, this.folder)
    for (const name of await readdir(this.drafts)) {
      const draft = join(this.drafts, name)
      const { mtimeMs } = await stat(draft).catch(() => ({ mtimeMs: Date.now() }))
      if (Date.now() - mtimeMs > A_DAY) await rm(draft, { force: true })
    }
  }
}

/** Only the user of the server gets access. */
async function makeFolder(folder: string, parent?: string) {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (fault) {
    if (codeOf(fault) === 'EEXIST') return
    throw fault
  }
  if (parent !== undefined) await syncFolder(parent)
}

function syncFolder(folder: string) {
  return withFile(folder, 'r', (file) => file.sync())
}

async function withFile(path: string, flags: string, work: (file: FileHandle) => Promise<void>) {
  const file = await open(path, flags, 0o600)
  try {
    await work(file)
  } finally {
    await file.close()
  }
}

async function ifExists<Result>(found: Promise<Result>): Promise<Result | undefined> {
  try {
    return await found
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return undefined
    throw fault
  }
}

function codeOf(fault: unknown) {
  return (fault as NodeJS.ErrnoException).code
}
