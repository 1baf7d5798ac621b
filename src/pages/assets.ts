import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
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
  loaded ??= load()
  return loaded
}

let loaded: Promise<Assets> | undefined

async function load(): Promise<Assets> {
  const newest = newestSource(WEB)
  const saved = readSaved(newest)
  if (saved !== undefined) return saved
  const built = await build()
  save(newest, built)
  return built
}

/** The time of the newest source and the number of sources, which identify the state of the sources. */
function newestSource(folder: string): string {
  let newest = 0
  let files = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    files++
    newest = Math.max(newest, statSync(join(entry.parentPath, entry.name)).mtimeMs)
  }
  return `${Math.round(newest)}-${files}`
}

/** Each view becomes a script of its own: that of `web/views/bug.tsx` is loaded when a bug is shown. */
async function build(): Promise<Assets> {
  const { build: bundle } = await import('esbuild')
  const { outputFiles, metafile } = await bundle({
    entryPoints: [join(WEB, 'main.tsx'), join(WEB, 'style.css')],
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
  const files = new Map(outputFiles.map(({ path, contents }) => [path.slice(1), assetOf(path, Buffer.from(contents))]))
  files.set('icon.svg', assetOf('icon.svg', readFileSync(join(WEB, 'icon.svg'))))
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

function assetOf(path: string, plain: Buffer): Asset {
  const contentType = CONTENT_TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  return { contentType, plain, gzip: gzipSync(plain, { level: 9 }), brotli: brotliCompressSync(plain, quality) }
}

/** The content of `files.json` in a folder of the cache. */
interface Listing {
  script: string
  style: string
  scriptsOf: [string, readonly string[]][]
  files: string[]
}

function readSaved(newest: string): Assets | undefined {
  const folder = join(CACHE, newest)
  try {
    const { script, style, scriptsOf, files } = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) as Listing
    const assets = files.map((name): [string, Asset] => {
      const [plain, gzip, brotli] = ['', '.gz', '.br'].map((form) => readFileSync(join(folder, name + form)))
      const contentType = CONTENT_TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? ''
      return [name, { contentType, plain, gzip, brotli } as Asset]
    })
    return { script, style, scriptsOf: new Map(scriptsOf), files: new Map(assets) }
  } catch {
    return undefined
  }
}

/** Saves the files for the next start. If the folder cannot be written, as in a container, each start builds them again. */
function save(newest: string, { files, script, style, scriptsOf }: Assets) {
  const folder = join(CACHE, `${newest}.${process.pid}`)
  try {
    mkdirSync(folder, { recursive: true })
    for (const [name, { plain, gzip, brotli }] of files) {
      writeFileSync(join(folder, name), plain)
      writeFileSync(join(folder, `${name}.gz`), gzip)
      writeFileSync(join(folder, `${name}.br`), brotli)
    }
    const listing: Listing = { script, style, scriptsOf: [...scriptsOf], files: [...files.keys()] }
    writeFileSync(join(folder, 'files.json'), JSON.stringify(listing))
    for (const old of readdirSync(CACHE)) if (!old.startsWith(newest)) rmSync(join(CACHE, old), { recursive: true })
    renameSync(folder, join(CACHE, newest))
  } catch {
    rmSync(folder, { recursive: true, force: true })
  }
}
