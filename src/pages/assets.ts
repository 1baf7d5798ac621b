import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Asset, type Assets, buildPages, contentTypeOf, isSourceMap } from './build-pages.ts'

/** In a release, the files that it was made with. A clone does not have this folder, and builds them from the sources. */
const RELEASED = fileURLToPath(new URL('../../pages', import.meta.url))
const WEB = fileURLToPath(new URL('../../web', import.meta.url))
const SHARED = fileURLToPath(new URL('../../shared', import.meta.url))
const CACHE = fileURLToPath(new URL('../../.cache/web', import.meta.url))

/** Builds the files of the pages, or reads those that were built from the same sources before. Done once in a process. */
export function loadAssets(): Promise<Assets> {
  loaded ??= load().catch((fault) => {
    loaded = undefined
    throw fault
  })
  return loaded
}

let loaded: Promise<Assets> | undefined

async function load(): Promise<Assets> {
  if (existsSync(RELEASED)) return (await readSaved(RELEASED)) ?? damaged()
  const newest = await newestSource([WEB, SHARED])
  const saved = await readSaved(join(CACHE, newest))
  if (saved !== undefined) return saved
  const built = await buildPages(WEB)
  await save(newest, built)
  return built
}

function damaged(): never {
  throw new Error(`The release is damaged: files of ${RELEASED} are missing. Unpack it again.`)
}

/** The time of the newest source and the number of sources, which identify the state of the sources. */
async function newestSource(folders: readonly string[]): Promise<string> {
  const entries = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true })))
  const files = entries.flat().filter((entry) => entry.isFile())
  const times = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).mtimeMs),
  )
  return `${Math.round(Math.max(...times))}-${files.length}`
}

/** The content of `files.json`. */
interface Listing {
  script: string
  style: string
  styleApart: string
  scriptsOf: [string, readonly string[]][]
  files: string[]
}

async function readSaved(folder: string): Promise<Assets | undefined> {
  const read = async (name: string): Promise<[string, Asset]> => {
    const forms = await Promise.all(
      ['', '.gz', '.br'].map((form) =>
        form !== '' && isSourceMap(name) ? undefined : readFile(join(folder, name + form)),
      ),
    )
    const [plain, gzip, brotli] = forms as [Buffer, Buffer | undefined, Buffer | undefined]
    return [name, { contentType: contentTypeOf(name), plain, gzip, brotli }]
  }
  try {
    const { scriptsOf, files, ...named } = JSON.parse(await readFile(join(folder, 'files.json'), 'utf8')) as Listing
    return { ...named, scriptsOf: new Map(scriptsOf), files: new Map(await Promise.all(files.map(read))) }
  } catch {
    return undefined
  }
}

/** What `readSaved` reads, by the name of the file. */
export function savedFiles({ files, scriptsOf, ...named }: Assets): Map<string, Buffer> {
  const saved = new Map<string, Buffer>()
  for (const [name, { plain, gzip, brotli }] of files) {
    saved.set(name, plain)
    if (gzip !== undefined) saved.set(`${name}.gz`, gzip)
    if (brotli !== undefined) saved.set(`${name}.br`, brotli)
  }
  const listing: Listing = { ...named, scriptsOf: [...scriptsOf], files: [...files.keys()] }
  return saved.set('files.json', Buffer.from(JSON.stringify(listing)))
}

/** Saves the files for the next start. If the folder cannot be written, each start builds them again. */
async function save(newest: string, assets: Assets) {
  const folder = join(CACHE, `${newest}.${process.pid}`)
  try {
    await mkdir(folder, { recursive: true })
    for (const [name, content] of savedFiles(assets)) await writeFile(join(folder, name), content)
    for (const old of await readdir(CACHE))
      if (!old.startsWith(newest)) await rm(join(CACHE, old), { recursive: true, force: true })
    await rename(folder, join(CACHE, newest))
  } catch {
    await rm(folder, { recursive: true, force: true })
  }
}
