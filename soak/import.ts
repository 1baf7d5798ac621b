import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { bareInserts, tablesIn } from './bare-inserts.ts'
import { runCommand } from './command.ts'
import { importWithKills } from './import-kills.ts'
import { FIRST_BUG, writeLargeDump } from './large-bugzilla.ts'

const MOST_MEGABYTES = 400
const LEAST_RATIO = 0.4

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
    mkdirSync(whole)
    const { seconds, processor, peak, output } = await runCommand(importOf(dump), { LACEWING_DATA: whole })
    console.log(output.replace(/^/gm, '  '))
    console.log(
      `import: ${seconds.toFixed(1)} s, ${Math.round(bugs / seconds)} bugs/s, ${processor.toFixed(1)} s of processor time, at most ${peak} MB of memory`,
    )
    const bare = await bareInserts(join(whole, 'lacewing.db'), join(folder, 'bare.db'))
    const ratio = bare.seconds / seconds
    console.log(
      `import: the same ${bare.rows} rows, inserted by bare prepared statements in one transaction into the same tables, with the same indexes, triggers, foreign keys and word indexes, and with words that are split already: ${bare.seconds.toFixed(1)} s and ${bare.processor.toFixed(1)} s of processor time`,
    )
    // On a busy machine only the second one says something; the import uses two processors.
    console.log(
      `import: ratio ${ratio.toFixed(2)} of the times, ${(bare.processor / processor).toFixed(2)} of the processor times`,
    )
    const killed = join(folder, 'killed')
    mkdirSync(killed)
    const source = { file: dump, firstBug: FIRST_BUG, bugs }
    const { kills, missed } = await importWithKills(killed, importOf(dump), source)
    const isSame = digestOf(join(whole, 'lacewing.db')) === digestOf(join(killed, 'lacewing.db'))
    console.log(`import: killed ${kills} times and resumed: ${isSame ? 'the same result' : 'ANOTHER RESULT'}`)
    const isGood = peak < MOST_MEGABYTES && ratio >= LEAST_RATIO && isSame && missed === 0
    console.log(`import: ${isGood ? 'good' : 'NOT GOOD'}`)
    return isGood
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function megabytes(bytes: number) {
  return Math.round(bytes / 1_000_000)
}

function importOf(dump: string) {
  return ['import', 'bugzilla', dump, '--time-zone', 'UTC']
}

/** All rows, without the times of the import itself. */
export function digestOf(file: string): string {
  const db = new DatabaseSync(file, { readOnly: true })
  const hash = createHash('sha256')
  for (const table of tablesIn(db))
    for (const row of db.prepare(`select * from "${table}" order by 1, 2`).iterate())
      hash.update(JSON.stringify(row).replaceAll(/202[6-9]-\d\d-\d\dT[\d:]+Z/g, ''))
  db.close()
  return hash.digest('hex')
}
