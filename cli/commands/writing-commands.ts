import type { Command } from 'commander'
import { runForPeople } from '../context.ts'
import { addFieldOptions, collect } from '../writing/field-options.ts'
import type { NewOptions } from '../writing/filing/run-new.ts'
import type { AttachOptions } from '../writing/run-attach.ts'
import type { CommentOptions } from '../writing/run-comment.ts'
import type { EditOptions } from '../writing/run-edit.ts'
import { addPeopleCommand } from './people-command.ts'

export function addWritingCommands(program: Command) {
  addFieldOptions(addPeopleCommand(program, 'new', 'File a bug: by options, or in your editor.'))
    .option('-m, --message <text>', 'The description.')
    .option('-F, --file <file>', 'A file with the description; - for standard input.')
    .option('--draft <file>', 'Go on with a bug that was kept when it could not be filed.')
    .option('--cc <logins>', 'Login names for the CC list, with commas between them.')
    .option('--keywords <names>', 'Keywords, with commas between them.')
    .option('--edit', 'Open the editor also if the options say everything.')
    .option('--unless-duplicate', 'Do not file it if there are likely duplicates.')
    .option('-y, --yes', 'Do not ask whether to file it.')
    .action(async (options: NewOptions, own: Command) => {
      const { runNew } = await import('../writing/filing/run-new.ts')
      await runForPeople(own, (context) => runNew(options, context))
    })
  addEditCommand(program)
  addPeopleCommand(program, 'comment', 'Comment on a bug: with --message, from standard input, or in your editor.')
    .argument('<bug>', 'Number or alias of the bug.')
    .option('-m, --message <text>', 'The comment.')
    .option('-F, --file <file>', 'A file with the comment; - for standard input.')
    .option('--private', 'Only insiders see it.')
    .action(async (ref: string, options: CommentOptions, own: Command) => {
      const { runComment } = await import('../writing/run-comment.ts')
      await runForPeople(own, (context) => runComment(ref, options, context))
    })
  addPeopleCommand(program, 'attach', 'Attach files to a bug.')
    .argument('<bug>', 'Number or alias of the bug.')
    .argument('<files...>', 'The files; - for standard input.')
    .option('--summary <text>', 'What the file is; by default its name.')
    .option('--name <name>', 'Another name for the file.')
    .option('--type <type>', 'The content type, such as text/plain; by default by the name.')
    .option('--patch', 'It is a patch; so are files that end with .patch or .diff.')
    .option('--private', 'Only insiders see it.')
    .option('--flag <flag>', 'Such as review?edna@example.org; may be repeated.', collect)
    .option('-m, --message <text>', 'A comment to go with it.')
    .option('-F, --file <file>', 'A file with the comment; - for standard input.')
    .action(async (ref: string, files: readonly string[], options: AttachOptions, own: Command) => {
      const { runAttach } = await import('../writing/run-attach.ts')
      await runForPeople(own, (context) => runAttach(ref, files, options, context))
    })
}

const LISTS = [
  ['cc', 'logins', 'the CC list'],
  ['keyword', 'names', 'the keywords'],
  ['see-also', 'addresses', 'the see-also list'],
  ['group', 'names', 'the groups'],
  ['depends-on', 'bugs', 'the bugs that it depends on'],
  ['blocks', 'bugs', 'the bugs that it blocks'],
] as const

function addEditCommand(program: Command) {
  const edit = addFieldOptions(addPeopleCommand(program, 'edit', 'Change one or several bugs.'))
    .argument('<bugs...>', 'Numbers or aliases of bugs.')
    .option('--dupe-of <bug>', 'Resolve it as a duplicate of this bug.')
    .option('-m, --message <text>', 'A comment to go with the change.')
    .option('-F, --file <file>', 'A file with the comment; - for standard input.')
    .option('--private', 'Only insiders see the comment.')
    .option('--unchanged-since <time>', 'Change nothing if the bug was changed after this time.')
    .option('--dry-run', 'Print what would change.')
  for (const [name, kind, about] of LISTS)
    edit
      .option(`--add-${name} <${kind}>`, `Add to ${about}, with commas between several.`)
      .option(`--remove-${name} <${kind}>`, `Remove from ${about}.`)
  edit.action(async (refs: readonly string[], options: EditOptions, own: Command) => {
    const { runEdit } = await import('../writing/run-edit.ts')
    await runForPeople(own, (context) => runEdit(refs, options, context))
  })
}
