import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// What was compiled at one start serves the next, which takes half the time. Kept beside the packages, and not where Node keeps it
// unless told (a folder that every user of the machine can write), because whoever writes there decides what runs here.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/lacewing', import.meta.url)))
await import('./run.ts')
