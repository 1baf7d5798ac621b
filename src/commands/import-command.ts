import type { Command } from 'commander'
import type { ImportBugzillaOptions } from './import-options.ts'

export function addImportCommand(program: Command) {
  const command = program
    .command('import')
    .description('Import an archive of lacewing export, or another tracker, into an empty installation.')
    .argument('[file]', 'An archive that lacewing export has written, or - for standard input.')
    .option('--discard-waiting', 'Delete mail and webhook deliveries that were waiting when the archive was written.')
    .addHelpText(
      'after',
      '\nThe archive is verified first, and imported as a whole or not at all. The server must not run meanwhile.\nSee docs/moving-in.md.',
    )
    .action(async (file: string | undefined, options: { discardWaiting?: boolean }, own: Command) => {
      if (file === undefined) own.error("error: missing required argument 'file'", { exitCode: 2 })
      else await (await import('./run-archive.ts')).runArchiveImport(file, options.discardWaiting === true)
    })
  command
    .command('bugzilla')
    .description('Import the dump of a Bugzilla database: everything in it, with all numbers.')
    .argument('[dump]', 'The dump of mariadb-dump, mysqldump or pg_dump (plain, .gz or .zst), or - for standard input.')
    .option('--params <file>', 'The file data/params.json of the old installation.')
    .option('--attachments <folder>', 'The folder data/attachments of the old installation.')
    .option('--time-zone <name>', 'The time zone of the old database, such as Europe/Berlin; without it UTC.')
    .option('--report <file>', 'The file for the report; without it import/report.txt in the data folder.')
    .option('--resume', 'Continue an import that was broken off, without reading the dump again.')
    .addHelpText(
      'after',
      '\nThe server must not run meanwhile. An import that was broken off goes on if the command is given again.\n' +
        'From a running database: mariadb-dump --single-transaction --hex-blob bugs | npx lacewing import bugzilla -\n' +
        'See docs/moving-in.md.',
    )
    .action(async (dump: string | undefined, options: ImportBugzillaOptions, own: Command) => {
      if (dump === undefined && options.resume !== true)
        own.error("error: missing required argument 'dump'", { exitCode: 2 })
      await (await import('./import-bugzilla.ts')).runImport(options.resume === true ? undefined : dump, options)
    })
}
