import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { startServer } from '../bench/processes.ts'
import { ADMIN_KEY } from '../test/support/archive.ts'
import { runCommand, startCommand } from './command.ts'
import { digestOf } from './import.ts'
import { writeLargeDump } from './large-bugzilla.ts'

/** How much more memory a command may use for five times as many bugs. */
const MOST_MORE_MEGABYTES = 60
const FEW = 1 / 5
/** When it is killed, as parts of the time that the whole import takes: while it reads, and while it writes. */
const KILLS = [0.1, 0.35, 0.15, 0.15, 0.12]
const FAST = ['--rate', '10000']
const KEY = { BUGZILLA_API_KEY: ADMIN_KEY, OLD_KEY_ADMIN: ADMIN_KEY }

/**
 * Reads an installation through its REST API into another one, and compares the two: the same result if the import is
 * killed on the way, and memory that does not grow with the number of bugs.
 */
export async function soakRestImport(bugs: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'lacewing-rest-import-'))
  try {
    const few = await measure(join(folder, 'few'), Math.round(bugs * FEW), false)
    const many = await measure(join(folder, 'many'), bugs, true)
    const growth = { reading: many.reading - few.reading, comparing: many.comparing - few.comparing }
    console.log(
      `rest-import: five times as many bugs: ${growth.reading} MB more to import, ${growth.comparing} MB more to verify`,
    )
    const isGood = many.isSame && Math.max(growth.reading, growth.comparing) <= MOST_MORE_MEGABYTES
    console.log(`rest-import: ${isGood ? 'good' : 'NOT GOOD'}`)
    return isGood
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The most memory of both commands in MB. */
async function measure(folder: string, bugs: number, withKills: boolean) {
  const place = (name: string) => {
    mkdirSync(join(folder, name), { recursive: true })
    return join(folder, name)
  }
  const dump = join(place(''), 'dump.sql')
  await writeLargeDump(dump, bugs)
  const source = place('source')
  await runCommand(['import', 'bugzilla', dump, '--time-zone', 'UTC'], { LACEWING_DATA: source })
  const old = await startServer(source)
  const words = ['import', 'rest', `http://127.0.0.1:${old.port}`, ...FAST]
  const whole = place('whole')
  const read = await runCommand(words, { LACEWING_DATA: whole, ...KEY })
  console.log(`rest-import: ${bugs} bugs in ${read.seconds.toFixed(1)} s, at most ${read.peak} MB`)
  let isSame = true
  if (withKills) {
    const killed = place('killed')
    const kills = await runWithKills(words, { LACEWING_DATA: killed, ...KEY }, read.seconds)
    isSame = digestOf(join(whole, 'lacewing.db')) === digestOf(join(killed, 'lacewing.db'))
    console.log(`rest-import: killed ${kills} times and resumed: ${isSame ? 'the same result' : 'ANOTHER RESULT'}`)
  }
  copyKeys(source, whole)
  const own = await startServer(whole)
  const servers = ['--old', `http://127.0.0.1:${old.port}`, '--new', `http://127.0.0.1:${own.port}`]
  // The REST API does not show everything, so the servers differ.
  const compared = await runCommand(['verify', ...servers, '--as', 'admin'], KEY, [0, 1])
  console.log(`rest-import: verified in ${compared.seconds.toFixed(1)} s, at most ${compared.peak} MB`)
  await old.stop()
  await own.stop()
  return { reading: read.peak, comparing: compared.peak, isSame }
}

/** Runs an import until it is done, and kills it on the way. Returns how often. */
async function runWithKills(words: readonly string[], settings: Record<string, string>, wholeSeconds: number) {
  for (let kills = 0; ; kills++) {
    const { child, ended, output } = startCommand(words, settings)
    const share = KILLS[kills]
    const timer = share === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), 1000 * wholeSeconds * share)
    const code = await ended
    clearTimeout(timer)
    if (code === 0) return kills
    if (code !== null) throw new Error(`The import ended with ${code}: ${output()}`)
  }
}

/** Keys are not in the REST API. */
function copyKeys(source: string, target: string) {
  const db = new DatabaseSync(join(target, 'lacewing.db'))
  db.prepare('attach ? as source').run(join(source, 'lacewing.db'))
  db.exec('insert into api_keys select * from source.api_keys')
  db.close()
}
