import type { CallContext } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { viewerOf } from '../../access/visibility/visible-bugs.ts'
import { writeBugs } from '../../access/write-bugs.ts'
import { lockQueue } from '../../catalogue/triage-queues/queue-store.ts'
import { errors } from '../../platform/errors.ts'
import { secondsAgo, timeNow } from '../../platform/time/clock.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { requireVisibleBugs } from '../values/bug-refs.ts'
import { type Claim, endClaim, listClaims, saveClaim } from './claim-store.ts'
import { workedQueue } from './queue-access.ts'
import {
  DECISIONS,
  type DecisionKind,
  deleteOwnDecision,
  endSnooze,
  insertDecision,
  listSnoozes,
  MOST_SNOOZES,
  saveSnooze,
  waitingSince,
} from './triage-store.ts'

const CLAIM_SECONDS = 90
export const MOST_SNOOZE_DAYS = 90
const UNDO_SECONDS = 3600
const DAY_SECONDS = 86_400

/** Shows others of the queue that the caller has the bug open. Returns whose claim it is: another user's stays until it expires. */
export function claimBug(context: CallContext, ref: string, bugRef: string): Promise<Claim> {
  return writeBugs(context, async (tx, current) => {
    const { id: user } = requireLogin(current.caller)
    const queue = await workedQueue(current, ref)
    const [bug = 0] = await requireVisibleBugs(tx, current.settings, viewerOf(current.caller), [bugRef])
    await lockQueue(tx, queue)
    const now = timeNow()
    await saveClaim(tx, { queue: queue.id, bug, user, now, expires: secondsAgo(-CLAIM_SECONDS) })
    const held = (await listClaims(tx, queue.id, now)).find((it) => it.bug_id === bug)
    if (held === undefined) throw new Error('The claim was not saved')
    return held
  })
}

export interface RequestedDecision {
  bug: string
  decision: string
  until: string | undefined
}

/** Records what the caller decided about a bug. A snoozed bug leaves the queue until its time. */
export function decide(context: CallContext, ref: string, requested: RequestedDecision): Promise<number> {
  const kind = DECISIONS.find((it) => it === requested.decision)
  if (kind === undefined)
    throw errors.bad_value({
      name: 'decision',
      value: requested.decision,
      right: `it must be one of ${DECISIONS.join(', ')}`,
    })
  const until = untilFor(kind, requested.until)
  return writeBugs(context, async (tx, current) => {
    const { id: user } = requireLogin(current.caller)
    const queue = await workedQueue(current, ref)
    const [bug = 0] = await requireVisibleBugs(tx, current.settings, viewerOf(current.caller), [requested.bug])
    await lockQueue(tx, queue)
    const at = timeNow()
    const waited = Math.max(0, Math.round((Date.parse(at) - Date.parse(await waitingSince(tx, queue.id, bug))) / 1000))
    if (until === null) await endSnooze(tx, queue.id, bug)
    else {
      if ((await listSnoozes(tx, queue.id, at)).length >= MOST_SNOOZES)
        throw errors.own_limit({
          limit: 'triage_snoozes',
          most: MOST_SNOOZES,
          subject: 'snoozed bugs in a queue',
          remedy: 'decide about some first',
        })
      await saveSnooze(tx, { queue: queue.id, bug, user, until, now: at })
    }
    await endClaim(tx, queue.id, bug, user)
    return insertDecision(tx, { queue: queue.id, bug, user, kind, at, waited, until })
  })
}

function untilFor(kind: DecisionKind, until: string | undefined): string | null {
  if (kind !== 'snoozed') {
    if (until !== undefined) throw errors.bad_value({ name: 'until', value: until, right: 'it is only for snoozed' })
    return null
  }
  if (until === undefined) throw errors.parameter_required({ name: 'until' })
  if (until <= timeNow() || until > secondsAgo(-MOST_SNOOZE_DAYS * DAY_SECONDS))
    throw errors.bad_value({
      name: 'until',
      value: until,
      right: `it must be in the future, at most ${MOST_SNOOZE_DAYS} days away`,
    })
  return until
}

/** Takes back a decision of the caller of the last hour: the record, and the snooze. What was changed in the bug is not changed back. */
export function undoDecision(context: CallContext, ref: string, id: string): Promise<{ id: number }> {
  return writeBugs(context, async (tx, current) => {
    const { id: user } = requireLogin(current.caller)
    const queue = await workedQueue(current, ref)
    await lockQueue(tx, queue)
    const since = secondsAgo(UNDO_SECONDS)
    const undone = await deleteOwnDecision(tx, { queue: queue.id, id: idIn(id) ?? 0, user, since })
    if (undone === undefined) throw errors.no_such_object({ what: 'decision of yours in the last hour', ref: id })
    if (undone.kind === 'snoozed') await endSnooze(tx, queue.id, undone.bug_id)
    return { id: undone.id }
  })
}
