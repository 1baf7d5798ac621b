import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { aptGetInBackground } from './apt-get.ts'

/** The tests of pages wait for it, also where the network does not answer. */
const LONGEST_MILLISECONDS = 40_000

/**
 * Downloads Debian packages and unpacks them into a folder, without installing them, if `works` says that they can be used there. Where
 * they cannot be had, nothing happens.
 */
export async function unpackInBackground(
  packages: readonly string[],
  folder: string,
  works: (unpacked: string) => boolean,
): Promise<void> {
  // Under another name until it is whole: two runs may do the same.
  const own = mkdtempSync(`${folder}-`)
  const unpacked = join(own, 'unpacked')
  mkdirSync(unpacked)
  try {
    const options = { cwd: own, timeout: LONGEST_MILLISECONDS }
    if (!(await aptGetInBackground(['download', ...packages], options))) return
    for (const archive of readdirSync(own).filter((it) => it.endsWith('.deb')))
      await promisify(execFile)('dpkg', ['-x', archive, unpacked], { cwd: own })
    // Another run may use what works.
    if (!works(unpacked) || works(folder)) return
    rmSync(folder, { recursive: true, force: true })
    renameSync(unpacked, folder)
  } catch {
    // The tests take the Chromium that is installed.
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}
