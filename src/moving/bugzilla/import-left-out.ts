import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { sql } from 'kysely'
import { noteCatalogueChanged } from '../../access/installation.ts'
import { NO_VOTES, type VoteLimits } from '../../catalogue/products/product.ts'
import { MOST_VOTES } from '../../catalogue/products/product-rules.ts'
import type { ConfigurationTransaction, Db } from '../../platform/database/db.ts'
import { jsonPortions } from '../../platform/database/statements/json-portions.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { Refusal } from '../../platform/refusal.ts'

/** How many rows of the file were imported now, and how many were there already or name a bug, user or product that is not. */
export interface LeftOutCounts {
  votes: number
  products: number
  skipped: number
}

interface Limits extends VoteLimits {
  id: number
}

interface Votes {
  bug_id: number
  user_id: number
  votes: number
}

const finished = statement<object>()((q) =>
  q.selectFrom('imports').select('id').where('kind', '=', 'bugzilla').where('finished_at', 'is not', null).limit(1),
)

/** Limits that an administrator has set since the import stay. */
const setLimits = statement<Limits>()((q, p) =>
  q
    .updateTable('products')
    .set({ votesperuser: p.votesperuser, maxvotesperbug: p.maxvotesperbug, votestoconfirm: p.votestoconfirm })
    .where('id', '=', p.id)
    .where('votesperuser', '=', NO_VOTES.votesperuser)
    .where('maxvotesperbug', '=', NO_VOTES.maxvotesperbug)
    .where('votestoconfirm', '=', NO_VOTES.votestoconfirm)
    .returning('id'),
)

const insertVotes = statement<{ rows: string }>()((q, p, d) => {
  const given = d.recordsIn(p.rows, { bug_id: 'integer', user_id: 'integer', votes: 'integer' })
  return q
    .insertInto('bug_votes')
    .columns(['bug_id', 'user_id', 'votes'])
    .expression(
      sql`select given.bug_id, given.user_id, given.votes from ${given} as given
        join bugs on bugs.id = given.bug_id join users on users.id = given.user_id where true`,
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('bug_id')
})

const sumAll = statement<object>()((q) =>
  q
    .updateTable('bugs')
    .set({ votes: sql<number>`(select coalesce(sum(votes), 0) from bug_votes where bug_votes.bug_id = bugs.id)` })
    .where('id', 'in', (voted) => voted.selectFrom('bug_votes').select('bug_id')),
)

/**
 * Imports what an earlier release of the import had to leave out and kept in `left-out.jsonl.gz`: votes, and how many each product
 * allows. It can be repeated: what is there already stays.
 */
export async function importLeftOut(db: Db, file: string): Promise<LeftOutCounts> {
  if ((await db.first(finished, {})) === undefined)
    throw new Refusal('This installation was not imported from a Bugzilla, so the numbers in the file are not its own.')
  const { limits, votes } = await readLeftOut(file).catch((fault: unknown) => {
    throw new Refusal(`${file} cannot be read: ${fault instanceof Error ? fault.message : String(fault)}.`)
  })
  return db.transaction(async (tx) => {
    const products = await saveLimits(tx, limits)
    const saved = await saveMissingVotes(tx, votes)
    await tx.all(sumAll, {})
    await noteCatalogueChanged(tx)
    return { products, votes: saved, skipped: limits.length + votes.length - products - saved }
  }, 'configuration')
}

async function saveLimits(tx: ConfigurationTransaction, limits: readonly Limits[]) {
  let saved = 0
  for (const product of limits) saved += (await tx.all(setLimits, product)).length
  return saved
}

async function saveMissingVotes(tx: ConfigurationTransaction, votes: readonly Votes[]) {
  let saved = 0
  for (const rows of jsonPortions(tx, votes)) saved += (await tx.all(insertVotes, { rows })).length
  return saved
}

async function readLeftOut(file: string) {
  const limits = new Map<number, Limits>()
  const votes = new Map<string, Votes>()
  const lines = createInterface({
    input: createReadStream(file).pipe(createGunzip()),
    crlfDelay: Number.POSITIVE_INFINITY,
  })
  for await (const line of lines) {
    // Most of the file is of other tables, and need not be parsed.
    if (!/^\{"table":"(?:votes|products)"/.test(line)) continue
    const { table, row } = JSON.parse(line) as { table: string; row: Readonly<Record<string, unknown>> }
    if (table === 'votes') noteVotes(votes, row)
    else noteLimits(limits, row)
  }
  return { limits: [...limits.values()], votes: [...votes.values()] }
}

function noteVotes(votes: Map<string, Votes>, row: Readonly<Record<string, unknown>>) {
  const [bug_id, user_id, count] = [numberIn(row.bug_id), numberIn(row.who), numberIn(row.vote_count)]
  if (bug_id > 0 && user_id > 0 && count > 0 && count <= MOST_VOTES)
    votes.set(`${bug_id} ${user_id}`, { bug_id, user_id, votes: count })
}

function noteLimits(limits: Map<number, Limits>, row: Readonly<Record<string, unknown>>) {
  const id = numberIn(row.id)
  const limit = (name: keyof VoteLimits) =>
    row[name] === undefined ? NO_VOTES[name] : Math.min(Math.max(numberIn(row[name]), 0), MOST_VOTES)
  if (id > 0 && row.votesperuser !== undefined)
    limits.set(id, {
      id,
      votesperuser: limit('votesperuser'),
      maxvotesperbug: limit('maxvotesperbug'),
      votestoconfirm: limit('votestoconfirm'),
    })
}

function numberIn(value: unknown): number {
  const number = Number(value)
  return Number.isSafeInteger(number) && Math.abs(number) < 2 ** 31 ? number : 0
}
