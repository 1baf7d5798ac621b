import type { Command } from 'commander'
import { addAdminCommands } from './admin-commands.ts'
import { addArchiveCommands } from './archive-commands.ts'
import { addCodeCommands } from './code-commands.ts'
import { addCompletionCommand } from './completion-command.ts'
import { addImportCommand } from './import-command.ts'
import { addMailCommands } from './mail-commands.ts'
import { addServerCommands } from './server-commands.ts'
import { addUpkeepCommands } from './upkeep-commands.ts'
import { addVerifyCommand } from './verify-command.ts'

/** In the order in which the help lists them. */
export const COMMANDS: readonly ((program: Command) => void)[] = [
  addServerCommands,
  addImportCommand,
  addVerifyCommand,
  addArchiveCommands,
  addUpkeepCommands,
  addMailCommands,
  addCodeCommands,
  addAdminCommands,
  addCompletionCommand,
]
