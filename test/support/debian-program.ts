import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A program that an example in the documentation uses. */
export interface DebianProgram {
  name: string
  /** The Debian package of the program. */
  package: string
  /** Arguments with which the program shows that it works. */
  versionOption: string
}

const LONGEST_DOWNLOAD_MILLISECONDS = 120_000

/**
 * The path of a program: the installed one, or the one from its Debian package, unpacked into the folder of the tests. If neither is
 * available, the test prints one line and goes on without it.
 */
export function findProgram(program: DebianProgram): string | undefined {
  const places = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin'].map((folder) =>
    join(folder, program.name),
  )
  const found = places.find(existsSync) ?? unpacked(program)
  if (found !== undefined && runs(found, program)) return found
  console.log(`NOT CHECKED: ${program.name} is not installed, and its Debian package cannot be downloaded or run here`)
  return undefined
}

function runs(path: string, { versionOption }: DebianProgram) {
  return spawnSync(path, [versionOption], { stdio: 'ignore' }).status === 0
}

function unpacked(program: DebianProgram): string | undefined {
  const folder = join(process.env.LACEWING_TEST_FOLDER ?? tmpdir(), 'debian', program.package)
  mkdirSync(folder, { recursive: true })
  if (!download(program.package, folder) && !(updateLists() && download(program.package, folder))) return undefined
  const [archive] = readdirSync(folder).filter((name) => name.endsWith('.deb'))
  execFileSync('dpkg', ['-x', archive as string, 'unpacked'], { cwd: folder })
  const folders = ['usr/sbin', 'usr/bin', 'usr/libexec/docker/cli-plugins']
  return folders.map((place) => join(folder, 'unpacked', place, program.name)).find(existsSync)
}

function download(name: string, folder: string) {
  const options = { cwd: folder, stdio: 'ignore', timeout: LONGEST_DOWNLOAD_MILLISECONDS } as const
  return spawnSync('apt-get', ['download', name], options).status === 0
}

/** A new machine has no lists of packages, and only root may download them. */
function updateLists() {
  if (process.getuid?.() !== 0) return false
  return spawnSync('apt-get', ['update'], { stdio: 'ignore', timeout: LONGEST_DOWNLOAD_MILLISECONDS }).status === 0
}
