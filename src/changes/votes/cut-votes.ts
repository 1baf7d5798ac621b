import { type RawBuilder, sql } from 'kysely'
import { queueAccountNotices, type VoteCut } from '../../access/account-notice.ts'
import type { BugTransaction, ConfigurationTransaction } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { ChangeOrigin } from '../effects-on-bugs.ts'
import { lockVotersOf, saveVotes } from './vote-store.ts'

interface ExcessRow {
  bug_id: number
  user_id: number
  before: number
  after: number
  /** The most that one bug can get from one user. */
  cap: number
}

/**
 * The votes that are more than their product allows, and what is left of each. Where a user has too many in the product, those that
 * `isLast` says lose theirs first, then the newest bugs.
 */
function excess(held: RawBuilder<unknown>, isLast: RawBuilder<unknown>) {
  return sql<ExcessRow>`(
    select bug_id, user_id, before, cap,
      case when running <= most then capped when running - capped >= most then 0 else most - (running - capped) end as after
    from (
      select bug_id, user_id, before, cap, capped, most,
        sum(capped) over (partition by product_id, user_id order by is_last, bug_id) as running
      from (
        select bug_id, user_id, before, cap, most, product_id, is_last, case when before < cap then before else cap end as capped
        from (
          select bug_votes.bug_id, bug_votes.user_id, bug_votes.votes as before, bugs.product_id, products.votesperuser as most,
            case when products.maxvotesperbug < products.votesperuser then products.maxvotesperbug else products.votesperuser end as cap,
            ${isLast} as is_last
          from bug_votes join bugs on bugs.id = bug_votes.bug_id join products on products.id = bugs.product_id
          where ${held}
        ) as held
      ) as capped_votes
    ) as running_votes
  )`
}

const excessInProduct = statement<{ productId: number }>()((q, p) =>
  q
    .selectFrom(excess(sql`bugs.product_id = ${p.productId}`, sql`0`).as('excess'))
    .selectAll()
    .whereRef('after', '<', 'before')
    .orderBy('user_id')
    .orderBy('bug_id'),
)

const excessOfMoved = statement<{ ids: string; productId: number }>()((q, p, d) => {
  const moved = d.integersIn(p.ids)
  const ofVoters = sql`bugs.product_id = ${p.productId}
    and bug_votes.user_id in (select user_id from bug_votes where bug_id in ${moved})`
  return q
    .selectFrom(excess(ofVoters, sql`case when bug_votes.bug_id in ${moved} then 1 else 0 end`).as('excess'))
    .selectAll()
    .whereRef('after', '<', 'before')
    .where('bug_id', 'in', moved)
    .orderBy('user_id')
    .orderBy('bug_id')
})

/** After the limits of a product were lowered: cuts the votes that they no longer allow, and notifies those who gave them. */
export async function cutVotesInProduct(tx: ConfigurationTransaction, by: ChangeOrigin, productId: number) {
  await cut(tx, by, 'limits', await tx.all(excessInProduct, { productId }))
}

/** After bugs, which the transaction has locked, were moved to a product: the same for the votes of these bugs. */
export async function cutVotesOfMoved(
  tx: BugTransaction,
  by: ChangeOrigin,
  bugIds: readonly number[],
  productId: number,
) {
  await lockVotersOf(tx, bugIds)
  await cut(tx, by, 'moved', await tx.all(excessOfMoved, { ids: JSON.stringify(bugIds), productId }))
}

/** A message lists so many bugs, and says how many more there are. */
const MOST_LISTED = 100

async function cut(tx: BugTransaction, { who, at }: ChangeOrigin, why: 'limits' | 'moved', rows: readonly ExcessRow[]) {
  if (rows.length === 0) return
  await saveVotes(
    tx,
    rows.map(({ bug_id, user_id, after }) => ({ bug_id, user_id, votes: Number(after) })),
  )
  const byVoter = Map.groupBy(rows, ({ user_id }) => user_id)
  await queueAccountNotices(
    tx,
    ...[...byVoter].map(([userId, own]) => ({
      what: 'votes_cut' as const,
      userId,
      who,
      at,
      cuts: own.slice(0, MOST_LISTED).map((row) => cutIn(row, why)),
    })),
  )
}

function cutIn({ bug_id, before, after, cap }: ExcessRow, why: 'limits' | 'moved'): VoteCut {
  const left = Number(after)
  return { bugId: bug_id, before, after: left, reason: why === 'moved' ? 'moved' : left < cap ? 'per_user' : 'per_bug' }
}
