import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WrongSetting } from '../platform/config/config.ts'

/** The credentials of the first administrator that were generated because the configuration does not set them. */
export interface GeneratedLogin {
  login?: string
  password?: string
  apiKey?: string
  /** For the page /setup; not generated if the configuration sets one of the others. */
  setupCode?: string
}

/** One line per generated credential. */
export function linesOf({ login, password, apiKey, setupCode }: GeneratedLogin): string[] {
  return [
    login && `  login     ${login}`,
    password && `  password  ${password}`,
    apiKey && `  API key   ${apiKey}`,
    setupCode && `  set-up    ${setupCode}  (the code for the page /setup)`,
  ].filter((line) => line !== undefined)
}

/**
 * Without a terminal, output goes to logs that others may read. So the credentials go to a file that only the user of
 * the server can read.
 */
export function saveLogin(folder: string, generated: GeneratedLogin): string | undefined {
  const lines = linesOf(generated)
  if (lines.length === 0) return undefined
  const file = join(folder, 'first-login.txt')
  try {
    // Left over from an earlier first start that failed.
    rmSync(file, { force: true })
    writeFileSync(file, `${HEADING}\n${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  } catch (fault) {
    throw new WrongSetting(`The credentials of the administrator cannot be written: ${(fault as Error).message}.`)
  }
  return file
}

const HEADING =
  'The administrator of this server. Save these credentials, then delete this file: they are kept nowhere else.'
