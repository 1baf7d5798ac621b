import { INDEXED_TEXTS } from '../../bug-fields/indexed-texts.ts'
import type { IntegrityCheck } from './integrity-check.ts'

const COLUMNS = INDEXED_TEXTS.map(({ column }) => column)

/** The index of parts of texts. PostgreSQL has an ordinary index for it, which it maintains itself. */
export const trigrams: IntegrityCheck = {
  name: 'search index of parts of texts',
  async *find({ snapshot }) {
    if (snapshot.engine !== 'sqlite') return
    for (const column of COLUMNS) {
      for await (const rows of snapshot.rows(missingIn(column)))
        for (const { id } of rows)
          yield { sentence: `the ${column} of bug ${id} is not in the index`, subject: Number(id) }
      for await (const rows of snapshot.rows(superfluousIn(column)))
        for (const { id } of rows)
          yield { sentence: `the index has a ${column} of bug ${id}, which has none`, subject: Number(id) }
    }
  },
  async repair(tx, faults) {
    for (const id of new Set(faults.map(({ subject }) => Number(subject)))) {
      for (const column of COLUMNS) await tx.script(`delete from ${column}_trigrams where rowid = ${id}`)
      await tx.script(`insert into due_trigrams (bug_id, ${COLUMNS.join()})
        select id, ${COLUMNS.map(() => 1).join()} from bugs where id = ${id}
        on conflict (bug_id) do update set ${COLUMNS.map((column) => `${column} = 1`).join()}`)
    }
  },
}

function missingIn(column: string) {
  return `select id from bugs where ${column}_key <> ''
    and not exists (select 1 from ${column}_trigrams_docsize d where d.id = bugs.id)
    and not exists (select 1 from due_trigrams where bug_id = bugs.id) order by id`
}

function superfluousIn(column: string) {
  return `select d.id from ${column}_trigrams_docsize d
    where not exists (select 1 from bugs where bugs.id = d.id and ${column}_key <> '')
      and not exists (select 1 from due_trigrams where bug_id = d.id) order by d.id`
}
