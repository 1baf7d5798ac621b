import { sql } from 'kysely'
import type { CallContext } from '../../access/call.ts'
import {
  bugsUnfiltered,
  bugsVisibleTo,
  keyOfRules,
  type ViewerParams,
  type VisibilityRules,
} from '../../access/visibility/visible-bugs.ts'
import { productConditions } from '../../access/visibility/visible-products.ts'
import type { Db, LimitedDb } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { statementFamily } from '../../platform/database/statements/statement-family.ts'
import { MOST_TO_READ } from '../../platform/wire/params.ts'

/** A bug with its votes, those of one user, and what its product allows. */
export interface VotableBug {
  id: number
  product_id: number
  product: string
  votes: number
  own: number
  votesperuser: number
  maxvotesperbug: number
  votestoconfirm: number
}

const votable = statement<{ ids: string; userId: number }>()((q, p, d) =>
  bugsUnfiltered(q, 'The caller was found to see these bugs.')
    .innerJoin('products', 'products.id', 'bugs.product_id')
    .select(['bugs.id', 'bugs.product_id', 'products.name as product', 'bugs.votes'])
    .select(['products.votesperuser', 'products.maxvotesperbug', 'products.votestoconfirm'])
    .select(
      sql<number>`coalesce((select votes from bug_votes where bug_votes.bug_id = bugs.id
        and bug_votes.user_id = ${p.userId}), 0)`.as('own'),
    )
    .where('bugs.id', 'in', d.integersIn(p.ids))
    .orderBy('bugs.id'),
)

export function listVotable(db: Db, userId: number, ids: readonly number[]): Promise<VotableBug[]> {
  return db.all(votable, { ids: JSON.stringify(ids), userId })
}

const votesIn = statement<{ productIds: string; userId: number }>()((q, p, d) =>
  bugsUnfiltered(q, 'All votes of a user count, also those for bugs that were hidden from them later.')
    .innerJoin('bug_votes', 'bug_votes.bug_id', 'bugs.id')
    .select('bugs.product_id')
    .select(sql<number>`cast(sum(bug_votes.votes) as integer)`.as('used'))
    .where('bug_votes.user_id', '=', p.userId)
    .where('bugs.product_id', 'in', d.integersIn(p.productIds))
    .groupBy('bugs.product_id'),
)

/** How many votes the user gives to bugs of each of the products. */
export async function listVotesIn(db: Db, userId: number, productIds: readonly number[]): Promise<Map<number, number>> {
  if (productIds.length === 0) return new Map()
  const rows = await db.all(votesIn, { userId, productIds: JSON.stringify(productIds) })
  return new Map(rows.map(({ product_id, used }) => [product_id, used]))
}

const voters = statement<{ bugId: number; limit: number; offset: number }>()((q, p) =>
  q
    .selectFrom('bug_votes')
    .innerJoin('users', 'users.id', 'bug_votes.user_id')
    .select(['users.id', 'users.login as name', 'users.real_name', 'bug_votes.votes'])
    .where('bug_votes.bug_id', '=', p.bugId)
    .orderBy('bug_votes.votes', 'desc')
    .orderBy('users.login_key')
    .limit(p.limit)
    .offset(p.offset),
)

export function listVoters(db: Db, bugId: number, limit: number, offset: number) {
  return db.all(voters, { bugId, limit, offset })
}

const voterCount = statement<{ bugId: number }>()((q, p) =>
  q
    .selectFrom('bug_votes')
    .select((it) => it.fn.countAll<number>().as('count'))
    .where('bug_id', '=', p.bugId),
)

export async function countVoters(db: Db, bugId: number): Promise<number> {
  return Number((await db.first(voterCount, { bugId }))?.count ?? 0)
}

/** One statement for each combination of the parameters that decide who sees bugs. */
const voted = statementFamily(keyOfRules, (rules: VisibilityRules) =>
  statement<ViewerParams & { userId: number }>()((q, p, d) =>
    bugsVisibleTo(q, d, rules, p)
      .innerJoin('bug_votes', 'bug_votes.bug_id', 'bugs.id')
      .innerJoin('products', 'products.id', 'bugs.product_id')
      .select(['bugs.id as bug_id', 'products.name as product', 'bugs.summary', 'bugs.status_id'])
      .select(['bug_votes.votes', 'bugs.votes as bug_votes'])
      .where('bug_votes.user_id', '=', p.userId)
      .orderBy('products.name_key')
      .orderBy('bugs.id')
      .limit(MOST_TO_READ),
  ),
)

/** The bugs that the user votes for and the viewer sees. There are at most as many as the user has votes. */
export function listVotedBugs(db: LimitedDb, rules: VisibilityRules, viewer: ViewerParams, userId: number) {
  return db.all(voted(rules), { ...viewer, userId })
}

/** The products that the caller sees with voting, or with own votes. */
export async function listProductVotes({ db, caller, settings }: CallContext, userId: number) {
  const products = await db.query((q, d) =>
    q
      .selectFrom('products')
      .select(['id', 'name as product', 'votesperuser', 'maxvotesperbug', 'votestoconfirm'])
      .where('votesperuser', '>', 0)
      .where(productConditions(d, caller, settings).isAccessible)
      .orderBy('name_key'),
  )
  const used = await listVotesIn(
    db,
    userId,
    products.map(({ id }) => id),
  )
  return products.map(({ id, ...product }) => ({ ...product, used: used.get(id) ?? 0 }))
}
