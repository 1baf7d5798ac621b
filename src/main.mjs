// The files on the way to the bundle are JavaScript: loading Node's support for TypeScript would take a quarter of the start.
import { importBundled } from './bundle/bundle.mjs'

/** @type {typeof import('./run.ts')} */
const { run } = await importBundled('run.ts')
await run(process.argv.slice(2))
