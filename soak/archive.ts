import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { makeBugs } from '../bench/bug-set.ts'
import { exportArchive } from '../src/moving/archive/export-archive.ts'
import { importArchive } from '../src/moving/archive/import-archive.ts'
import { tarEntries } from '../src/moving/archive/tar.ts'
import { type Config, readConfig } from '../src/platform/config/config.ts'
import { ProgressReporter } from '../src/platform/progress.ts'
import { openDatabaseOf } from '../src/prepare.ts'
import { checkInstallation } from '../src/upkeep/check/check-installation.ts'
import { startPostgres } from '../test/support/postgres.ts'

const MOST_MEGABYTES = 400

/**
 * Exports an installation of many bugs from SQLite, imports it on PostgreSQL, exports that, and imports it on SQLite
 * again: all archives must be equal after the manifest, and the process must stay small.
 */
export async function soakArchive(bugs: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'lacewing-soak-archive-'))
  const postgres = await startPostgres()
  try {
    const source = join(folder, 'source')
    mkdirSync(source)
    await makeBugs(source, bugs)
    const configs = [
      readConfig({ LACEWING_DATA: source }),
      readConfig({ LACEWING_DATA: join(folder, 'there'), LACEWING_DATABASE_URL: `${postgres.url}/postgres` }),
      readConfig({ LACEWING_DATA: join(folder, 'back') }),
    ]
    await repair(configs[0] as Config)
    return await goRound(folder, configs)
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function goRound(folder: string, configs: readonly Config[]): Promise<boolean> {
  const progress = new ProgressReporter()
  const sums: string[] = []
  const memory = watchMemory()
  for (const [index, config] of configs.entries()) {
    const file = join(folder, `${index}.tar.gz`)
    if (index > 0) await importInto(config, join(folder, `${index - 1}.tar.gz`), progress)
    // The contents of these attachments were never stored.
    await exportArchive(config, file, { attachmentsByReference: true }, progress)
    sums.push(await sumAfterManifest(file))
    console.log(`${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB, ${sums.at(-1)?.slice(0, 16)}`)
  }
  const megabytes = memory.end()
  const areEqual = new Set(sums).size === 1
  console.log(
    `archives ${areEqual ? 'are equal' : 'DIFFER'} after the manifest; at most ${megabytes.toFixed(0)} MB of memory`,
  )
  return areEqual && megabytes < MOST_MEGABYTES
}

/** The bugs were made without the records of their contents. */
async function repair(config: Config) {
  const db = await openDatabaseOf(config)
  await checkInstallation(db, config, { repair: true, withContents: false }, new ProgressReporter())
  await db.close()
}

async function importInto(config: Config, file: string, progress: ProgressReporter) {
  const db = await openDatabaseOf(config)
  try {
    await importArchive(db, config, file, { discardWaiting: false }, progress)
    for (const { name, count } of await checkInstallation(db, config, { repair: false, withContents: false }, progress))
      if (count > 0) throw new Error(`${count} faults in the check of ${name}`)
  } finally {
    await db.close()
  }
}

async function sumAfterManifest(file: string) {
  const hash = createHash('sha256')
  let isManifest = true
  for await (const entry of tarEntries(createReadStream(file).pipe(createGunzip()))) {
    if (!isManifest) hash.update(`${entry.name} ${entry.size}\n`)
    for await (const chunk of entry.chunks()) if (!isManifest) hash.update(chunk)
    isManifest = false
  }
  return hash.digest('hex')
}

function watchMemory() {
  let most = 0
  const look = () => {
    most = Math.max(most, process.memoryUsage.rss())
  }
  const timer = setInterval(look, 100)
  return {
    end() {
      clearInterval(timer)
      look()
      return most / 1e6
    },
  }
}
