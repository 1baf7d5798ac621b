import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WrongSetting } from '../platform/config/config.ts'

/** The credentials of the first administrator that were generated because they were not given. */
export interface GeneratedLogin {
  login?: string
  password?: string
  apiKey?: string
}

/** One line each; none when everything was given. */
export function linesOf({ login, password, apiKey }: GeneratedLogin): string[] {
  return [
    login && `  login     ${login}`,
    password && `  password  ${password}`,
    apiKey && `  API key   ${apiKey}`,
  ].filter((line) => line !== undefined)
}

/** Output of a server that has no terminal is kept in logs that others read. Its credentials go to a file that only its user can read. */
export function saveLogin(folder: string, generated: GeneratedLogin): string | undefined {
  const lines = linesOf(generated)
  if (lines.length === 0) return undefined
  const file = join(folder, 'first-login.txt')
  try {
    // Of an earlier first start that did not come to its end.
    rmSync(file, { force: true })
    writeFileSync(file, `${HEADING}\n${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  } catch (fault) {
    throw new WrongSetting(`The credentials of the administrator cannot be written: ${(fault as Error).message}.`)
  }
  return file
}

const HEADING =
  'The administrator of this server. Save these credentials, then delete this file: they are kept nowhere else.'
