import type { Command } from 'commander'

export function addArchiveCommands(program: Command) {
  program
    .command('export')
    .description('Write everything in the installation to one archive, while the server runs.')
    .argument('<file>', 'The file to write, such as lacewing.tar.gz, or - for standard output.')
    .option('--attachments-by-reference', 'Leave the contents of attachments out: they stay where they are.')
    .addHelpText(
      'after',
      '\nThe archive has all passwords, keys and secrets in the form in which they are stored: keep it private.\n' +
        'It is of one moment. npx lacewing import FILE makes the same installation of it, on either engine.',
    )
    .action(async (file: string, options: { attachmentsByReference?: boolean }) =>
      (await import('./run-archive.ts')).runExport(file, options.attachmentsByReference === true),
    )
}
