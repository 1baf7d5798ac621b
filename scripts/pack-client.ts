import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeClient } from './write-client.ts'

/** `npm run pack-client`: writes the package of the typed client into `release/client`, from where `npm publish` can take it. */
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = process.argv[2] ?? join(root, 'release/client')
await writeClient(root, folder)
console.log(`The client is in ${folder}.`)
