import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// As in src/bundle/bundle.mjs: compiled code is cached between starts.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/lacewing', import.meta.url)))
await import('./check-start.ts')
await import('./demo.ts')
