import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeRelease } from './write-release.ts'

/** `npm run release`: writes `release/lacewing-6.0.0.tar.gz`, which runs where Node is, without npm; or into the folder that is named. */
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = process.argv[2] ?? join(root, 'release')
mkdirSync(folder, { recursive: true })
const { file, files, bytes } = await writeRelease(root, folder)
console.log(`${file}: ${files} files, ${(bytes / 1024 / 1024).toFixed(1)} MiB.`)
