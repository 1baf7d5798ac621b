import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { migrate } from '../src/platform/database/migrations/migrate.ts'
import { openDatabase } from '../src/platform/database/open-database.ts'
import { placeOf, SUMMARY_PLACE, wordsIn, wordsInSummary } from '../src/platform/text/words.ts'

const NOT_COMPARED =
  /^(sqlite_|schema_migrations|imports?$|import_notes|installation_secrets|state_versions|consumers)|_(data|idx|content|docsize|config)$|_index$|_trigrams$/

/** The tables whose rows an import makes, without the shadow tables of indexes. */
export function tablesIn(db: DatabaseSync): string[] {
  const rows = db.prepare(`select name from sqlite_schema where type = 'table' order by name`).all()
  return rows.map(({ name }) => String(name)).filter((name) => !NOT_COMPARED.test(name))
}

/** The time that bare prepared statements in one transaction take for the same rows, in a database with the same schema. */
export async function bareInserts(source: string, target: string) {
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
