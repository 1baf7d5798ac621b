import { sql } from 'kysely'
import { bugsUnfiltered } from '../../access/visibility/visible-bugs.ts'
import { POPULAR_VOTES } from '../../platform/database/coded-values.ts'
import type { BugTransaction } from '../../platform/database/db.ts'
import { jsonPortions } from '../../platform/database/statements/json-portions.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { Flag } from '../../platform/database/tables.ts'
import { currentChange } from '../current-change.ts'
import type { ChangeOrigin } from '../effects-on-bugs.ts'
import { recordEvents } from '../outbox.ts'
import { type BugChange, recordBugChanges } from '../record-bug-changes.ts'

const WHY = 'Votes confirm a bug no matter who gave them: users vote only for bugs that they see.'

const UNCONFIRMED = sql<number>`(select field_values.id from field_values join fields on fields.id = field_values.field_id
  where fields.name = 'bug_status' and field_values.name = 'UNCONFIRMED')`

/** The bugs that have enough votes to be confirmed, and are not. */
function withEnoughVotes(q: Parameters<typeof bugsUnfiltered>[0]) {
  return bugsUnfiltered(q, WHY)
    .innerJoin('products', 'products.id', 'bugs.product_id')
    .select('bugs.id')
    .where('products.votestoconfirm', '>', 0)
    .whereRef('bugs.votes', '>=', 'products.votestoconfirm')
    .where('bugs.status_id', '=', UNCONFIRMED)
}

const among = statement<{ ids: string }>()((q, p, d) =>
  withEnoughVotes(q).where('bugs.id', 'in', d.integersIn(p.ids)).orderBy('bugs.id'),
)
const inProduct = statement<{ productId: number }>()((q, p) =>
  withEnoughVotes(q).where('bugs.product_id', '=', p.productId).orderBy('bugs.id'),
)

/** The first open status that the workflow allows after UNCONFIRMED. */
const openStatus = statement<object>()((q) =>
  q
    .selectFrom('workflow_transitions')
    .innerJoin('field_values', 'field_values.id', 'workflow_transitions.to_status_id')
    .select(['field_values.id', 'field_values.name'])
    .where('workflow_transitions.from_status_id', '=', UNCONFIRMED)
    .where('field_values.is_open', '=', 1)
    .where('field_values.is_active', '=', 1)
    .where('field_values.id', '<>', UNCONFIRMED)
    .orderBy('field_values.sort_key')
    .orderBy('field_values.name_key')
    .limit(1),
)

const confirm = statement<{ ids: string; statusId: number }>()((q, p, d) =>
  q.updateTable('bugs').set({ status_id: p.statusId, is_confirmed: 1 }).where('id', 'in', d.integersIn(p.ids)),
)

/** Without a text of its own, so that there are no words to index. */
const comment = statement<{ ids: string; userId: number; at: string; change: number }>()((q, p, d) =>
  q
    .insertInto('comments')
    .columns([
      'bug_id',
      'number',
      'user_id',
      'at',
      'text',
      'is_private',
      'kind',
      'work_hundredths',
      'is_markdown',
      'change_id',
    ])
    .expression(
      bugsUnfiltered(q, WHY)
        .select([
          'bugs.id',
          sql<number>`(select coalesce(max(number) + 1, 0) from comments where bug_id = bugs.id)`.as('number'),
          sql<number>`cast(${p.userId} as integer)`.as('user_id'),
          sql<string>`cast(${p.at} as text)`.as('at'),
          sql<string>`''`.as('text'),
          sql<Flag>`0`.as('is_private'),
          sql<number>`${sql.lit(POPULAR_VOTES)}`.as('kind'),
          sql<number>`0`.as('work_hundredths'),
          sql<Flag>`0`.as('is_markdown'),
          sql<number>`cast(${p.change} as integer)`.as('change_id'),
        ])
        .where('bugs.id', 'in', d.integersIn(p.ids))
        .orderBy('bugs.id'),
    )
    .returning(['id', 'bug_id']),
)

/** Confirms those of the bugs, which the transaction has locked, that have enough votes. Each gets a comment, history and its event. */
export async function confirmByVotes(tx: BugTransaction, by: ChangeOrigin, bugIds: readonly number[]) {
  for (const ids of jsonPortions(tx, bugIds)) await confirmAll(tx, by, await tx.all(among, { ids }))
}

/** The same for all bugs of a product, when it needs fewer votes than before. */
export async function confirmProductByVotes(tx: BugTransaction, by: ChangeOrigin, productId: number) {
  await confirmAll(tx, by, await tx.all(inProduct, { productId }))
}

async function confirmAll(tx: BugTransaction, { who, at }: ChangeOrigin, bugs: readonly { id: number }[]) {
  const status = bugs.length === 0 ? undefined : await tx.first(openStatus, {})
  if (status === undefined) return
  const comments = new Map<number, number>()
  const change = await currentChange(tx, who, at)
  for (const ids of jsonPortions(tx, bugs, ({ id }) => id)) {
    await tx.all(confirm, { ids, statusId: status.id })
    for (const row of await tx.all(comment, { ids, userId: who, at, change })) comments.set(row.bug_id, row.id)
  }
  const history = await recordBugChanges(tx, who, bugs.flatMap(linesOf), at)
  await recordEvents(
    tx,
    bugs.map(({ id }) => ({
      kind: 'bug.update' as const,
      bugId: id,
      who,
      at,
      facts: {
        changes: Object.fromEntries(linesOf({ id }).map(({ field, removed, added }) => [field, { removed, added }])),
        history: history.get(id) ?? [],
        comment_id: comments.get(id),
      },
    })),
  )

  function linesOf({ id: bugId }: { id: number }): BugChange[] {
    return [
      { bugId, field: 'status', removed: 'UNCONFIRMED', added: status?.name ?? '' },
      { bugId, field: 'is_confirmed', removed: '0', added: '1' },
    ]
  }
}
