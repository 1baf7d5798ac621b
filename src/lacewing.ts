import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// See main.ts.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/lacewing', import.meta.url)))
const { runCommand } = await import('./commands/run-command.ts')
await runCommand(process.argv.slice(2))
