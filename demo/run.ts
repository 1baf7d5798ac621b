import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// As in src/bundle/bundle.mjs: compiled code is cached between starts.
enableCompileCache(fileURLToPath(new URL('../.cache', import.meta.url)))
await import('./check-start.ts')
await import('./demo.ts')
