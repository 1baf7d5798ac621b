import { requireLogin } from '../../access/caller.ts'
import { writeBugs } from '../../access/write-bugs.ts'
import { CONTROL } from '../../catalogue/group-controls/group-control.ts'
import { recordAudit } from '../../changes/audit.ts'
import { listUsersByIds } from '../../people/users/user-store.ts'
import type { BugTransaction } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { listBugIdsOf } from '../attachments/attachment-store.ts'
import { type BugState, lockBugStates } from '../editing/bug-state.ts'
import { listComponentCc } from '../editing/fields/location-store.ts'
import { listControlledGroups } from '../rights/bug-groups.ts'
import {
  type HiddenBug,
  type HiddenContent,
  type HiddenMove,
  listAttachmentStates,
  listGroupNames,
  lockActivityOf,
  readLocationNames,
  untagSpam,
} from './activity-store.ts'
import { takeHidden } from './hidden-step-store.ts'
import { auditedUser, countsOf, type MisuseContext, moveBugs, type NewLocation, setObsolete } from './hide-activity.ts'
import { restoreProposals } from './hide-proposals.ts'
import { restoreFlags } from './restore-flags.ts'

/**
 * Undoes one step of hiding, all of it or nothing. What was changed or deleted since then is left alone. Throws 51 if there is no step of
 * this id, or if it was undone already. Returns the number of things that were restored, and with
 * what the step disabled the account.
 */
export function restoreActivity(context: MisuseContext, user: { id: number }, id: number) {
  return writeBugs(context, async (tx, current) => {
    const step = { userId: user.id, who: requireLogin(current.caller).id, at: timeNow() }
    const hidden = await takeHidden(tx, id, step)
    if (hidden === undefined) throw errors.no_such_object({ what: 'hidden activity', ref: String(id) })
    const states = await lockBugsOf(tx, hidden)
    await lockActivityOf(tx, user.id)
    const comments = await untagSpam(tx, hidden.comments)

    const known = await listAttachmentStates(tx, hidden.attachments)
    const attachments = known.filter((it) => it.is_obsolete === 1).map((it) => it.id)
    await setObsolete(tx, current, attachments, false)

    const bugs = hidden.bugs.filter((bug) => isWhereItWasMoved(bug, states.get(bug.id)))
    await moveBack(tx, current, bugs, states)

    await restoreProposals(tx, hidden.proposals ?? [])
    await restoreFlags(tx, current, flagsToRestore(hidden, new Set(attachments), new Set(bugs.map((bug) => bug.id))))
    await recordAudit(tx, auditedUser(current, user.id), { hidden_activity: { removed: String(id), added: '' } })
    return { id, ...countsOf({ bugs, comments, attachments }), deniedText: hidden.deniedText }
  })
}

/** Bugs that go to the same place are moved together. */
async function moveBack(
  tx: BugTransaction,
  current: MisuseContext,
  bugs: readonly HiddenBug[],
  states: ReadonlyMap<number, BugState>,
) {
  const places = new Map<string, { location: NewLocation; ids: number[] }>()
  for (const bug of bugs) {
    const location = await formerLocation(tx, current, bug, states.get(bug.id) as BugState)
    const name = JSON.stringify(location)
    const place = places.get(name) ?? { location, ids: [] }
    place.ids.push(bug.id)
    places.set(name, place)
  }
  for (const { location, ids } of places.values()) await moveBugs(tx, current, ids, location)
}

/** The current states of all bugs that are written to, locked in one step. */
async function lockBugsOf(tx: BugTransaction, { bugs, attachments, flags = [] }: HiddenContent) {
  const ids = [
    ...bugs.map(({ id }) => id),
    ...(await listBugIdsOf(tx, attachments)),
    ...flags.map(({ before }) => before.bug_id),
  ]
  return new Map((await lockBugStates(tx, [...new Set(ids)])).map((state) => [state.id, state]))
}

/** False for a bug that was deleted, or that was moved to a third product since. */
function isWhereItWasMoved({ move }: HiddenBug, state: BugState | undefined) {
  return state !== undefined && (move === undefined || state.product_id === move.to.product_id)
}

/** Flags come back only with the attachment that became obsolete and the bug that was moved. */
function flagsToRestore(
  hidden: HiddenContent,
  attachments: ReadonlySet<number>,
  bugs: ReadonlySet<number>,
): NonNullable<HiddenContent['flags']> {
  const wasObsolete = new Set(hidden.attachments)
  const wasMoved = new Set(hidden.bugs.map(({ id }) => id))
  return (hidden.flags ?? []).filter(({ before: { bug_id, attachment_id } }) => {
    const isLeft = wasMoved.has(bug_id) && !bugs.has(bug_id)
    const isHolderLeft = attachment_id !== null && wasObsolete.has(attachment_id) && !attachments.has(attachment_id)
    return !isLeft && !isHolderLeft
  })
}

/** Names are read anew, because a product or a group may have been renamed. */
async function formerLocation(
  tx: BugTransaction,
  current: MisuseContext,
  bug: HiddenBug,
  state: BugState,
): Promise<NewLocation> {
  const { product, component, version, milestone, groups = [], move } = bug
  const target_milestone = milestone
  if (move === undefined) return { product, component, version, target_milestone, groups: { add: groups, remove: [] } }
  const names = await readLocationNames(tx, move.from)
  return {
    product: names?.product ?? product,
    component: names?.component ?? component,
    version: names?.version ?? version,
    target_milestone: names?.milestone ?? target_milestone,
    groups: {
      add: (await listGroupNames(tx, move.groupsLost)).map(({ name }) => name),
      remove: await groupsToRemove(tx, current, move, state),
    },
    cc: { remove: await ccToRemove(tx, move, state) },
  }
}

/** Groups that hiding added, and that the move back would keep. */
async function groupsToRemove(tx: BugTransaction, { caller }: MisuseContext, move: HiddenMove, state: BugState) {
  const { groups } = requireLogin(caller)
  const controlled = await listControlledGroups(tx, move.from.product_id)
  return controlled
    .filter(({ id, member_control }) => groups.ids.has(id) && member_control !== CONTROL.Mandatory)
    .filter(({ id }) => move.groupsAdded.includes(id) && state.groups.some((group) => group.id === id))
    .map(({ name }) => name)
}

/** Users whom the two components add to the CC list by default, if they were not in it before. */
async function ccToRemove(tx: BugTransaction, { from, ccAdded }: HiddenMove, { cc }: BugState) {
  const isInCc = (id: number) => cc.some((user) => user.id === id)
  const addedAgain = (await listComponentCc(tx, [from.component_id])).map(({ id }) => id).filter((id) => !isInCc(id))
  const ids = [...ccAdded.filter(isInCc), ...addedAgain]
  return ids.length === 0 ? [] : (await listUsersByIds(tx, ids)).map(({ login }) => login)
}
