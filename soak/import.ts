import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { migrate } from '../src/platform/database/migrations/migrate.ts'
import { openDatabase } from '../src/platform/database/open-database.ts'
import { placeOf, SUMMARY_PLACE, wordsIn, wordsInSummary } from '../src/platform/text/words.ts'
import { writeLargeDump } from './large-bugzilla.ts'

const COMMAND = fileURLToPath(new URL('../src/lacewing.ts', import.meta.url))
/** As bin/lacewing.mjs starts it. */
const NODE = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=16', '--heap-growing-percent=50']
const MALLOC = { MALLOC_MMAP_THRESHOLD_: '1048576', MALLOC_TRIM_THRESHOLD_: '8388608' }
const MOST_MEGABYTES = 400
const LEAST_RATIO = 0.4
/** When it is killed, as parts of the time that the whole import takes: while it reads, and while it writes. */
const KILLS = [0.1, 0.35, 0.15, 0.15, 0.12]

/**
 * Imports a large dump on SQLite: its memory, its rate against the same rows inserted by bare prepared statements, and
 * the same result if it is killed on the way.
 */
export async function soakImport(bugs: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'lacewing-import-'))
  try {
    const dump = join(folder, 'dump.sql')
    await writeLargeDump(dump, bugs)
    console.log(`import: a dump of ${bugs} bugs, ${megabytes(statSync(dump).size)} MB`)
    const whole = join(folder, 'whole')
    const { seconds, processor, peak } = await runImport(whole, dump)
    console.log(
      `import: ${seconds.toFixed(1)} s, ${Math.round(bugs / seconds)} bugs/s, ${processor.toFixed(1)} s of processor time, at most ${peak} MB of memory`,
    )
    const bare = await bareInserts(join(whole, 'lacewing.db'), join(folder, 'bare.db'))
    const ratio = bare.seconds / seconds
    console.log(
      `import: bare statements insert the ${bare.rows} rows in ${bare.seconds.toFixed(1)} s: ratio ${ratio.toFixed(2)}`,
    )
    // On a busy machine only this one says something.
    console.log(
      `import: they take ${bare.processor.toFixed(1)} s of processor time: ratio ${(bare.processor / processor).toFixed(2)}`,
    )
    const killed = join(folder, 'killed')
    const kills = await importWithKills(killed, dump, seconds)
    const isSame = digestOf(join(whole, 'lacewing.db')) === digestOf(join(killed, 'lacewing.db'))
    console.log(`import: killed ${kills} times and resumed: ${isSame ? 'the same result' : 'ANOTHER RESULT'}`)
    const isGood = peak < MOST_MEGABYTES && ratio >= LEAST_RATIO && isSame
    console.log(`import: ${isGood ? 'good' : 'NOT GOOD'}`)
    return isGood
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function megabytes(bytes: number) {
  return Math.round(bytes / 1_000_000)
}

function startImport(folder: string, dump: string) {
  mkdirSync(folder, { recursive: true })
  const child = spawn(process.execPath, [...NODE, COMMAND, 'import', 'bugzilla', dump, '--time-zone', 'UTC'], {
    env: { ...process.env, ...MALLOC, LACEWING_DATA: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, ended, output: () => output }
}

async function runImport(folder: string, dump: string) {
  const started = performance.now()
  const { child, ended, output } = startImport(folder, dump)
  let peak = 0
  let processor = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid as number))
    processor = Math.max(processor, processorOf(child.pid as number))
  }, 100)
  const code = await ended
  clearInterval(watch)
  if (code !== 0) throw new Error(`The import ended with ${code}: ${output()}`)
  console.log(output().trim().replace(/^/gm, '  '))
  return { seconds: (performance.now() - started) / 1000, processor, peak }
}

/** The largest resident memory so far, in MB; 0 if the process has ended. */
function peakOf(pid: number): number {
  try {
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000)
  } catch {
    return 0
  }
}

/** Seconds of processor time so far; 0 if the process has ended. */
function processorOf(pid: number): number {
  try {
    const [user = 0, system = 0] =
      readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? []
    return (user + system) / 100
  } catch {
    return 0
  }
}

async function importWithKills(folder: string, dump: string, wholeSeconds: number): Promise<number> {
  let kills = 0
  for (;;) {
    const { child, ended, output } = startImport(folder, dump)
    const share = KILLS[kills]
    const timer = share === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), 1000 * wholeSeconds * share)
    const code = await ended
    clearTimeout(timer)
    if (code === 0) return kills
    if (code !== null) throw new Error(`The import ended with ${code}: ${output()}`)
    kills++
  }
}

const NOT_COMPARED =
  /^(sqlite_|schema_migrations|imports?$|import_notes|installation_secrets|state_versions|consumers)|_(data|idx|content|docsize|config)$|_index$|_trigrams$/

function tablesIn(db: DatabaseSync): string[] {
  const rows = db.prepare(`select name from sqlite_schema where type = 'table' order by name`).all()
  return rows.map(({ name }) => String(name)).filter((name) => !NOT_COMPARED.test(name))
}

/** All rows, without the times of the import itself. */
function digestOf(file: string): string {
  const db = new DatabaseSync(file, { readOnly: true })
  const hash = createHash('sha256')
  for (const table of tablesIn(db))
    for (const row of db.prepare(`select * from "${table}" order by 1, 2`).iterate())
      hash.update(JSON.stringify(row).replaceAll(/202[6-9]-\d\d-\d\dT[\d:]+Z/g, ''))
  db.close()
  return hash.digest('hex')
}

/** The time that bare prepared statements in one transaction take for the same rows, in a database with the same schema. */
async function bareInserts(source: string, target: string) {
  const made = openDatabase(target)
  await migrate(made)
  await made.close()
  const from = new DatabaseSync(source, { readOnly: true })
  const to = new DatabaseSync(target)
  to.exec(
    'pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -16000; pragma foreign_keys = on; begin; pragma defer_foreign_keys = on',
  )
  let [milliseconds, processor, rows] = [0, 0, 0]
  const timed = (work: () => void) => {
    const [started, used] = [performance.now(), process.cpuUsage()]
    work()
    milliseconds += performance.now() - started
    const { user, system } = process.cpuUsage(used)
    processor += (user + system) / 1_000_000
  }
  const insert = (sql: string, batch: SQLInputValue[][]) => {
    const statement = to.prepare(sql)
    timed(() => {
      for (const row of batch) statement.run(...row)
    })
    rows += batch.length
  }
  for (const table of tablesIn(from)) {
    const select = from.prepare(`select * from "${table}"`)
    const columns = select.columns().map(({ name }) => `"${name}"`)
    const sql = `insert into "${table}" (${columns.join()}) values (${columns.map(() => '?').join()})`
    for (const batch of inBatches(select.iterate()))
      insert(
        sql,
        batch.map((row) => Object.values(row)),
      )
  }
  const kept = (words: readonly string[]) => ` ${words.join(' ')} `
  for (const batch of inBatches(from.prepare('select id, summary from bugs').iterate()))
    insert(
      'insert into bug_words_index (rowid, words) values (?, ?)',
      batch.map((row) => [placeOf(Number(row.id), SUMMARY_PLACE), kept(wordsInSummary(String(row.summary)))]),
    )
  for (const isPrivate of [0, 1])
    for (const batch of inBatches(
      from.prepare('select bug_id, number, text from comments where is_private = ?').iterate(isPrivate),
    ))
      insert(
        `insert into ${isPrivate === 1 ? 'private' : 'bug'}_words_index (rowid, words) values (?, ?)`,
        batch.map((row) => [placeOf(Number(row.bug_id), Number(row.number)), kept(wordsIn(String(row.text)))]),
      )
  timed(() => to.exec('commit'))
  to.close()
  from.close()
  return { seconds: milliseconds / 1000, processor, rows }
}

function* inBatches(rows: Iterable<Record<string, SQLInputValue>>): Iterable<Record<string, SQLInputValue>[]> {
  let batch: Record<string, SQLInputValue>[] = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length < 5000) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
