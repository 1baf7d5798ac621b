import { BY_SERVER, changeSource } from '../access/change-source.ts'
import type { Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { sourceOfTransaction } from '../platform/database/transactions/source-of-transaction.ts'
import { timeNow } from '../platform/time/clock.ts'

/** The number of lines that were imported: it is not known by which change each was made. */
export const IMPORTED = 0

const insert = statement<NewChange>()((q, p) =>
  q
    .insertInto('changes')
    .values({ user_id: p.who, at: p.at, source: p.source, source_id: p.sourceId, undoes_id: p.undoesId })
    .returning('id'),
)

interface NewChange {
  who: number | null
  at: string
  source: number
  sourceId: number | null
  undoesId: number | null
}

const started = new WeakMap<Db, Map<number | null, Promise<number>>>()

/** The change that this transaction makes for the user: all that one call does has one number. */
export function currentChange(tx: Db, who: number | null, at = timeNow()): Promise<number> {
  const changes = started.get(tx) ?? new Map<number | null, Promise<number>>()
  started.set(tx, changes)
  const change = changes.get(who) ?? insertChange(tx, who, at, null)
  changes.set(who, change)
  return change
}

/** Records a change that undoes another one, to be continued by the transactions that undo its parts. */
export function insertUndo(tx: Db, who: number, undoes: number): Promise<number> {
  return insertChange(tx, who, timeNow(), undoes)
}

/** Records a change that somebody else has proposed, to be continued by what carries it out. */
export function insertProposed(tx: Db, who: number, proposalId: number): Promise<number> {
  return insertChange(tx, who, timeNow(), null, changeSource('proposal', proposalId))
}

/** From now on, what the transaction does for the user belongs to this change. */
export function continueChange(tx: Db, who: number, id: number) {
  started.set(tx, new Map([[who, Promise.resolve(id)]]))
}

async function insertChange(
  tx: Db,
  who: number | null,
  at: string,
  undoesId: number | null,
  { kind: source, id: sourceId } = sourceOfTransaction(tx) ?? BY_SERVER,
): Promise<number> {
  return (await tx.all(insert, { who, at, source, sourceId, undoesId }))[0]?.id as number
}
