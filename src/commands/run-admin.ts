import { randomWord } from '../platform/secrets/secrets.ts'
import {
  endSessions,
  makeAdministrator,
  requireAccount,
  resetFactors,
  setPassword,
} from '../upkeep/administer-accounts.ts'
import type { CommandOutput } from './output.ts'
import { readPassword } from './read-password.ts'
import { withInstallation } from './with-installation.ts'

const GENERATED_LENGTH = 20

export function runMakeAdministrator(login: string, output: CommandOutput) {
  return withInstallation(async (db) => {
    const isNew = await makeAdministrator(db, login)
    output.confirm({ login, is_new: isNew }, `${login} is an administrator ${isNew ? 'now' : 'already'}.`)
  })
}

export function runSetPassword(login: string, isGenerated: boolean, output: CommandOutput) {
  return withInstallation(async (db) => {
    await requireAccount(db, login)
    const password = isGenerated
      ? randomWord(GENERATED_LENGTH)
      : await readPassword('New password: ', 'type it, pass it as the first line of standard input, or add --generate')
    await setPassword(db, login, password)
    const sentence = `The password of ${login} is set, and its sessions are ended.`
    if (isGenerated) output.print({ login, password }, `${sentence}\nPassword: ${password}`)
    else output.confirm({ login }, sentence)
  })
}

export function runResetFactors(login: string, output: CommandOutput) {
  return withInstallation(async (db) => {
    const count = await resetFactors(db, login)
    output.confirm(
      { login, removed: count },
      `Removed ${count} second ${count === 1 ? 'factor' : 'factors'} of ${login}, and ended its sessions.`,
    )
  })
}

export function runEndSessions(login: string | undefined, output: CommandOutput) {
  return withInstallation(async (db) => {
    const count = await endSessions(db, login)
    output.confirm(
      { login: login ?? null, ended: count },
      `Ended ${count} ${count === 1 ? 'session' : 'sessions'} of ${login ?? 'all accounts'}.`,
    )
  })
}
