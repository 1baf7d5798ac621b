import { DatabaseSync } from 'node:sqlite'
import { placeOf, SUMMARY_PLACE } from '../src/platform/text/words.ts'

/**
 * The baseline for calls that write: the same rows with prepared statements, one durable transaction after another, and
 * nothing else.
 */
process.on('message', ({ file, kind, most, milliseconds }: Order) => {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: true })
  database.exec('pragma busy_timeout = 5000; pragma synchronous = full; pragma cache_size = -16000')
  const write = kind === 'create' ? creating(database) : updating(database, most)
  const began = process.cpuUsage()
  const started = performance.now()
  let requests = 0
  while (performance.now() - started < milliseconds) {
    database.exec('begin immediate')
    write(++requests)
    database.exec('commit')
  }
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(began)
  database.close()
  process.send?.({ requests, seconds, processorSeconds: (user + system) / 1e6 })
})

export interface Order {
  file: string
  kind: 'create' | 'update'
  most: number
  milliseconds: number
}

function creating(database: DatabaseSync) {
  const sample = database.prepare('select * from bugs where id = 1').get() as Record<string, string | number | null>
  const { id: _, revision: __, actual_hundredths: ___, ...bug } = sample
  const columns = Object.keys(bug)
  const insertBug = database.prepare(
    `insert into bugs (${columns.join()}) values (${columns.map(() => '?').join()}) returning id`,
  )
  const { comment, words, event } = both(database)
  return (number: number) => {
    const texts = { summary: `Bug number ${number}`, summary_key: `bug number ${number}` }
    const { id } = insertBug.get(...Object.values({ ...bug, ...texts })) as { id: number }
    words.run(placeOf(id, SUMMARY_PLACE), ` bug number ${number} §bug §number §${number} `)
    comment.run(id, 0, 1, AT, `Described in a sentence that has number ${number}`)
    words.run(placeOf(id, 0), ` describ in a sentenc that has number ${number} `)
    event.run('bug.create', id, 1, AT, '{"flags":[]}')
  }
}

function updating(database: DatabaseSync, most: number) {
  const state = database.prepare('select * from bugs where id = ?')
  const next = database.prepare('select max(number) + 1 as number from comments where bug_id = ?')
  const update = database.prepare(
    'update bugs set whiteboard = ?, whiteboard_key = ?, changed_at = ?, revision = revision + 1 where id = ?',
  )
  const change = database.prepare(
    'insert into bug_changes (bug_id, user_id, at, field, removed, added) values (?, ?, ?, ?, ?, ?)',
  )
  const { comment, words, event } = both(database)
  return (number: number) => {
    const id = 1 + Math.floor(Math.random() * most)
    const before = state.get(id) as { whiteboard: string }
    const added = `written by ${number}`
    update.run(added, added, AT, id)
    const place = next.get(id)?.number as number
    comment.run(id, place, 1, AT, `Said with ${number}`)
    words.run(placeOf(id, place), ` said with ${number} `)
    change.run(id, 1, AT, 'whiteboard', before.whiteboard, added)
    event.run('bug.update', id, 1, AT, JSON.stringify({ whiteboard: { removed: before.whiteboard, added } }))
  }
}

function both(database: DatabaseSync) {
  return {
    comment: database.prepare('insert into comments (bug_id, number, user_id, at, text) values (?, ?, ?, ?, ?)'),
    words: database.prepare('insert into bug_words (place, words, replaces) values (?, ?, 0)'),
    event: database.prepare('insert into outbox (kind, bug_id, user_id, at, facts) values (?, ?, ?, ?, ?)'),
  }
}

const AT = '2030-01-01T00:00:00Z'
