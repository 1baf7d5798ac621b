import { readFileSync, statSync } from 'node:fs'

/** `LACEWING_SMTP_URL_FILE` names a file with the value of `LACEWING_SMTP_URL`: secrets in files do not appear among the variables of a process. */
export const FILE_SUFFIX = '_FILE'

const LARGEST_BYTES = 64 * 1024

/** The text of a file without the end of its last line, or why it cannot be read. */
export function readSettingFile(file: string): { text: string } | { fault: string } {
  try {
    const found = statSync(file)
    // Settings are read more than once, which a pipe does not allow.
    if (!found.isFile()) return { fault: 'which is not a file' }
    if (found.size > LARGEST_BYTES) return { fault: `which is larger than ${LARGEST_BYTES / 1024} KiB` }
    return { text: readFileSync(file, 'utf8').replace(/\r?\n$/, '') }
  } catch (fault) {
    const { code = '' } = fault as NodeJS.ErrnoException
    return { fault: `which ${REASONS.get(code) ?? `cannot be read (${code})`}` }
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'does not exist'],
  ['ENOTDIR', 'does not exist'],
  ['EACCES', 'this user may not read'],
])
