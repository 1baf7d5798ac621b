import { CREDENTIAL_KINDS } from '../people/credentials/credential-kinds.ts'
import type { EndedCredentials } from '../people/credentials/end-credentials.ts'
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

interface PasswordOptions {
  generate?: boolean
  endAll?: boolean
}

export function runSetPassword(login: string, options: PasswordOptions, output: CommandOutput) {
  const isGenerated = options.generate === true
  return withInstallation(async (db) => {
    await requireAccount(db, login)
    const password = isGenerated
      ? randomWord(GENERATED_LENGTH)
      : await readPassword('New password: ', 'type it, pass it as the first line of standard input, or add --generate')
    const isAll = options.endAll === true
    const { ended, left } = await setPassword(db, login, password, isAll)
    const sentences = [`The password of ${login} is set, and its sessions are ended.`]
    if (Object.keys(ended).length > 0) sentences.push(`Also ended: ${inWords(ended)}.`)
    if (Object.keys(left).length > 0) sentences.push(`Not ended: ${inWords(left)}.`, ...howToEnd(login, left, isAll))
    if (isGenerated) output.print({ login, password, ended, left }, [...sentences, `Password: ${password}`].join('\n'))
    else output.confirm({ login, ended, left }, sentences.join('\n'))
  })
}

const titles = new Map<string, string>(Object.entries(CREDENTIAL_KINDS).map(([kind, { title }]) => [kind, title]))

function inWords(counts: EndedCredentials) {
  return Object.entries(counts)
    .map(([kind, count]) => `${titles.get(kind)} (${count})`)
    .join(', ')
}

/** What else the operator can do about what still acts for the user. */
function howToEnd(login: string, { passkey, totp, ...others }: EndedCredentials, isAll: boolean): string[] {
  return [
    ...(Object.keys(others).length > 0 && !isAll ? ['To end all but second factors, add --end-all.'] : []),
    ...(passkey || totp ? [`To remove second factors, also passkeys: lacewing admin reset-factors ${login}`] : []),
  ]
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
