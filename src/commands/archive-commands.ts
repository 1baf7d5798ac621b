import type { Command } from 'commander'
import { outputOf } from './output.ts'
import { OVERWRITE, requireNew } from './require-new.ts'

export function addArchiveCommands(program: Command) {
  program
    .command('export')
    .description('Write everything in the installation to one archive, while the server runs.')
    .argument('<file>', 'The file to write, such as lacewing.tar.gz, or - for standard output.')
    .option('--attachments-by-reference', 'Leave the contents of attachments out: they stay where they are.')
    .option('--force', OVERWRITE)
    .addHelpText(
      'after',
      '\nThe archive has all passwords, keys and secrets in the form in which they are stored: keep it private.\n' +
        'It is of one moment. npx lacewing import FILE makes the same installation of it, on either engine.',
    )
    .action(async (file: string, options: { attachmentsByReference?: boolean; force?: boolean }, own: Command) => {
      requireNew(file === '-' ? undefined : file, options.force)
      const { attachmentsByReference = false, force: mayOverwrite = false } = options
      const { runExport } = await import('./run-archive.ts')
      await runExport(file, { attachmentsByReference, mayOverwrite }, outputOf(own))
    })
}
