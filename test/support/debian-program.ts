import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aptGet } from './apt-get.ts'

/** A program that an example in the documentation uses. */
export interface DebianProgram {
  name: string
  /** The Debian package of the program. */
  package: string
  /** Arguments with which the program shows that it works. */
  versionOption: string
}

/**
 * The path of a program: the installed one, or the one from its Debian package, which stays unpacked in the folder for temporary files
 * for the next runs. If neither is available, the test prints one line and goes on without it.
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
  const kept = join(tmpdir(), `lacewing-debian-${program.package}`)
  if (!existsSync(kept) && !unpackInto(kept, program.package)) return undefined
  const folders = ['usr/sbin', 'usr/bin', 'bin', 'usr/libexec/docker/cli-plugins']
  return folders.map((place) => join(kept, 'unpacked', place, program.name)).find(existsSync)
}

/** Under another name until it is whole: two runs may do the same. */
function unpackInto(kept: string, name: string): boolean {
  const folder = mkdtempSync(`${kept}-`)
  try {
    if (!download(name, folder) && !(updateLists() && download(name, folder))) return false
    const [archive] = readdirSync(folder).filter((it) => it.endsWith('.deb'))
    execFileSync('dpkg', ['-x', archive as string, 'unpacked'], { cwd: folder })
    if (!existsSync(kept)) renameSync(folder, kept)
    return true
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function download(name: string, folder: string) {
  return aptGet(['download', name], folder)
}

/** A new machine has no lists of packages, and only root may download them. */
function updateLists() {
  return process.getuid?.() === 0 && aptGet(['update'])
}
