import { neutralNick } from '../../../../shared/nicks.ts'
import type { CallContext } from '../../../access/call.ts'
import { requireLogin } from '../../../access/caller.ts'
import { requireOwnRoom } from '../../../access/own-limits.ts'
import { insiderParams, loginFor } from '../../../access/visibility/reader-rights.ts'
import { writeBugs } from '../../../access/write-bugs.ts'
import type { Db } from '../../../platform/database/db.ts'
import { errors } from '../../../platform/errors.ts'
import { secondsAgo } from '../../../platform/time/clock.ts'
import { mayChange } from '../../rights/bug-permissions.ts'
import { requireRoomForNewAccount } from '../../rights/new-account-limits.ts'
import { noteCommentChanged } from '../edits/comment-version-store.ts'
import { commentToChange, recordCommentEvent } from '../edits/edit-comment.ts'
import { listComments } from '../reading/comment-view-store.ts'
import { unreadableCommentError } from '../reading/read-comments.ts'
import { REACTIONS, type ReactionName, reactionIn } from './reaction.ts'
import { reactionCalls } from './reaction-calls.ts'
import { addReactions, closedSince, countReactionsOf, listReactions, removeReactions } from './reaction-store.ts'

type ReactionContext = Pick<CallContext, 'db' | 'caller' | 'settings'>

/** Who reacted to a comment, by name; an empty list for a comment that does not exist, as in BMO. */
export async function readReactions(context: ReactionContext, id: number) {
  requireReactions(context)
  return (await isReadable(context.db, context, id)) ? presentReactions(context.db, context, id) : []
}

/** Adds and removes reactions of the caller. What they have said already is ignored. */
export async function changeReactions(context: CallContext, id: number, wanted: { add: string[]; remove: string[] }) {
  const { id: callerId } = requireLogin(context.caller)
  requireReactions(context)
  context.serverParts.get(reactionCalls).count(callerId)
  const add = namesIn(wanted.add)
  const remove = namesIn(wanted.remove)
  return writeBugs(context, async (tx, current) => {
    const { settings } = current
    const caller = requireLogin(current.caller)
    requireReactions(current)
    if (!(await isReadable(tx, current, id))) return []
    const { before, rights } = await commentToChange(tx, current, id)
    if (!mayChange(rights, 'comment')) throw errors.comments_restricted()
    const closed = add.length === 0 ? undefined : await closedSince(tx, before.bug_id)
    if (closed !== undefined && closed < secondsAgo(LONG_CLOSED_SECONDS)) throw errors.reactions_too_late()
    if (caller.joinedAt !== null) await requireRoomForNewAccount(tx, current, { kind: 'comments', count: 0, texts: [] })
    if (add.length > 0) requireOwnRoom('reactions', await countReactionsOf(tx, caller.id), add.length)
    const own = { commentId: id, userId: caller.id }
    const added = await addReactions(tx, { ...own, names: add })
    const removed = await removeReactions(tx, { ...own, names: remove })
    if (added + removed > 0) {
      await noteCommentChanged(tx, before.bug_id)
      await recordCommentEvent(tx, before.bug_id, id, caller.id)
    }
    return presentReactions(tx, { ...current, settings }, id)
  })
}

/** Three months. */
const LONG_CLOSED_SECONDS = 90 * 86_400

async function isReadable(db: Db, context: ReactionContext, id: number): Promise<boolean> {
  const [comment] = await listComments(db, context.settings, insiderParams(context), [id], new Set())
  if (comment !== undefined) return true
  const why = await unreadableCommentError(db, context, id)
  if (why.reason === 'no_such_comment') return false
  throw why
}

function requireReactions({ settings }: Pick<ReactionContext, 'settings'>) {
  if (!settings.use_comment_reactions) throw errors.reactions_off()
}

function namesIn(names: readonly string[]): ReactionName[] {
  return [...new Set(names)].map((name) => {
    const known = reactionIn(name)
    if (known === undefined) throw errors.unknown_reaction({ name, known: REACTIONS.join(', ') })
    return known
  })
}

async function presentReactions(db: Db, context: ReactionContext, id: number) {
  const present: Record<string, object[]> = {}
  for (const name of REACTIONS) {
    const people = await listReactions(db, id, name)
    if (people.length === 0) continue
    present[name] = people.map(({ user_id, login, real_name, nick }) => {
      const shown = loginFor(login, context)
      return { id: user_id, real_name, nick: nick ?? neutralNick(user_id), name: shown, email: shown }
    })
  }
  return present
}
