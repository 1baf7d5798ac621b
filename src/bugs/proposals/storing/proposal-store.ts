import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { isKeyAlive } from '../../../people/api-keys/live-keys.ts'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import type { Database } from '../../../platform/database/tables.ts'
import { timeNow } from '../../../platform/time/clock.ts'
import type { DraftProposal, ProposalState, ProposedRow } from '../proposal.ts'

export type StoredProposal = Selectable<Database['proposals']>
export type StoredRow = Selectable<Database['proposal_rows']>

/** Who proposed something, when and why. */
export interface Proposer {
  userId: number
  keyId: number
  at: string
  expiresAt: string
  reason: string
  reasons: ReadonlyMap<string, string>
  batchId: number | null
}

const insertProposal = statement<Omit<Proposer, 'reasons'> & Omit<DraftProposal, 'rows' | 'groupIds'>>()((q, p) =>
  q
    .insertInto('proposals')
    .values({
      user_id: p.userId,
      key_id: p.keyId,
      batch_id: p.batchId,
      kind: p.kind,
      bug_id: p.bugId,
      attachment_id: p.attachmentId,
      product_id: p.productId,
      component_id: p.componentId,
      reason: p.reason,
      at: p.at,
      expires_at: p.expiresAt,
      state: 'open',
      note: '',
    })
    .returning('id'),
)
const insertRow = statement<{
  proposalId: number
  name: string
  params: string
  lines: string
  reason: string
  insiders: 0 | 1
  trackers: 0 | 1
}>()((q, p) =>
  q
    .insertInto('proposal_rows')
    .values({
      proposal_id: p.proposalId,
      name: p.name,
      params: p.params,
      lines: p.lines,
      reason: p.reason,
      is_for_insiders: p.insiders,
      is_for_time_trackers: p.trackers,
      state: 'open',
    })
    .returning('id'),
)
const insertNamed = statement<{ rowId: number; ids: string }>()((q, p, d) =>
  q
    .insertInto('proposal_bugs')
    .columns(['row_id', 'bug_id'])
    .expression(
      sql`select cast(${p.rowId} as integer), bug_id from ${d.recordsIn(p.ids, { bug_id: 'integer' })} as named`,
    )
    .returning('row_id'),
)
const insertGroups = statement<{ proposalId: number; ids: string }>()((q, p, d) =>
  q
    .insertInto('proposal_groups')
    .columns(['proposal_id', 'group_id'])
    .expression(
      sql`select cast(${p.proposalId} as integer), group_id from ${d.recordsIn(p.ids, { group_id: 'integer' })} as own`,
    )
    .returning('proposal_id'),
)
const setBatch = statement<{ id: number }>()((q, p) =>
  q.updateTable('proposals').set({ batch_id: p.id }).where('id', '=', p.id),
)

export async function insertDraft(tx: Db, { reasons, ...proposer }: Proposer, draft: DraftProposal): Promise<number> {
  const { rows, groupIds, ...place } = draft
  const id = (await tx.first(insertProposal, { ...proposer, ...place }))?.id as number
  for (const row of rows) await insertPart(tx, id, row, reasonOf(reasons, row))
  if (groupIds.length > 0)
    await tx.all(insertGroups, { proposalId: id, ids: JSON.stringify(groupIds.map((it) => ({ group_id: it }))) })
  return id
}

/** The first of several proposals of a call stands for all of them. */
export async function noteBatch(tx: Db, id: number) {
  await tx.all(setBatch, { id })
}

async function insertPart(tx: Db, proposalId: number, row: ProposedRow, reason: string) {
  const inserted = await tx.first(insertRow, {
    proposalId,
    name: row.name,
    params: JSON.stringify(row.params),
    lines: JSON.stringify(row.lines),
    reason,
    insiders: row.isForInsiders ? 1 : 0,
    trackers: row.isForTimeTrackers ? 1 : 0,
  })
  if (row.bugs.length > 0)
    await tx.all(insertNamed, {
      rowId: inserted?.id as number,
      ids: JSON.stringify(row.bugs.map((it) => ({ bug_id: it }))),
    })
}

/** A reason may be given for the row, or for one of its fields. */
function reasonOf(reasons: ReadonlyMap<string, string>, { name, params, lines }: ProposedRow): string {
  const names = [name, ...Object.keys(params), ...lines.map(({ field }) => field)]
  return names.map((it) => reasons.get(it)).find((it) => it !== undefined) ?? ''
}

const byId = statement<{ id: number }>()((q, p) => q.selectFrom('proposals').selectAll().where('id', '=', p.id))
const locked = statement<{ id: number }>()((q, p, d) =>
  q.selectFrom('proposals').selectAll().where('id', '=', p.id).modifyEnd(d.locked()),
)
const rowsOf = statement<{ id: number }>()((q, p) =>
  q.selectFrom('proposal_rows').selectAll().where('proposal_id', '=', p.id).orderBy('id'),
)

const namedBugs = statement<{ id: number }>()((q, p) =>
  q
    .selectFrom('proposal_bugs')
    .innerJoin('proposal_rows', 'proposal_rows.id', 'proposal_bugs.row_id')
    .select('proposal_bugs.bug_id')
    .distinct()
    .where('proposal_rows.proposal_id', '=', p.id),
)

/** The other bugs that the proposal names. */
export async function namedBugsOf(db: Db, id: number): Promise<number[]> {
  return (await db.all(namedBugs, { id })).map(({ bug_id }) => bug_id)
}

export function findProposal(db: Db, id: number): Promise<StoredProposal | undefined> {
  return db.first(byId, { id })
}

/** The same, which no other transaction decides before this one ends. The bug is locked before it. */
export function lockProposal(tx: Db, id: number): Promise<StoredProposal | undefined> {
  return tx.first(locked, { id })
}

export function rowsOfProposal(db: Db, id: number): Promise<StoredRow[]> {
  return db.all(rowsOf, { id })
}

interface Decision {
  id: number
  names: string
  state: 'accepted' | 'declined'
  at: string
  who: number
  changeId: number | null
}

const decide = statement<Decision>()((q, p, d) =>
  q
    .updateTable('proposal_rows')
    .set({ state: p.state, decided_at: p.at, decided_by_id: p.who, change_id: p.changeId })
    .where('proposal_id', '=', p.id)
    .where('name', 'in', d.textsIn(p.names))
    .where('state', '=', 'open'),
)

export async function decideRows(
  tx: Db,
  { names, ...decision }: Omit<Decision, 'names'> & { names: readonly string[] },
) {
  await tx.all(decide, { ...decision, names: JSON.stringify(names) })
}

interface Closing {
  id: number
  state: ProposalState
  at: string
  who: number | null
  note: string
}

const close = statement<Closing>()((q, p) =>
  q
    .updateTable('proposals')
    .set({ state: p.state, state_at: p.at, state_by_id: p.who, note: p.note })
    .where('id', '=', p.id)
    .where('state', '=', 'open')
    .returning('id'),
)
const forgetParams = statement<{ ids: string }>()((q, p, d) =>
  q.updateTable('proposal_rows').set({ params: '{}' }).where('proposal_id', 'in', d.integersIn(p.ids)),
)

/** Closes an open proposal. What it would send is removed; what it would do stays to be read. */
export async function closeProposal(
  tx: Db,
  { id, state, who, at = timeNow(), note = '' }: Omit<Closing, 'at' | 'note'> & { at?: string; note?: string },
) {
  const closed = await tx.all(close, { id, state, at, who, note })
  if (closed.length > 0) await tx.all(forgetParams, { ids: JSON.stringify([id]) })
}

const closeExpired = statement<{ userId: number; now: string }>()((q, p) =>
  q
    .updateTable('proposals')
    .set((row) => ({ state: 'expired', state_at: row.ref('expires_at') }))
    .where('user_id', '=', p.userId)
    .where('state', '=', 'open')
    .where('expires_at', '<=', p.now)
    .returning('id'),
)
const endOfDeadKeys = statement<{ userId: number; now: string }>()((q, p) =>
  q
    .updateTable('proposals')
    .set({ state: 'ended', state_at: p.now })
    .where('user_id', '=', p.userId)
    .where('state', '=', 'open')
    .where(sql<boolean>`not ${isKeyAlive(sql`proposals.key_id`, p.now)}`)
    .returning('id'),
)

/** What has expired, or whose key has, is not open, whatever is stored. What it would send is removed when its account proposes again. */
export async function forgetExpired(tx: Db, userId: number) {
  const of = { userId, now: timeNow() }
  const closed = [...(await tx.all(closeExpired, of)), ...(await tx.all(endOfDeadKeys, of))]
  if (closed.length > 0) await tx.all(forgetParams, { ids: JSON.stringify(closed.map(({ id }) => id)) })
}
