import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { makeBugs } from '../bench/bug-set.ts'
import { startServer } from '../bench/processes.ts'
import { makePast } from '../demo/past.ts'
import { tarEntries } from '../src/moving/archive/tar.ts'
import { readConfig } from '../src/platform/config/config.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { runCommand } from './command.ts'

const MOST_MEGABYTES = 400

type Settings = Record<string, string>

/**
 * Exports the company of the demo, and an installation of many bugs, from SQLite; imports each on PostgreSQL, exports
 * that, and imports it on SQLite again: all archives must be equal after the manifest, and each command must stay small.
 */
export async function soakArchive(bugs: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'lacewing-soak-archive-'))
  const postgres = await startPostgres()
  try {
    const [demo, large] = ['demo', 'large'].map((name) => join(folder, name, 'source')) as [string, string]
    await makeDemo(demo)
    mkdirSync(large, { recursive: true })
    await makeBugs(large, bugs)
    // These bugs were made without the records of their contents, which were never stored.
    await runCommand(['check', '--repair', '--without-contents'], { LACEWING_DATA: large }).catch(() => undefined)
    const isDemoEqual = await goRound(join(folder, 'demo'), await newDatabase(postgres.url, 'demo'), [])
    const isLargeEqual = await goRound(join(folder, 'large'), await newDatabase(postgres.url, 'large'), [
      '--attachments-by-reference',
    ])
    return isDemoEqual && isLargeEqual
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function newDatabase(server: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: `${server}/postgres` })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return `${server}/${name}`
}

async function makeDemo(folder: string) {
  mkdirSync(folder, { recursive: true })
  const config = readConfig({
    LACEWING_DATA: folder,
    LACEWING_ADMIN_LOGIN: 'admin@example.com',
    LACEWING_ADMIN_PASSWORD: 'a password of the demo',
    LACEWING_ADMIN_API_KEY: 'a-key-of-the-demo',
  })
  await makePast(config, () => false)
  // Its first start makes the secrets of the installation.
  const server = await startServer(folder)
  await server.stop()
}

/** From SQLite to PostgreSQL and back, each command in a process of its own. */
async function goRound(folder: string, databaseUrl: string, options: readonly string[]): Promise<boolean> {
  const installations: Settings[] = [
    { LACEWING_DATA: join(folder, 'source') },
    { LACEWING_DATA: join(folder, 'there'), LACEWING_DATABASE_URL: databaseUrl },
    { LACEWING_DATA: join(folder, 'back') },
  ]
  const sums = new Set<string>()
  let most = 0
  const run = async (words: string[], settings: Settings) => {
    const { seconds, peak } = await runCommand(words, settings)
    most = Math.max(most, peak)
    console.log(`archive: ${words[0]}: ${seconds.toFixed(1)} s, at most ${peak} MB`)
  }
  for (const [index, settings] of installations.entries()) {
    const file = join(folder, `${index}.tar.gz`)
    if (index > 0) {
      await run(['import', join(folder, `${index - 1}.tar.gz`)], settings)
      await run(['check', ...(options.length > 0 ? ['--without-contents'] : [])], settings)
    }
    await run(['export', file, ...options], settings)
    const sum = await sumAfterManifest(file)
    sums.add(sum)
    console.log(`${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB, ${sum.slice(0, 16)}`)
  }
  const areEqual = sums.size === 1
  console.log(`archives ${areEqual ? 'are equal' : 'DIFFER'} after the manifest; at most ${most} MB of memory`)
  return areEqual && most < MOST_MEGABYTES
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
