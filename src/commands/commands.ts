import type { Command } from 'commander'
import { addArchiveCommands } from './archive-commands.ts'
import { addImportCommand } from './import-command.ts'
import { addServerCommands } from './server-commands.ts'

/** In the order in which the help lists them. */
export const COMMANDS: readonly ((program: Command) => void)[] = [
  addServerCommands,
  addImportCommand,
  addArchiveCommands,
]
