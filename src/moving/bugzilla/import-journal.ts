import type { ConfigurationTransaction, Db } from '../../platform/database/db.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { type ImportCounts, RowTally } from './row-tally.ts'

/** What the command was given, for an import that goes on without it. */
export interface BegunWith {
  readonly timeZone?: string | undefined
  readonly paramsFile?: string | undefined
  readonly attachmentsFolder?: string | undefined
}

interface State {
  begunWith?: BegunWith
  /** How far each step is; `done` if it is finished. */
  positions: Record<string, number | 'done'>
  counts: Record<string, ImportCounts>
  /** Statements that build the indexes which were dropped for the import. */
  indexes?: string[]
}

const KIND = 'bugzilla'

const unfinished = statement<object>()((q) =>
  q.selectFrom('imports').select(['id', 'kind', 'source', 'begun_at', 'state']).where('finished_at', 'is', null),
)
const insert = statement<{ source: string; at: string; state: string }>()((q, p) =>
  q
    .insertInto('imports')
    .values({ kind: KIND, source: p.source, begun_at: p.at, finished_at: null, state: p.state })
    .returning('id'),
)
const save = statement<{ id: number; state: string }>()((q, p) =>
  q.updateTable('imports').set({ state: p.state }).where('id', '=', p.id),
)
const end = statement<{ id: number; at: string }>()((q, p) =>
  q.updateTable('imports').set({ finished_at: p.at }).where('id', '=', p.id),
)
const notesOf = statement<{ id: number; after: number }>()((q, p) =>
  q
    .selectFrom('import_notes')
    .select(['id', 'source_table', 'source_key', 'note', 'source_row'])
    .where('import_id', '=', p.id)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(1000),
)
const removeNotes = statement<{ id: number }>()((q, p) => q.deleteFrom('import_notes').where('import_id', '=', p.id))

/**
 * How far the import is, what became of the rows, and the lines of the report. It is written in the same transaction as
 * each part, so that an import that was broken off continues without doubles.
 */
export class ImportJournal extends RowTally {
  readonly source: string
  private readonly db: Db
  private readonly id: number
  private readonly state: State

  private constructor(db: Db, row: { id: number; source: string; begun_at: string; state: string }) {
    const state: State = JSON.parse(row.state)
    super(row.begun_at, state.counts)
    this.db = db
    this.id = row.id
    this.source = row.source
    this.state = state
  }

  /** The import that was broken off; undefined if there is none. */
  static async find(db: Db): Promise<ImportJournal | undefined> {
    const row = await db.first(unfinished, {})
    return row === undefined ? undefined : new ImportJournal(db, row)
  }

  static async begin(db: Db, source: string, begunWith: BegunWith): Promise<ImportJournal> {
    const state = JSON.stringify({ begunWith, positions: {}, counts: {} } satisfies State)
    const at = timeNow()
    const id = (await db.first(insert, { source, at, state }))?.id as number
    return new ImportJournal(db, { id, source, begun_at: at, state })
  }

  /** Undefined for an import that an earlier release began. */
  get begunWith(): BegunWith | undefined {
    return this.state.begunWith
  }

  /** Statements that build the indexes which were dropped for the import; saved with the part that sets them. */
  get indexes(): readonly string[] {
    return this.state.indexes ?? []
  }

  set indexes(statements: readonly string[]) {
    this.state.indexes = [...statements]
  }

  isDone(step: string) {
    return this.state.positions[step] === 'done'
  }

  positionOf(step: string): number {
    const position = this.state.positions[step]
    return typeof position === 'number' ? position : 0
  }

  /**
   * Runs one part of a step in a transaction. `work` returns the position that the next part begins after, or `done`.
   */
  async part(step: string, work: (tx: ConfigurationTransaction, after: number) => Promise<number | 'done'>) {
    return this.db.transaction(async (tx) => {
      const next = await work(tx, this.positionOf(step))
      this.state.positions[step] = next
      await this.save(tx)
      return next
    }, 'migration')
  }

  /** Runs the parts of a step until it is done. A step that is done already is skipped. */
  async step(
    name: string,
    work: (tx: ConfigurationTransaction, after: number) => Promise<number | 'done'>,
    onPart: (position: number) => void = () => {},
  ) {
    while (!this.isDone(name)) {
      const next = await this.part(name, work)
      if (next !== 'done') onPart(next)
    }
  }

  private async save(tx: Db) {
    await insertRows(
      tx,
      'import_notes',
      this.notes.map(({ table, key, note, row }) => ({
        import_id: this.id,
        source_table: table,
        source_key: key.slice(0, 200),
        note,
        source_row: row,
      })),
    )
    this.notes = []
    await tx.all(save, { id: this.id, state: JSON.stringify(this.state) })
  }

  /** The lines of the report, in pages. */
  async *listNotes() {
    for (let after = 0; ; ) {
      const rows = await this.db.all(notesOf, { id: this.id, after })
      if (rows.length === 0) return
      yield rows
      after = rows.at(-1)?.id ?? after
    }
  }

  async finish() {
    await this.db.transaction(async (tx) => {
      await tx.all(removeNotes, { id: this.id })
      await tx.all(end, { id: this.id, at: timeNow() })
    })
  }
}
