import { sql } from 'kysely'
import type { BugTransaction, Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import type { ChangeDetails, ChangeState, CheckState, StoredChange } from './code-change.ts'
import type { NamedBug } from './named-bugs.ts'

const byKey = statement<{ sourceId: number; key: string }>()((q, p, d) =>
  q
    .selectFrom('code_changes')
    .selectAll()
    .where('source_id', '=', p.sourceId)
    .where('change_key', '=', p.key)
    .modifyEnd(d.locked()),
)

/** A change of a source, which no other transaction changes until this one ends. */
export async function lockChange(tx: Db, sourceId: number, key: string): Promise<StoredChange | undefined> {
  const row = await tx.first(byKey, { sourceId, key })
  return row && storedFrom(row)
}

const byHead = statement<{ sourceId: number; head: string; repository: string; most: number }>()((q, p, d) =>
  q
    .selectFrom('code_changes')
    .selectAll()
    .where('source_id', '=', p.sourceId)
    .where('head', '=', p.head)
    .where('repository', '=', p.repository)
    .orderBy('id')
    .limit(p.most)
    .modifyEnd(d.locked()),
)

const MOST_OF_ONE_HEAD = 50

/** The changes whose newest commit this is. */
export async function lockChangesAt(
  tx: Db,
  sourceId: number,
  head: string,
  repository: string,
): Promise<StoredChange[]> {
  const rows = await tx.all(byHead, { sourceId, head, repository, most: MOST_OF_ONE_HEAD })
  return rows.map(storedFrom)
}

export type ChangeRow = NonNullable<Awaited<ReturnType<typeof selectChange>>>

function selectChange(db: Db, key: { sourceId: number; key: string }) {
  return db.first(byKey, key)
}

export function storedFrom(row: ChangeRow): StoredChange {
  return {
    ...row,
    key: row.change_key,
    kind: row.kind as StoredChange['kind'],
    state: row.state as ChangeState,
    checks: row.checks as CheckState | '',
    details: JSON.parse(row.details) as ChangeDetails,
  }
}

const insert = statement<{
  sourceId: number
  key: string
  kind: string
  repository: string
  number: string
  at: string
}>()((q, p) =>
  q
    .insertInto('code_changes')
    .values({
      source_id: p.sourceId,
      change_key: p.key,
      kind: p.kind,
      repository: p.repository,
      number: p.number,
      address: '',
      title: '',
      author: '',
      state: 'unknown',
      checks: '',
      head: '',
      details: '{}',
      created_at: p.at,
      changed_at: p.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
)

/** Makes the row of a change, unless another transaction has just made it. Returns whether it did. */
export async function insertChange(
  tx: Db,
  sourceId: number,
  change: Pick<StoredChange, 'key' | 'kind' | 'repository' | 'number' | 'created_at'>,
): Promise<boolean> {
  const { key, kind, repository, number, created_at: at } = change
  return (await tx.first(insert, { sourceId, key, kind, repository, number, at })) !== undefined
}

/** Saves what is known of a change. */
export async function saveChange(tx: Db, id: number, change: Omit<StoredChange, 'id'>) {
  const { address, title, author, state, checks, head, created_at, changed_at } = change
  const details = JSON.stringify(change.details)
  await tx.query((q) =>
    q
      .updateTable('code_changes')
      .set({ address, title, author, state, checks, head, details, created_at, changed_at })
      .where('id', '=', id),
  )
}

/** A change with a comment at its source stays known, so that it gets no second one when it names the bug again. */
const isUnlinked = sql<boolean>`code_changes.details not like '%"commentedFor":[%'
  and not exists (select 1 from code_links where code_links.change_id = code_changes.id)`

const removeUnlinked = statement<{ id: number }>()((q, p) =>
  q.deleteFrom('code_changes').where('id', '=', p.id).where(isUnlinked),
)

/** Deletes a change that no bug is linked to. */
export async function deleteUnlinkedChange(tx: Db, id: number) {
  await tx.all(removeUnlinked, { id })
}

const ofChange = statement<{ changeId: number }>()((q, p) =>
  q
    .selectFrom('code_links')
    .select(['bug_id', 'resolves', 'named_in'])
    .where('change_id', '=', p.changeId)
    .orderBy('bug_id'),
)

export async function listLinkedBugs(db: Db, changeId: number): Promise<NamedBug[]> {
  return (await db.all(ofChange, { changeId })).map(({ bug_id, resolves, named_in }) => ({
    id: bug_id,
    resolves: resolves === 1,
    namedIn: named_in as NamedBug['namedIn'],
  }))
}

const counts = statement<{ ids: string }>()((q, p, d) =>
  q
    .selectFrom('code_links')
    .select(['bug_id', (it) => it.fn.countAll<number>().as('count')])
    .where('bug_id', 'in', d.integersIn(p.ids))
    .groupBy('bug_id'),
)

/** How many changes and commits each of these bugs is linked to. */
export async function countLinks(tx: Db, bugIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await tx.all(counts, { ids: JSON.stringify(bugIds) })
  return new Map(rows.map(({ bug_id, count }) => [bug_id, Number(count)]))
}

export async function saveLinks(tx: BugTransaction, changeId: number, bugs: readonly NamedBug[], at: string) {
  if (bugs.length === 0) return
  const rows = bugs.map((bug) => ({
    bug_id: bug.id,
    change_id: changeId,
    named_in: bug.namedIn,
    resolves: (bug.resolves ? 1 : 0) as 0 | 1,
    at,
  }))
  await tx.query((q) =>
    q
      .insertInto('code_links')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['bug_id', 'change_id']).doUpdateSet({
          resolves: sql`excluded.resolves`,
          named_in: sql`case when code_links.named_in = 'attachment' then 'attachment' else excluded.named_in end`,
        }),
      ),
  )
}

const unlink = statement<{ changeId: number; ids: string }>()((q, p, d) =>
  q.deleteFrom('code_links').where('change_id', '=', p.changeId).where('bug_id', 'in', d.integersIn(p.ids)),
)

export async function deleteLinks(tx: BugTransaction, changeId: number, bugIds: readonly number[]) {
  if (bugIds.length > 0) await tx.all(unlink, { changeId, ids: JSON.stringify(bugIds) })
}
