import type { CallContext } from '../../access/call.ts'
import { isSignedIn, requireLogin, type SignedIn } from '../../access/caller.ts'
import { loginFor } from '../../access/visibility/reader-rights.ts'
import { viewerOf } from '../../access/visibility/visible-bugs.ts'
import { keptWorkflow } from '../../catalogue/workflow/workflow-store.ts'
import { groupsSeenThrough } from '../../people/bless.ts'
import type { UserRow } from '../../people/users/user-store.ts'
import { getTarget, isSelf } from '../../people/users/user-targets.ts'
import { errors } from '../../platform/errors.ts'
import { MOST_ITEMS } from '../../platform/wire/params.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { requireVisibleBugs } from '../values/bug-refs.ts'
import {
  countVoters,
  listProductVotes,
  listVotable,
  listVotedBugs,
  listVoters,
  listVotesIn,
} from './vote-list-store.ts'

const USUAL_VOTERS = 100

/** Who votes for the bug, and what the caller can give to it. */
export async function readBugVotes(
  context: CallContext,
  ref: string,
  { limit = USUAL_VOTERS, offset = 0 }: { limit: number | undefined; offset: number | undefined },
) {
  const { db, caller, settings } = context
  if (limit < 0 || limit > MOST_ITEMS)
    throw errors.bad_value({ name: 'limit', value: limit, right: `it must be from 0 to ${MOST_ITEMS}` })
  if (offset < 0) throw errors.bad_value({ name: 'offset', value: offset, right: 'it must be 0 or more' })
  const [id = 0] = await requireVisibleBugs(db, settings, viewerOf(caller), [ref])
  const [bug] = await listVotable(db, caller.id ?? 0, [id])
  if (bug === undefined) throw errors.no_such_bug({ ref })
  const voters = await listVoters(db, id, limit, offset)
  const { votesperuser, maxvotesperbug, votestoconfirm } = bug
  return {
    bug_id: id,
    votes: bug.votes,
    product: bug.product,
    ...{ votesperuser, maxvotesperbug, votestoconfirm },
    voter_count: await countVoters(db, id),
    voters: voters.map((voter) => ({ ...voter, name: loginFor(voter.name, context) })),
    ...(isSignedIn(caller) && { own: await ownVotes(context, caller, bug) }),
  }
}

async function ownVotes({ db }: CallContext, { id }: SignedIn, bug: Awaited<ReturnType<typeof listVotable>>[number]) {
  const used = (await listVotesIn(db, id, [bug.product_id])).get(bug.product_id) ?? 0
  const left = Math.max(0, bug.votesperuser - (used - bug.own))
  return { votes: bug.own, used, most: Math.min(left, bug.maxvotesperbug) }
}

/** The bugs that a user votes for, as far as the caller sees them, and for themselves the products with their limits. */
export async function readUserVotes(context: CallContext, ref: string) {
  const caller = requireLogin(context.caller)
  const { db, settings } = context
  const isOwn = isSelf(caller, ref)
  const user = isOwn ? caller : await getVisibleUser(context, ref)
  const workflow = await context.catalogue(keptWorkflow)
  const bugs = await listVotedBugs(db.within(context.request.readLimits), settings, viewerOf(caller), user.id)
  return {
    user: user.login,
    bugs: bugs.map(({ status_id, ...bug }) => ({ ...bug, is_open: workflow.isOpen(status_id) })),
    ...(isOwn && { products: await listProductVotes(context, caller.id) }),
  }
}

/** If users are hidden from each other, an id that no user has gets the same error as that of a hidden user. */
async function getVisibleUser({ db, caller, groups, settings }: CallContext, ref: string): Promise<UserRow> {
  const through = groupsSeenThrough(groups, settings, caller)
  if (through === undefined) return getTarget(db, ref)
  const isById = idIn(ref) !== undefined
  const user = isById ? await getTarget(db, ref).catch(() => undefined) : await getTarget(db, ref)
  const isSeen =
    !isById || (user !== undefined && isInOneOf(groups.membership(JSON.parse(user.group_ids)).ids, through))
  if (user === undefined || !isSeen) throw errors.user_not_visible({ ref })
  return user
}

function isInOneOf(own: ReadonlySet<number>, some: ReadonlySet<number>) {
  return [...own].some((id) => some.has(id))
}
