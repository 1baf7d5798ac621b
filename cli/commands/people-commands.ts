import type { Command } from 'commander'
import { addAccountCommands } from './account-commands.ts'
import { addReadingCommands } from './reading-commands.ts'
import { addWorkCommands } from './work-commands.ts'
import { addWritingCommands } from './writing-commands.ts'

/** The commands with which people use a server. Each loads its implementation when it runs. */
export function addPeopleCommands(program: Command) {
  program.commandsGroup('For people, with any server:')
  addAccountCommands(program)
  addReadingCommands(program)
  addWritingCommands(program)
  addWorkCommands(program)
  program.commandsGroup('')
}
