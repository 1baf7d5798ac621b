import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mysqlDump, oldHash, type SourceDatabase, type SourceTable } from '../test/support/bugzilla-dump.ts'
import { smallBugzilla } from '../test/support/small-bugzilla.ts'

const USERS = 2000
const COMMENTS_PER_BUG = 5
const CHANGES_PER_BUG = 6
/** One bug in ten has an attachment of this size. */
const ATTACHMENT_BYTES = 12_000
/** The number of the first bug. */
export const FIRST_BUG = 1000
const WORDS =
  'lamp wire bulb switch socket fuse cable light dark flicker hum spark cold warm shade glass metal screw ring base cord plug power short circuit burns breaks shines glows fails works sometimes always never after before while during'.split(
    ' ',
  )

/** Writes a dump with this many bugs, as mariadb-dump does, without keeping it in memory. About 1 GB for 200,000. */
export async function writeLargeDump(file: string, bugs: number) {
  const output = createWriteStream(file)
  const write = async (text: string) => {
    if (!output.write(text)) await once(output, 'drain')
  }
  const small = smallBugzilla()
  const catalogue = mysqlDump(withUsers(small)).toString('latin1').split('/*!40111 SET SQL_NOTES=@OLD')[0] ?? ''
  if (!output.write(Buffer.from(catalogue, 'latin1'))) await once(output, 'drain')
  const random = randomFrom(1)
  const columns = (small.get('bugs') as SourceTable).columns
  const rows: Record<string, string[]> = {}
  const add = async (table: string, row: string) => {
    rows[table] ??= []
    const waiting = rows[table]
    waiting.push(row)
    if (waiting.length >= 500) await flush(table)
  }
  const flush = async (table: string) => {
    const waiting = rows[table] ?? []
    if (waiting.length > 0) await write(`INSERT INTO \`${table}\` VALUES ${waiting.join(',')};\n`)
    rows[table] = []
  }
  const text = (words: number) => Array.from({ length: words }, () => WORDS[random(WORDS.length)]).join(' ')
  const user = () => 100 + random(USERS)
  for (let bug = FIRST_BUG; bug < FIRST_BUG + bugs; bug++) {
    const at = (step: number) =>
      `2015-0${1 + (bug % 9)}-1${step % 10} 10:${String(step % 60).padStart(2, '0')}:${String(bug % 60).padStart(2, '0')}`
    const values: Record<string, string> = {
      bug_id: String(bug),
      assigned_to: String(user()),
      reporter: String(user()),
      bug_severity: "'normal'",
      bug_status: "'CONFIRMED'",
      creation_ts: `'${at(0)}'`,
      delta_ts: `'${at(9)}'`,
      short_desc: `'${text(8)}'`,
      op_sys: "'All'",
      rep_platform: "'All'",
      priority: bug % 2 === 0 ? "'High'" : "'Low'",
      product_id: '3',
      component_id: '7',
      version: "'1.0'",
      target_milestone: "'---'",
      everconfirmed: '1',
      reporter_accessible: '1',
      cclist_accessible: '1',
      estimated_time: '0.00',
      remaining_time: '0.00',
      cf_count: String(bug % 5),
      cf_pick: "'---'",
    }
    await add(
      'bugs',
      `(${columns.map(([name, type]) => values[name] ?? (type === 'mediumtext' ? "''" : 'NULL')).join(',')})`,
    )
    for (let step = 0; step < COMMENTS_PER_BUG; step++)
      await add(
        'longdescs',
        `(${bug * 10 + step},${bug},${user()},'${at(step)}',0.00,'${text(60 + random(80))}.\\nSee bug ${FIRST_BUG + random(bugs)}, it\\'s alike.',${step === 4 ? 1 : 0},0,0,NULL)`,
      )
    for (let step = 0; step < CHANGES_PER_BUG; step++)
      await add(
        'bugs_activity',
        `(${bug * 10 + step},${bug},NULL,${user()},'${at(step)}',${step % 2 === 0 ? 9 : 14},'${step % 2 === 0 ? 'CONFIRMED' : 'High'}','${step % 2 === 0 ? 'UNCONFIRMED' : 'Low'}',NULL)`,
      )
    for (const who of new Set([user(), user()])) await add('cc', `(${bug},${who})`)
    await add('keywords', `(${bug},2)`)
    if (bug % 10 === 0) {
      await add(
        'attachments',
        `(${bug},${bug},'${at(1)}','${at(1)}','${text(3)}','text/plain',0,'f.txt',${user()},0,0)`,
      )
      await add('attach_data', `(${bug},0x${Buffer.from(`${bug} ${'x'.repeat(ATTACHMENT_BYTES)}`).toString('hex')})`)
    }
  }
  for (const table of Object.keys(rows)) await flush(table)
  await write('/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;\n-- Dump completed on 2026-01-01  0:00:00\n')
  output.end()
  await once(output, 'finish')
}

function withUsers(database: SourceDatabase): SourceDatabase {
  const profiles = database.get('profiles') as SourceTable
  for (let id = 100; id < 100 + USERS; id++)
    profiles.rows.push([
      id,
      `user${id}@example.com`,
      oldHash('password1', `salt${id}`),
      `User ${id}`,
      '',
      0,
      1,
      null,
      null,
      '',
    ])
  return database
}

/** The same numbers in each run. */
function randomFrom(start: number) {
  let seed = start
  return (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
}
