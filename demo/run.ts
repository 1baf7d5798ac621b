import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// The same as in src/main.ts: what was compiled once is used again.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/lacewing', import.meta.url)))
await import('./demo.ts')
