import { utimesSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { digestOfSources, isWholeBundle } from './bundle-sources.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
// Node's default folder for compiled code is writable for every user of the machine, who could then decide what runs
// here. So the cache is next to the packages.
const CACHE = join(ROOT, 'node_modules/.cache/lacewing')

/**
 * Imports a module from the bundle of the server, or from the sources where no bundle can be written.
 * @param {import('./bundle-sources.mjs').Entry} entry
 */
export async function importBundled(entry) {
  const folder = await findBundle().catch(() => undefined)
  enableCompileCache(folder === undefined ? CACHE : join(folder, 'compiled'))
  return import(pathToFileURL(folder === undefined ? join(ROOT, 'src', entry) : bundledFile(folder, entry)).href)
}

/**
 * @param {string} folder
 * @param {import('./bundle-sources.mjs').Entry} entry
 */
export function bundledFile(folder, entry) {
  return join(folder, `${basename(entry, '.ts')}.mjs`)
}

/**
 * The folder of the bundle: the whole server in a few files, which load in a third of the time of its modules. Its name is the
 * digest of the sources, so it never contains other code. If there is none, it is built.
 * @param {string} root where the sources are
 * @param {string} cache where bundles are kept
 */
export async function findBundle(root = ROOT, cache = CACHE) {
  const digest = digestOfSources(root)
  const folder = join(cache, 'server', digest)
  if (isWholeBundle(folder)) noteUse(folder)
  else {
    const { buildBundle } = await import('./build-bundle.ts')
    // Discarded if the sources change meanwhile.
    await buildBundle(root, folder, () => digestOfSources(root) === digest)
  }
  return folder
}

/**
 * The bundles that were used last are kept.
 * @param {string} folder
 */
function noteUse(folder) {
  try {
    utimesSync(folder, new Date(), new Date())
  } catch {
    // It cannot be written, as in a container. Then no other bundle is built either.
  }
}
