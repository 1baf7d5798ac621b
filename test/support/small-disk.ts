import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A data folder whose disk can be made full. */
export interface SmallDisk {
  folder: string
  /** For `through` of a ServerProcess. */
  through: readonly string[]
  /** Leaves this many bytes free. */
  fill(bytes: number, processId: number): void
  empty(processId: number): void
  close(): void
}

/** A small disk in memory, if this user may mount one. Otherwise a limit on the size of files, which is nearly the same. */
export function smallDisk(): SmallDisk {
  const parent = mkdtempSync(join(tmpdir(), 'lacewing-disk-'))
  const folder = join(parent, 'data')
  mkdirSync(folder)
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder]).status === 0
  return isMounted ? mounted(parent, folder) : limited(parent, folder)
}

function mounted(parent: string, folder: string): SmallDisk {
  const filler = join(folder, 'filler')
  return {
    folder,
    through: [],
    fill(bytes) {
      const { bavail, bsize } = statfsSync(folder)
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - bytes)))
    },
    empty: () => rmSync(filler, { force: true }),
    close() {
      spawnSync('umount', ['--lazy', folder])
      rmSync(parent, { recursive: true, force: true })
    },
  }
}

function limited(parent: string, folder: string): SmallDisk {
  const limit = (processId: number, most: string) => {
    const { status, stderr } = spawnSync('prlimit', [`--pid=${processId}`, `--fsize=${most}:unlimited`])
    if (status !== 0) throw new Error(`No limit could be set: ${stderr}`)
  }
  return {
    folder,
    through: ['sh', '-c', 'trap "" XFSZ; exec "$@"', 'sh'],
    fill: (bytes, processId) => limit(processId, String(statSync(join(folder, 'lacewing.db-wal')).size + bytes)),
    empty: (processId) => limit(processId, 'unlimited'),
    close: () => rmSync(parent, { recursive: true, force: true }),
  }
}
