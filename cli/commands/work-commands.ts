import type { Command } from 'commander'
import { runForPeople } from '../context.ts'
import type { ApiOptions } from '../work/run-api.ts'
import type { FollowOptions } from '../work/run-follow.ts'
import type { InboxOptions, PutAwayOptions } from '../work/run-inbox.ts'
import type { McpOptions } from '../work/run-mcp.ts'
import { collect } from '../writing/field-options.ts'
import { addPeopleCommand } from './people-command.ts'
import { addSearchOptions } from './reading-commands.ts'

export function addWorkCommands(program: Command) {
  addInboxCommands(program)
  addPeopleCommand(program, 'triage', 'Decide about the bugs of a triage queue, one after the other, with keys.')
    .argument('[queue]', 'The name of the queue; without it, the queues are listed.')
    .action(async (queue: string | undefined, _options: object, own: Command) => {
      const { runTriage } = await import('../work/run-triage.ts')
      await runForPeople(own, (context) => runTriage(queue, context))
    })
  const follow = addPeopleCommand(program, 'follow', 'Print what happens to bugs, as it happens.')
  addSearchOptions(follow)
    .option('--saved <name>', 'The bugs of a saved search.')
    .option('--since <position>', 'Begin after this event, by its id; 0 is the beginning.')
    .option('--events <number>', 'End after so many events.')
    .option('--json', 'Print each event as a line of JSON.')
    .action(async (words: readonly string[], options: FollowOptions, own: Command) => {
      const { runFollow } = await import('../work/run-follow.ts')
      await runForPeople(own, (context) => runFollow(words, options, context))
    })
  addPeopleCommand(
    program,
    'mcp',
    'Serve the tools of MCP to a program that starts this, on standard input and output.',
  )
    .option('--read-only', 'Only the tools that read.')
    .action(async (options: McpOptions, own: Command) => {
      const { runMcp } = await import('../work/run-mcp.ts')
      const version = program.version() ?? ''
      await runForPeople(own, (context) => runMcp(version, options, context))
    })
  addPeopleCommand(program, 'api', 'Make any call of the REST API, and print its response.')
    .argument('<method>', 'GET, POST, PUT or DELETE.')
    .argument('<path>', 'The path below /rest, such as /bug/1001.')
    .option('-q, --query <name=value>', 'A parameter for the address; may be repeated.', collect)
    .option('--body <file>', 'A file with the body, as JSON; by default standard input.')
    .option('--header <header>', 'A header of the request, such as If-Match; may be repeated.', collect)
    .option('-i, --include', 'Print the status and the headers of the response too.')
    .action(async (method: string, path: string, options: ApiOptions, own: Command) => {
      const { runApi } = await import('../work/run-api.ts')
      await runForPeople(own, (context) => runApi(method, path, options, context))
    })
}

function addInboxCommands(program: Command) {
  const inbox = program.command('inbox').description('What needs you: list it, and put it away.')
  addPeopleCommand(inbox, 'list', 'List the entries; this is what inbox alone does.', { isDefault: true })
    .option('--state <state>', 'The open entries, or those that are done or snoozed.')
    .option('--reason <reason>', 'One of asked, assigned, mentioned, followed, watched and rule.')
    .option('--unread', 'Only unread entries.')
    .option('--limit <number>', 'Most entries to list; 50 by default.')
    .action(async (options: InboxOptions, own: Command) => {
      const { runInboxList } = await import('../work/run-inbox.ts')
      await runForPeople(own, (context) => runInboxList(options, context))
    })
  const STATES = [
    ['done', 'done', 'Put entries away until something new happens.'],
    ['snooze', 'snoozed', 'Put entries away until a time, or until the bug changes.'],
    ['reopen', 'open', 'Bring entries back.'],
  ] as const
  for (const [name, state, description] of STATES) {
    const command = addPeopleCommand(inbox, name, description)
      .argument('[bugs...]', 'Numbers of bugs.')
      .option('--all', 'All open entries.')
    if (state === 'snoozed')
      command.option('--until <time>', 'When they come back: 3h, 2d, 1w, or a day such as 2030-01-31.')
    command.action(async (ids: readonly string[], options: PutAwayOptions, own: Command) => {
      const { runInboxChange } = await import('../work/run-inbox.ts')
      await runForPeople(own, (context) => runInboxChange(state, ids, options, context))
    })
  }
  addPeopleCommand(inbox, 'undo', 'Take back a change of the inbox of the last hour.')
    .argument('<code>', 'What the change has printed.')
    .action(async (code: string, _options: object, own: Command) => {
      const { runInboxUndo } = await import('../work/run-inbox.ts')
      await runForPeople(own, (context) => runInboxUndo(code, context))
    })
}
