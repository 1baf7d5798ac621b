import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Caches compiled code, which halves the time of the next start. Node's default folder is writable for every user of
// the machine, who could then decide what runs here; so the cache is next to the packages.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/lacewing', import.meta.url)))
const { run } = await import('./run.ts')
await run(process.argv.slice(2))
