import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

const SOURCE = fileURLToPath(new URL('../../src', import.meta.url))
const ENTRIES = ['main.ts', 'outbound/delivery/deliver-thread.ts', 'platform/database/slow-reads/slow-reads-worker.ts']
/** esbuild writes modules; the packages in CommonJS need this function. */
const BANNER = `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`

/**
 * The server in a few files instead of more than a thousand modules, for the processes that tests start: loading the modules is three
 * quarters of the processor time of a start. Returns the entry point. The tests of `npm start` and of the Docker image run the modules.
 */
export async function bundleServer(folder: string): Promise<string> {
  await build({
    entryPoints: ENTRIES.map((file) => join(SOURCE, file)),
    outdir: folder,
    outbase: SOURCE,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    banner: { js: BANNER },
    external: ['pg-native'],
    plugins: [ownPlaces(folder)],
    logLevel: 'error',
  })
  return join(folder, 'main.mjs')
}

/** A module that looks for a file beside itself looks where its source is; a thread is started from the bundle. */
function ownPlaces(folder: string): Plugin {
  const bundled = (path: string, name: string) =>
    JSON.stringify(pathToFileURL(join(folder, relative(SOURCE, dirname(path)), `${name}.mjs`)).href)
  return {
    name: 'own places',
    setup({ onLoad, onResolve }) {
      onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        const contents = text
          .replaceAll(/new Worker\(new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g, (start, name) => {
            const isBundled = ENTRIES.includes(join(relative(SOURCE, dirname(path)), `${name}.ts`))
            return isBundled ? `new Worker(new URL(${bundled(path, name)})` : start
          })
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        return { contents, loader: 'ts' }
      })
      // It finds its own program beside itself.
      const esbuild = createRequire(import.meta.url).resolve('esbuild')
      onResolve({ filter: /^esbuild$/ }, () => ({ path: esbuild, external: true }))
    },
  }
}
