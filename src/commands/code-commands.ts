import type { Command } from 'commander'
import type { CodeOptions, MessageOptions } from './git/code-options.ts'
import { outputOf } from './output.ts'

export function addCodeCommands(program: Command) {
  const hook = program
    .command('git-hook')
    .description('Hooks of a git repository: report pushed commits, and check messages of commits.')
  withSource(
    hook
      .command('post-receive')
      .description(
        'Report the commits of a push to a source of code of the kind git. Reads what git writes to the hook.',
      ),
  )
    .addHelpText(
      'after',
      `${SETTINGS}\n\nA push is never refused by it: if the tracker cannot be reached, it prints a line. Exit code: 0.`,
    )
    .action(async (options: CodeOptions, own: Command) =>
      (await import('./git/run-git-hook.ts')).runPostReceive(options, outputOf(own)),
    )
  hook
    .command('commit-msg')
    .description('Refuse a commit whose message names no bug, or one that the tracker does not have.')
    .argument('<file>', 'The file with the message, which git gives to the hook.')
    .option('--server <url>', 'Address of the tracker, to look the bug up there. Default: lacewing.server of git.')
    .option('--key-file <file>', 'File with an API key, to find bugs that not everybody sees (lacewing.keyfile).')
    .option('--words <words>', 'Words before the number, with commas.', 'bug,fixes,closes,resolves')
    .addHelpText(
      'after',
      '\nMerges, reverts and fixups need no bug. If the tracker cannot be reached, the commit is made.\nExit codes: 0 the commit may be made, 1 it is refused.',
    )
    .action(async (file: string, options: MessageOptions, own: Command) =>
      (await import('./git/run-git-hook.ts')).runCommitMessage(file, options, outputOf(own)),
    )

  const code = program.command('code').description('Link the commits of a repository to bugs.')
  withSource(
    code
      .command('sync')
      .description('Read the log of a repository once and link its commits to the bugs that they name.')
      .argument('[folder]', 'The repository.', '.'),
  )
    .addHelpText(
      'after',
      `${SETTINGS}\n\nIt writes no comments and resolves nothing, and can be repeated. Exit codes: 0 done, 1 not.`,
    )
    .action(async (folder: string, options: CodeOptions, own: Command) =>
      (await import('./git/run-code-sync.ts')).runCodeSync(folder, options, outputOf(own)),
    )
}

const SETTINGS =
  '\nEach option can be a setting of the repository instead, such as: git config lacewing.url https://bugs.example/rest/code/main'

function withSource(command: Command): Command {
  return command
    .option('--url <url>', 'Address of the source, ending with /rest/code/ and its name (lacewing.url).')
    .option('--secret-file <file>', 'File with the secret of the source (lacewing.secretfile).')
    .option('--repository <name>', 'Name of the repository; the name of its folder by default (lacewing.repository).')
    .option('--branch <name>', 'The branch whose commits count; that of HEAD by default (lacewing.branch).')
    .option('--commit-address <url>', 'Address of a commit, with {id} where its name belongs (lacewing.commitaddress).')
}
