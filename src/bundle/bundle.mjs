import { existsSync, utimesSync, writeFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { digestOfSources, isWholeBundle, USER_FILE } from './bundle-sources.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The bundle of a release. A clone does not have this folder. */
const RELEASED = join(ROOT, 'server')
// Not in node_modules, which npm empties beneath a running server. Not in Node's default folder for compiled code either:
// every user of the machine could decide there what runs here.
const CACHE = join(ROOT, '.cache')

/**
 * Imports a module from the bundle of the server, or from the sources where no bundle can be written.
 * @param {import('./bundle-sources.mjs').Entry} entry
 */
export async function importBundled(entry) {
  const folder = existsSync(RELEASED) ? releasedBundle() : await bundleOfClone()
  enableCompileCache(folder === undefined ? CACHE : join(folder, 'compiled'))
  return import(pathToFileURL(folder === undefined ? join(ROOT, 'src', entry) : bundledFile(folder, entry)).href)
}

function releasedBundle() {
  if (isWholeBundle(RELEASED)) return RELEASED
  return endWith(`The release in ${ROOT} is damaged: files of ${RELEASED} are missing or altered. Unpack it again.`)
}

/** @returns {Promise<string | undefined>} */
async function bundleOfClone() {
  try {
    const folder = await findBundle()
    noteProcess(folder)
    return folder
  } catch (fault) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (fault)
    const [reason = ''] = message.split('\n')
    if (!CANNOT_BE_WRITTEN.has(code ?? '')) return endWith(`The server cannot be bundled: ${reason}`)
    const { isPrimary } = (await import('node:cluster')).default
    if (isPrimary)
      console.error(
        `The bundle of the server cannot be saved (${reason}), so it starts from its sources, which takes longer.`,
      )
    return undefined
  }
}

const CANNOT_BE_WRITTEN = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR', 'EEXIST'])

/**
 * @param {string} sentence
 * @returns {never}
 */
function endWith(sentence) {
  console.error(sentence)
  // A mail server tries again after 75, and returns the message to its sender after 1.
  process.exit(process.argv.includes('receive-mail') ? 75 : 1)
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
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const digest = digestOfSources(root)
    const folder = join(cache, 'server', digest)
    if (isWholeBundle(folder)) {
      noteUse(folder)
      return folder
    }
    const { buildBundle } = await import('./build-bundle.ts')
    // Discarded if the sources change meanwhile.
    if (await buildBundle(root, folder, () => digestOfSources(root) === digest)) return folder
  }
  throw new Error('the sources changed each time while they were bundled.')
}

const MOST_TRIES = 5

/**
 * The bundles that were used last are kept.
 * @param {string} folder
 */
function noteUse(folder) {
  try {
    utimesSync(folder, new Date(), new Date())
  } catch {
    // It cannot be written, as by another user. Then no other bundle is built either.
  }
}

/**
 * A bundle is not deleted while a process runs from it, which loads some of its files only when it needs them.
 * @param {string} folder
 */
function noteProcess(folder) {
  try {
    writeFileSync(join(folder, `${USER_FILE}${process.pid}`), '')
  } catch {
    // As above.
  }
}
