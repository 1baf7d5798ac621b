import { importBundled } from './bundle/bundle.mjs'

/** @type {typeof import('./commands/run-command.ts')} */
const { runCommand } = await importBundled('commands/run-command.ts')
await runCommand(process.argv.slice(2))
