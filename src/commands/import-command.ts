import type { Command } from 'commander'
import { WRONG_COMMAND_LINE } from './exit-codes.ts'
import {
  ATTACHMENTS_IN_FOLDER,
  type ImportArchiveOptions,
  type ImportBugzillaOptions,
  type ImportRestOptions,
} from './import-options.ts'
import { outputOf } from './output.ts'

export function addImportCommand(program: Command) {
  const command = program
    .command('import')
    .description('Import an archive of lacewing export, or another tracker, into an empty installation.')
    .argument('[file]', 'An archive that lacewing export has written, or - for standard input.')
    .option('--discard-waiting', 'Delete mail and webhook deliveries that were waiting when the archive was written.')
    .option('--attachments-in-folder', ATTACHMENTS_IN_FOLDER)
    .addHelpText(
      'after',
      '\nThe archive is verified first, and imported as a whole or not at all. The server must not run meanwhile.\nSee docs/moving-in.md.',
    )
    .action(async (file: string | undefined, options: ImportArchiveOptions, own: Command) => {
      if (file === undefined) return own.error("error: missing required argument 'file'", { exitCode: 2 })
      await (await import('./run-archive.ts')).runArchiveImport(
        file,
        {
          discardWaiting: options.discardWaiting === true,
          attachmentsInFolder: options.attachmentsInFolder === true,
        },
        outputOf(own),
      )
    })
  command
    .command('bugzilla')
    .description('Import the dump of a Bugzilla database: everything in it, with all numbers.')
    .argument('[dump]', 'The dump of mariadb-dump, mysqldump or pg_dump (plain, .gz or .zst), or - for standard input.')
    .option(
      '--params <file>',
      'The file data/params.json of the old installation, or data/params of releases before 5.0.',
    )
    .option('--attachments <folder>', 'The folder data/attachments of the old installation.')
    .option(
      '--time-zone <name>',
      'The time zone of the old host, such as Europe/Berlin. Without it the command asks, or refuses if there is no terminal.',
    )
    .option('--report <file>', 'The file for the report; without it import/report.txt in the data folder.')
    .option('--force', 'Overwrite the file of --report if it exists.')
    .option('--resume', 'Continue an import that was broken off, without reading the dump again.')
    .addHelpText(
      'after',
      '\nThe server must not run meanwhile. An import that was broken off goes on if the command is given again.\n' +
        'From a running database: mariadb-dump --single-transaction --hex-blob bugs | npx lacewing import bugzilla - --time-zone Europe/Berlin\n' +
        'See docs/moving-in.md.',
    )
    .action(async (dump: string | undefined, options: ImportBugzillaOptions, own: Command) => {
      if (dump === undefined && options.resume !== true)
        own.error("error: missing required argument 'dump'", { exitCode: 2 })
      await (await import('./import-bugzilla.ts')).runImport(
        options.resume === true ? undefined : dump,
        options,
        outputOf(own),
      )
    })
  command
    .command('left-out')
    .description(
      'Import what an earlier release of the import from Bugzilla left out: votes, and how many each product allows.',
    )
    .argument('<file>', 'The file import/left-out.jsonl.gz of that import, in the data folder.')
    .addHelpText(
      'after',
      '\nIt can be repeated: what is there already stays. The server may run meanwhile.\nSee docs/moving-in.md.',
    )
    .action(async (file: string, _: object, own: Command) => {
      await (await import('./run-import-left-out.ts')).runImportLeftOut(file, outputOf(own))
    })
  addImportRest(command)
}

const [FASTEST_RATE, LONGEST_TIMEOUT] = [10_000, 3600]

function addImportRest(command: Command) {
  command
    .command('rest')
    .description('Import what the REST API of another Bugzilla or Lacewing shows, from outside, with its numbers.')
    .argument('<url>', 'The address of the source, such as https://bugs.example.org.')
    .option(
      '--product <name>',
      'A product to import. Repeatable; without it all products that the source shows.',
      (name: string, names: string[]) => [...names, name],
      [] as string[],
    )
    .option('--key-file <file>', 'A file with the API key; without it the environment variable BUGZILLA_API_KEY.')
    .option('--rate <number>', 'The most requests per second.', '5')
    .option('--timeout <seconds>', 'How long one answer may take.', '120')
    .option('--report <file>', 'The file for the report; without it import/report.txt in the data folder.')
    .option('--force', 'Overwrite the file of --report if it exists.')
    .addHelpText(
      'after',
      '\nThe source is only read. Without a key, only what anonymous callers see is imported. The server must not run meanwhile.\n' +
        'An import that was broken off goes on if the command is given again. The report says what the source does not show.\n' +
        'See docs/moving-in.md.',
    )
    .action(async (url: string, options: ImportRestOptions, own: Command) => {
      const number = (name: 'rate' | 'timeout', most: number) => {
        const value = Number(options[name])
        if (!(value > 0 && value <= most))
          own.error(`error: --${name} must be a number above 0 and at most ${most}`, { exitCode: WRONG_COMMAND_LINE })
        return value
      }
      const [rate, timeout] = [number('rate', FASTEST_RATE), number('timeout', LONGEST_TIMEOUT)]
      await (await import('./run-import-rest.ts')).runImportRest(url, options, { rate, timeout }, outputOf(own))
    })
}
