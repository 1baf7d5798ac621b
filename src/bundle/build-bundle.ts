import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Plugin } from 'esbuild'
import { DIGEST_FILE, digestOfScripts, ENTRIES, isWholeBundle, sourceFiles, USER_FILE } from './bundle-sources.mjs'

/** The bundles of a few versions are kept, and those that a running process loads further files from. */
const KEPT = 5
/** esbuild writes modules; the packages in CommonJS need this function. */
const BANNER = `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`

/**
 * Bundles the server into `folder`, which is there either whole or not at all. Several processes may do this at once. Returns
 * false, without the folder, if the sources have changed meanwhile.
 */
export async function buildBundle(root: string, folder: string, isCurrent: () => boolean): Promise<boolean> {
  const { files } = await bundleServer(root, folder)
  if (!isCurrent()) return false
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
  return true
}

/** The files of a bundle that will be in `folder`, and the names of the files that it was made of. */
export async function bundleServer(root: string, folder: string) {
  const { build } = await import('esbuild')
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
    plugins: [sourceAddresses(texts, folder)],
    metafile: true,
    write: false,
    logLevel: 'silent',
  })
  const known = new Set(sourceFiles(root))
  const unknown = Object.keys(metafile.inputs).filter((file) => !known.has(file) && !/(^|\/)node_modules\//.test(file))
  if (unknown.length > 0) throw new Error(`sourceFiles() lacks ${unknown.join(', ')}.`)
  return { files: outputFiles, inputs: Object.keys(metafile.inputs) }
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

/** A module finds a file beside its source, wherever the folder of both is moved. A thread is started from the bundle. */
function sourceAddresses(texts: ReadonlyMap<string, string>, folder: string): Plugin {
  return {
    name: 'source addresses',
    setup({ onLoad }) {
      onLoad({ filter: new RegExp(`^(${[...texts.keys()].map(RegExp.escape).join('|')})$`) }, ({ path }) => ({
        contents: (texts.get(path) ?? '').replaceAll(THREAD_OR_ADDRESS, (_, thread?: string) =>
          thread === undefined
            ? `new URL(${JSON.stringify(relative(folder, path))}, import.meta.url).href`
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
  const superfluous = old.sort((a, b) => b.used - a.used).slice(KEPT)
  for (const { path } of superfluous) if (!isInUse(path)) rmSync(path, { recursive: true, force: true })
}

function isInUse(folder: string) {
  const users = readdirSync(folder).filter((name) => name.startsWith(USER_FILE))
  return users.some((name) => isRunning(Number(name.slice(USER_FILE.length))))
}

function isRunning(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code === 'EPERM'
  }
}
