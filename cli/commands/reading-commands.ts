import type { Command } from 'commander'
import { runForPeople } from '../context.ts'
import type { GetOptions } from '../reading/run-get.ts'
import type { ListOptions } from '../reading/run-list.ts'
import type { OpenOptions } from '../reading/run-open.ts'
import type { ShowOptions } from '../reading/run-show.ts'
import { collect } from '../writing/field-options.ts'
import { addPeopleCommand } from './people-command.ts'

export function addReadingCommands(program: Command) {
  const list = addPeopleCommand(program, 'list', 'List bugs: the open ones, or those that a quicksearch finds.')
  addListOptions(list)
    .option('--saved <name>', 'The bugs of a saved search.')
    .action(async (words: readonly string[], options: ListOptions, own: Command) => {
      const { runList } = await import('../reading/run-list.ts')
      await runForPeople(own, (context) => runList(words, options, context))
    })
  const search = addPeopleCommand(program, 'search', 'The same as list; with --saved alone, list the saved searches.')
  addListOptions(search)
    .option('--saved [name]', 'The bugs of a saved search; without a name, the saved searches.')
    .action(async (words: readonly string[], options: ListOptions, own: Command) => {
      const { runSearch } = await import('../reading/run-search.ts')
      await runForPeople(own, (context) => runSearch(words, options, context))
    })
  addPeopleCommand(program, 'show', 'Show bugs with their comments, changes and attachments.')
    .argument('<bugs...>', 'Numbers or aliases of bugs.')
    .option('--comments <number>', 'Only so many of the newest comments; 20 by default.')
    .option('--no-changes', 'Leave out the changes.')
    .action(async (refs: readonly string[], options: ShowOptions, own: Command) => {
      const { runShow } = await import('../reading/run-show.ts')
      await runForPeople(own, (context) => runShow(refs, options, context))
    })
  addPeopleCommand(program, 'get', 'Download an attachment into a file of this folder.')
    .argument('<attachment>', 'The number of the attachment.')
    .option('-o, --output <file>', 'The file; - for standard output.')
    .option('--force', 'Overwrite the file if it exists.')
    .action(async (id: string, options: GetOptions, own: Command) => {
      const { runGet } = await import('../reading/run-get.ts')
      await runForPeople(own, (context) => runGet(id, options, context))
    })
  addPeopleCommand(program, 'open', 'Open bugs in the browser. Without a terminal, print their addresses.')
    .argument('[bugs...]', 'Numbers or aliases of bugs; without any, the home page.')
    .option('--print', 'Print the addresses.')
    .action(async (refs: readonly string[], options: OpenOptions, own: Command) => {
      const { runOpen } = await import('../reading/run-open.ts')
      await runForPeople(own, (context) => runOpen(refs, options, context))
    })
}

function addListOptions(command: Command): Command {
  return addSearchOptions(command)
    .option('--columns <fields>', 'Names of fields with commas between them: id,status,summary,cf_colour.')
    .option('--limit <number>', 'Most bugs to list; 50 by default.')
    .option('--all', 'List all bugs.')
    .option('--count', 'Print only how many there are.')
    .option('--csv', 'Print CSV, with a line of headings.')
}

/** What bugs are searched by. */
export function addSearchOptions(command: Command): Command {
  return command
    .argument('[words...]', 'A quicksearch, such as crash component:printer.')
    .option('--mine', 'Bugs that you are assigned, reported, are in the CC list or QA contact of.')
    .option('--sharer <id>', 'The number of the user who shares the saved search.')
    .option('--param <name=value>', 'A parameter of a search in the REST API; may be repeated.', collect)
    .option('--order <fields>', 'Such as priority,-changed: a minus for the other direction.')
}
