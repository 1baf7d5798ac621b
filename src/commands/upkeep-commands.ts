import type { Command } from 'commander'
import { ATTACHMENTS_IN_FOLDER } from './import-options.ts'
import { outputOf } from './output.ts'

export function addUpkeepCommands(program: Command) {
  program
    .command('backup')
    .description('Write everything to an archive in a folder, while the server runs, and read it back to verify it.')
    .argument('<folder>', 'The folder for backups; the file is named by the time.')
    .option('--attachments-by-reference', 'Leave the contents of attachments out: they stay where they are.')
    .option('--keep <number>', 'Delete all but the newest of this number of backups in the folder.')
    .action(async (folder: string, options: { attachmentsByReference?: boolean; keep?: string }, own: Command) => {
      const keep = options.keep === undefined ? undefined : Number(options.keep)
      if (keep !== undefined && !(Number.isInteger(keep) && keep > 0))
        own.error('error: --keep must be a number above 0', { exitCode: 2 })
      await (await import('./run-upkeep.ts')).runBackup(
        folder,
        options.attachmentsByReference === true,
        keep,
        outputOf(own),
      )
    })
  program
    .command('restore')
    .description('Restore a backup into an empty installation.')
    .argument('<backup>', 'The file of a backup, or the folder of which the newest is taken.')
    .option('--attachments-in-folder', ATTACHMENTS_IN_FOLDER)
    .addHelpText('after', '\nThe server must not run. Move the old data away first: see docs/operating.md.')
    .action(async (backup: string, options: { attachmentsInFolder?: boolean }, own: Command) =>
      (await import('./run-upkeep.ts')).runRestore(backup, options.attachmentsInFolder === true, outputOf(own)),
    )
  program
    .command('check')
    .description('Check the integrity of the installation, while the server runs.')
    .option('--repair', 'Derive again what can be derived, such as counters and the search index.')
    .option('--without-contents', 'Do not read the contents of attachments, which can take long.')
    .addHelpText('after', '\nExit codes: 0 nothing is wrong or all of it was repaired, 1 something is wrong.')
    .action(async (options: { repair?: boolean; withoutContents?: boolean }, own: Command) =>
      (await import('./run-upkeep.ts')).runCheck(
        options.repair === true,
        options.withoutContents !== true,
        outputOf(own),
      ),
    )
  program
    .command('status')
    .description('Print what the installation has, and whether a server uses it.')
    .action(async (_options: object, own: Command) => (await import('./run-upkeep.ts')).runStatus(outputOf(own)))
}
