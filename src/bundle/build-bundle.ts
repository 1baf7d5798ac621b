import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { DIGEST_FILE, digestOfScripts, ENTRIES, isWholeBundle, sourceFiles } from './bundle-sources.mjs'

/** A running server loads further files of its bundle when it needs them, so those of a few versions are kept. */
const KEPT = 5
/** esbuild writes modules; the packages in CommonJS need this function. */
const BANNER = `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`

/** Bundles the server into `folder`, which is there either whole or not at all. Several processes may do this at once. */
export async function buildBundle(root: string, folder: string, isCurrent: () => boolean) {
  const files = await bundle(root, folder)
  if (!isCurrent()) throw new Error('The sources have changed while they were bundled.')
  const bundles = dirname(folder)
  const unfinished = join(bundles, `new-${randomUUID()}`)
  mkdirSync(unfinished, { recursive: true })
  try {
    for (const { path, contents } of files) writeFileSync(join(unfinished, relative(folder, path)), contents)
    writeFileSync(join(unfinished, DIGEST_FILE), digestOfScripts(unfinished))
    if (!isWholeBundle(folder)) rmSync(folder, { recursive: true, force: true })
    renameSync(unfinished, folder)
  } catch (fault) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another process was faster.
    if (!isWholeBundle(folder)) throw fault
  }
  deleteOldBundles(bundles)
}

async function bundle(root: string, folder: string) {
  const texts = sourcesWithAddresses(root)
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...ENTRIES.map((file) => join('src', file)), ...threadsIn(texts)],
    inject: ['src/bundle/stack-traces.ts'],
    outdir: folder,
    entryNames: '[name]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    banner: { js: BANNER },
    sourcemap: 'linked',
    sourcesContent: false,
    // esbuild finds its own program beside itself.
    external: ['esbuild', 'pg-native'],
    plugins: [sourceAddresses(texts)],
    metafile: true,
    write: false,
    logLevel: 'silent',
  })
  const known = new Set(sourceFiles(root))
  const unknown = Object.keys(metafile.inputs).filter((file) => !known.has(file) && !/(^|\/)node_modules\//.test(file))
  if (unknown.length > 0) throw new Error(`sourceFiles() lacks ${unknown.join(', ')}.`)
  return outputFiles
}

/** How a thread is started, and how a module finds a file beside itself. */
const THREAD_OR_ADDRESS = /new Worker\(new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)|import\.meta\.url/g

/** The text of each source that has an address in it, by path. */
function sourcesWithAddresses(root: string): Map<string, string> {
  const texts = sourceFiles(root).map((file): [string, string] => [
    join(root, file),
    readFileSync(join(root, file), 'utf8'),
  ])
  return new Map(
    texts.filter(([path, text]) => text.search(THREAD_OR_ADDRESS) >= 0 && dirname(path) !== import.meta.dirname),
  )
}

/** The modules that threads start with. */
function threadsIn(texts: ReadonlyMap<string, string>): string[] {
  return [...texts].flatMap(([path, text]) =>
    [...text.matchAll(THREAD_OR_ADDRESS)].flatMap(([, thread]) => (thread ? join(dirname(path), `${thread}.ts`) : [])),
  )
}

/** A module finds a file beside its source. A thread is started from the bundle. */
function sourceAddresses(texts: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'source addresses',
    setup({ onLoad }) {
      onLoad({ filter: new RegExp(`^(${[...texts.keys()].map(RegExp.escape).join('|')})$`) }, ({ path }) => ({
        contents: (texts.get(path) ?? '').replaceAll(THREAD_OR_ADDRESS, (_, thread?: string) =>
          thread === undefined
            ? JSON.stringify(pathToFileURL(path).href)
            : `new Worker(new URL('./${thread}.mjs', import.meta.url)`,
        ),
        loader: 'ts',
      }))
    },
  }
}

function deleteOldBundles(folder: string) {
  const all = readdirSync(folder).map((name) => join(folder, name))
  const old = all.map((path) => ({ path, used: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
  for (const { path } of old.sort((a, b) => b.used - a.used).slice(KEPT)) rmSync(path, { recursive: true, force: true })
}
