import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'esbuild'
import { VIEW_NAMES } from '../../shared/addresses.ts'
import { pageFields } from '../../shared/bug-fields/page-fields.ts'
import { dictionary } from '../platform/text/dictionary.ts'

/** A file that pages load, in every form in which it is sent. Its name contains a digest of its content, so it never changes. */
export interface Asset {
  contentType: string
  plain: Buffer
  /** Not for source maps, which only developers read. */
  gzip: Buffer | undefined
  brotli: Buffer | undefined
}

/** The files of all pages. */
export interface Assets {
  files: ReadonlyMap<string, Asset>
  script: string
  style: string
  /** Of the views that fewer readers open. */
  styleApart: string
  /** For each view that has a script of its own, that script and what it imports. */
  scriptsOf: ReadonlyMap<string, readonly string[]>
}

const CONTENT_TYPES: Readonly<Record<string, string>> = dictionary({
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  map: 'application/json',
})

/** The scripts have what the pages know of the fields, not the whole table with its sentences. */
const fieldsOfPages: Plugin = {
  name: 'fields of pages',
  setup: (build) =>
    build.onLoad({ filter: /bug-fields[\\/]page-fields\.ts$/ }, () => ({
      contents: `export const pageFields = ${JSON.stringify(pageFields)}`,
    })),
}

/** A script for each view, by its name. A pattern would take all files in folders below, too. */
const viewsByName: Plugin = {
  name: 'views by name',
  setup: (build) =>
    build.onLoad({ filter: /frame[\\/]view-scripts\.ts$/ }, ({ path }) => ({
      contents: `export const VIEW_SCRIPTS = {${VIEW_NAMES.map((name) => `'${name}': () => import('../views/${name}.tsx')`)}}`,
      resolveDir: dirname(path),
    })),
}

/** Each view becomes a script of its own: that of `web/views/bug.tsx` is loaded when a bug is shown. */
export async function buildPages(web: string, hasSourceMaps = false): Promise<Assets> {
  const { build: bundle } = await import('esbuild')
  const { outputFiles, metafile } = await bundle({
    entryPoints: ['main.tsx', 'style.css', 'style-apart.css'].map((name) => join(web, name)),
    inject: [join(web, 'one-script.ts')],
    // Nothing is written there: source maps name the sources relative to it.
    outdir: join(web, '../assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    plugins: [fieldsOfPages, viewsByName],
    splitting: true,
    format: 'esm',
    target: ['es2023'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    metafile: true,
    write: false,
    sourcemap: hasSourceMaps ? 'linked' : false,
    legalComments: 'none',
    logLevel: 'silent',
    loader: { '.svg': 'file' },
    assetNames: '[name]-[hash]',
  })
  const plain = outputFiles.map(({ path, contents }): [string, Buffer] => [basename(path), Buffer.from(contents)])
  plain.push(['icon.svg', await readFile(join(web, 'icon.svg'))])
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
  let [style, styleApart] = ['', '']
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint?.endsWith('main.tsx')) script = nameOf(path)
    if (entryPoint?.endsWith('style.css')) style = nameOf(path)
    if (entryPoint?.endsWith('style-apart.css')) styleApart = nameOf(path)
    const view = /views\/([\w-]+)\.tsx$/.exec(entryPoint ?? '')?.[1]
    if (view !== undefined) scriptsOf.set(view, [...importedBy(path, outputs)].map(nameOf))
  }
  scriptsOf.set(
    '',
    [...importedBy(Object.keys(outputs).find((path) => nameOf(path) === script) ?? '', outputs)].map(nameOf),
  )
  return { script, style, styleApart, scriptsOf }
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
  if (isSourceMap(name)) return { contentType: contentTypeOf(name), plain, gzip: undefined, brotli: undefined }
  const [gzip, brotli] = await Promise.all([compressed.gzip(plain, { level: 9 }), compressed.brotli(plain, BEST)])
  return { contentType: contentTypeOf(name), plain, gzip, brotli }
}

export function isSourceMap(name: string) {
  return name.endsWith('.map')
}

export function contentTypeOf(name: string): string {
  return CONTENT_TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
}
