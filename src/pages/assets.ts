import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { dictionary } from '../platform/text/dictionary.ts'

/** A file that pages load, in every form in which it is sent. Its name contains a digest of its content, so it never changes. */
export interface Asset {
  contentType: string
  plain: Buffer
  gzip: Buffer
  brotli: Buffer
}

/** The files of all pages. */
export interface Assets {
  files: ReadonlyMap<string, Asset>
  script: string
  style: string
  /** For each view that has a script of its own, that script and what it imports. */
  scriptsOf: ReadonlyMap<string, readonly string[]>
}

const WEB = fileURLToPath(new URL('../../web', import.meta.url))
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/lacewing/web', import.meta.url))

const CONTENT_TYPES: Readonly<Record<string, string>> = dictionary({
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  map: 'application/json',
})

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
  const newest = await newestSource(WEB)
  const saved = await readSaved(newest)
  if (saved !== undefined) return saved
  const built = await build()
  await save(newest, built)
  return built
}

/** The time of the newest source and the number of sources, which identify the state of the sources. */
async function newestSource(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const times = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).mtimeMs),
  )
  return `${Math.round(Math.max(...times))}-${files.length}`
}

/** Each view becomes a script of its own: that of `web/views/bug.tsx` is loaded when a bug is shown. */
async function build(): Promise<Assets> {
  const { build: bundle } = await import('esbuild')
  const { outputFiles, metafile } = await bundle({
    entryPoints: [join(WEB, 'main.tsx'), join(WEB, 'style.css')],
    inject: [join(WEB, 'shared.ts')],
    outdir: '/',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: ['es2023'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    metafile: true,
    write: false,
    legalComments: 'none',
    logLevel: 'silent',
    loader: { '.svg': 'file' },
    assetNames: '[name]-[hash]',
  })
  const plain = outputFiles.map(({ path, contents }): [string, Buffer] => [path.slice(1), Buffer.from(contents)])
  plain.push(['icon.svg', await readFile(join(WEB, 'icon.svg'))])
  const files = new Map(
    await Promise.all(plain.map(async ([name, content]) => [name, await assetOf(name, content)] as const)),
  )
  return { files, ...entriesIn(metafile.outputs) }
}

interface Output {
  entryPoint?: string
  imports: readonly { path: string; kind: string }[]
}

function entriesIn(outputs: Readonly<Record<string, Output>>): Omit<Assets, 'files'> {
  const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
  const scriptsOf = new Map<string, readonly string[]>()
  let script = ''
  let style = ''
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint?.endsWith('main.tsx')) script = nameOf(path)
    if (entryPoint?.endsWith('style.css')) style = nameOf(path)
    const view = /views\/([\w-]+)\.tsx$/.exec(entryPoint ?? '')?.[1]
    if (view !== undefined) scriptsOf.set(view, [...importedBy(path, outputs)].map(nameOf))
  }
  scriptsOf.set(
    '',
    [...importedBy(Object.keys(outputs).find((path) => nameOf(path) === script) ?? '', outputs)].map(nameOf),
  )
  return { script, style, scriptsOf }
}

/** A script and everything that it imports statically. */
function importedBy(path: string, outputs: Readonly<Record<string, Output>>): Set<string> {
  const all = new Set([path])
  for (const one of all)
    for (const { path: other, kind } of outputs[one]?.imports ?? []) if (kind === 'import-statement') all.add(other)
  return all
}

const compressed = { gzip: promisify(gzip), brotli: promisify(brotliCompress) }

const BEST = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }

/** Compressed in threads: it takes a second in all. */
async function assetOf(name: string, plain: Buffer): Promise<Asset> {
  const [gzip, brotli] = await Promise.all([compressed.gzip(plain, { level: 9 }), compressed.brotli(plain, BEST)])
  return { contentType: contentTypeOf(name), plain, gzip, brotli }
}

function contentTypeOf(name: string): string {
  return CONTENT_TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
}

/** The content of `files.json` in a folder of the cache. */
interface Listing {
  script: string
  style: string
  scriptsOf: [string, readonly string[]][]
  files: string[]
}

async function readSaved(newest: string): Promise<Assets | undefined> {
  const folder = join(CACHE, newest)
  const read = async (name: string): Promise<[string, Asset]> => {
    const forms = await Promise.all(['', '.gz', '.br'].map((form) => readFile(join(folder, name + form))))
    const [plain, gzip, brotli] = forms as [Buffer, Buffer, Buffer]
    return [name, { contentType: contentTypeOf(name), plain, gzip, brotli }]
  }
  try {
    const listing = JSON.parse(await readFile(join(folder, 'files.json'), 'utf8')) as Listing
    const { script, style, scriptsOf, files } = listing
    return { script, style, scriptsOf: new Map(scriptsOf), files: new Map(await Promise.all(files.map(read))) }
  } catch {
    return undefined
  }
}

/** Saves the files for the next start. If the folder cannot be written, as in a container, each start builds them again. */
async function save(newest: string, { files, script, style, scriptsOf }: Assets) {
  const folder = join(CACHE, `${newest}.${process.pid}`)
  try {
    await mkdir(folder, { recursive: true })
    for (const [name, { plain, gzip, brotli }] of files) {
      await writeFile(join(folder, name), plain)
      await writeFile(join(folder, `${name}.gz`), gzip)
      await writeFile(join(folder, `${name}.br`), brotli)
    }
    const listing: Listing = { script, style, scriptsOf: [...scriptsOf], files: [...files.keys()] }
    await writeFile(join(folder, 'files.json'), JSON.stringify(listing))
    for (const old of await readdir(CACHE))
      if (!old.startsWith(newest)) await rm(join(CACHE, old), { recursive: true, force: true })
    await rename(folder, join(CACHE, newest))
  } catch {
    await rm(folder, { recursive: true, force: true })
  }
}
