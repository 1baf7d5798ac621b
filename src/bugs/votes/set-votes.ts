import type { CallContext } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { viewerOf } from '../../access/visibility/visible-bugs.ts'
import { writeBugs } from '../../access/write-bugs.ts'
import { confirmByVotes } from '../../changes/votes/confirm-by-votes.ts'
import { saveVotes } from '../../changes/votes/vote-store.ts'
import { lockUser } from '../../people/users/user-store.ts'
import { isSelf } from '../../people/users/user-targets.ts'
import type { BugTransaction } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { MOST_ITEMS, readInteger, readText, requireAtMost } from '../../platform/wire/params.ts'
import { lockBugs } from '../editing/lock-bugs.ts'
import { idsOfRefs, requireVisibleBugs } from '../values/bug-refs.ts'
import { listVotable, listVotesIn, type VotableBug } from './vote-list-store.ts'

/** How many votes the caller wants to give to a bug, which is named by its number or its alias. */
export interface WantedVotes {
  ref: string
  votes: number
}

/**
 * Sets the votes of the caller for these bugs, and leaves those for others. Bugs that have enough votes then are confirmed, no matter who may
 * change them.
 */
export async function setOwnVotes(context: CallContext, wanted: readonly WantedVotes[], user?: string) {
  const { id } = requireLogin(context.caller)
  if (user !== undefined && !isSelf(requireLogin(context.caller), user))
    throw errors.not_allowed({ need: 'only users themselves change their votes' })
  const saved = await writeBugs(context, async (tx, { caller, settings }) => {
    const votes = await votesByBug(tx, wanted)
    await lockBugs(
      tx,
      [...votes.values()].flatMap(({ bugId }) => bugId ?? []),
    )
    await requireVisibleBugs(tx, settings, viewerOf(caller), [...votes.keys()])
    // Two calls of one user at once would both find votes left.
    await lockUser(tx, id)
    return saveOwnVotes(tx, id, new Map([...votes.values()].map((it) => [it.bugId as number, it.votes])))
  })
  return { votes: saved }
}

/** The last wish counts where a bug is named twice. */
async function votesByBug(tx: BugTransaction, wanted: readonly WantedVotes[]) {
  const ids = await idsOfRefs(
    tx,
    wanted.map(({ ref }) => ref),
  )
  return new Map(wanted.map(({ ref, votes }) => [ref, { bugId: ids.get(ref), votes }]))
}

async function saveOwnVotes(tx: BugTransaction, userId: number, wanted: ReadonlyMap<number, number>) {
  const ids = [...wanted.keys()]
  const bugs = await listVotable(tx, userId, ids)
  for (const bug of bugs) requireAllowed(bug, wanted.get(bug.id) ?? 0)
  const changed = bugs.filter((bug) => bug.own !== wanted.get(bug.id))
  await saveVotes(
    tx,
    changed.map((bug) => ({ bug_id: bug.id, user_id: userId, votes: wanted.get(bug.id) ?? 0 })),
  )
  await requireRoom(tx, userId, changed, wanted)
  await confirmByVotes(
    tx,
    { who: userId, at: timeNow() },
    changed.map((bug) => bug.id),
  )
  return (await listVotable(tx, userId, ids)).map(({ id, own, votes }) => ({
    bug_id: id,
    votes: own,
    bug_votes: votes,
  }))
}

/** Votes can be taken back where no more can be given. */
function requireAllowed({ own, product, votesperuser, maxvotesperbug }: VotableBug, votes: number) {
  if (votes < 0) throw errors.bad_value({ name: 'votes', value: votes, right: 'it must be 0 or more' })
  if (votes <= own) return
  if (votesperuser === 0) throw errors.no_voting({ product })
  const most = Math.min(votesperuser, maxvotesperbug)
  if (votes > most) throw errors.too_many_votes_per_bug({ product, most })
}

/** Checked when all votes are saved, because they may have been moved from one bug to another. */
async function requireRoom(
  tx: BugTransaction,
  userId: number,
  changed: readonly VotableBug[],
  wanted: ReadonlyMap<number, number>,
) {
  const grown = changed.filter((bug) => (wanted.get(bug.id) ?? 0) > bug.own)
  const products = new Map(grown.map((bug) => [bug.product_id, bug]))
  const used = await listVotesIn(tx, userId, [...products.keys()])
  for (const { product_id, product, votesperuser } of products.values())
    if ((used.get(product_id) ?? 0) > votesperuser) throw errors.too_many_votes({ product, most: votesperuser })
}

export function wantedVotesIn(input: unknown): WantedVotes[] {
  if (!Array.isArray(input))
    throw errors.bad_value({ name: 'votes', value: input, right: 'it must be a list of objects with bug and votes' })
  return requireAtMost(MOST_ITEMS, 'votes', input).map((item: unknown, index) => {
    const name = `votes[${index}]`
    if (typeof item !== 'object' || item === null || !Object.hasOwn(item, 'bug') || !Object.hasOwn(item, 'votes'))
      throw errors.bad_value({ name, value: item, right: 'it must be an object with bug and votes' })
    const { bug, votes } = item as { bug: unknown; votes: unknown }
    return { ref: readText(`${name}.bug`, bug), votes: readInteger(`${name}.votes`, votes) }
  })
}
