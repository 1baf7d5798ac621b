import type { CallContext } from '../../access/call.ts'
import { type WriteBasis, writeBugs } from '../../access/write-bugs.ts'
import { recordAudit } from '../../changes/audit.ts'
import type { BugTransaction } from '../../platform/database/db.ts'
import { sameAs } from '../../platform/text/fold.ts'
import { secondsAgo, timeNow } from '../../platform/time/clock.ts'
import { readParams } from '../../platform/wire/params.ts'
import { updateAttachments } from '../attachments/update-attachments.ts'
import { addTags } from '../comments/tags/comment-tag-store.ts'
import { type BugState, lockBugStates } from '../editing/bug-state.ts'
import { lockBugs } from '../editing/lock-bugs.ts'
import { updateBugs } from '../editing/update-bugs.ts'
import { updateParams } from '../editing/update-params.ts'
import {
  commentsTagged,
  type HiddenBug,
  type HiddenContent,
  insertHidden,
  type LocationIds,
  readActivity,
} from './activity-store.ts'
import { changedFlags, listFlagRows } from './changed-flags.ts'

export const SPAM = 'spam'
const DAY_SECONDS = 86_400

export type MisuseContext = WriteBasis & Pick<CallContext, 'baseUrl'>

/** Where the bugs of the user are moved to; undefined leaves them where they are. */
export interface NewLocation {
  product: string
  component: string | undefined
  version: string | undefined
  target_milestone?: string | undefined
  groups?: { add: string[]; remove: string[] }
  cc?: { remove: string[] }
}

/**
 * Hides what a user wrote in the last days, in one transaction: comments get the tag spam, attachments become obsolete, and bugs move to another
 * product. What was already tagged or obsolete is not recorded, so that restoring does not change it.
 */
export function hideActivity(
  context: MisuseContext,
  user: { id: number },
  days: number,
  location: NewLocation | undefined,
) {
  return writeBugs(context, async (tx, current) => {
    const activity = await lockActivity(tx, { userId: user.id, since: secondsAgo(days * DAY_SECONDS) })
    const commentIds = activity.comments.map(({ id }) => id)
    const tagged = await commentsTagged(tx, commentIds, SPAM)
    const comments = commentIds.filter((id) => !tagged.has(id))
    const attachments = activity.attachments.filter((it) => it.is_obsolete === 0)
    const isThere = sameAs(location?.product.trim() ?? '')
    const moving = activity.bugs.filter(({ product }) => location !== undefined && !isThere(product))
    const movingIds = moving.map(({ id }) => id)
    const flagged = [...movingIds, ...attachments.map((it) => it.bug_id)]
    const flagsBefore = await listFlagRows(tx, flagged)

    await addTags(tx, comments, [SPAM])
    const attachmentIds = attachments.map(({ id }) => id)
    await setObsolete(tx, current, attachmentIds, true)
    const statesBefore = await lockBugStates(tx, movingIds)
    if (location !== undefined) await moveBugs(tx, current, movingIds, location)
    const statesAfter = new Map((await lockBugStates(tx, movingIds)).map((state) => [state.id, state]))

    const hidden: HiddenContent = {
      comments,
      attachments: attachmentIds,
      bugs: statesBefore.map((before) => hiddenBug(before, statesAfter.get(before.id) ?? before)),
      flags: changedFlags(flagsBefore, await listFlagRows(tx, flagged)),
    }
    const id = await insertHidden(tx, user.id, timeNow(), hidden)
    await recordAudit(tx, auditedUser(current, user.id), { hidden_activity: { removed: '', added: String(id) } })
    return { id, ...countsOf(hidden) }
  })
}

/** Locks the bugs that are written to, then reads again: a change may have come first. */
async function lockActivity(tx: BugTransaction, period: { userId: number; since: string }) {
  const bugIdsOf = ({ bugs, attachments }: Awaited<ReturnType<typeof readActivity>>) => [
    ...new Set([...bugs.map(({ id }) => id), ...attachments.map((it) => it.bug_id)]),
  ]
  const locked = new Set(bugIdsOf(await readActivity(tx, period)))
  await lockBugs(tx, [...locked])
  const { bugs, comments, attachments } = await readActivity(tx, period)
  return {
    bugs: bugs.filter(({ id }) => locked.has(id)),
    comments,
    attachments: attachments.filter((it) => locked.has(it.bug_id)),
  }
}

function hiddenBug(before: BugState, after: BugState): HiddenBug {
  const { id, product, component, version, milestone, groups } = before
  const idsOnlyIn = (one: readonly { id: number }[], other: readonly { id: number }[]) =>
    one.filter((it) => !other.some((same) => same.id === it.id)).map((it) => it.id)
  return {
    id,
    product,
    component,
    version,
    milestone,
    groups: groups.map(({ name }) => name),
    move: {
      from: locationIdsOf(before),
      to: locationIdsOf(after),
      groupsLost: idsOnlyIn(groups, after.groups),
      groupsAdded: idsOnlyIn(after.groups, groups),
      ccAdded: idsOnlyIn(after.cc, before.cc),
    },
  }
}

function locationIdsOf({ product_id, component_id, version_id, milestone_id }: LocationIds): LocationIds {
  return { product_id, component_id, version_id, milestone_id }
}

export function countsOf({ bugs, comments, attachments }: Pick<HiddenContent, 'bugs' | 'comments' | 'attachments'>) {
  return { bugs: bugs.length, comments: comments.length, attachments: attachments.length }
}

export function auditedUser({ caller }: WriteBasis, objectId: number) {
  return { who: caller.id, class: 'User', objectId } as const
}

export async function setObsolete(
  tx: BugTransaction,
  current: MisuseContext,
  ids: readonly number[],
  isObsolete: boolean,
) {
  if (ids.length > 0) await updateAttachments({ ...current, db: tx }, ids, { is_obsolete: isObsolete })
}

export async function moveBugs(
  tx: BugTransaction,
  current: MisuseContext,
  ids: readonly number[],
  location: NewLocation,
) {
  if (ids.length === 0) return
  const rawParams = Object.fromEntries(Object.entries(location).filter(([, value]) => value !== undefined))
  const params = readParams(updateParams, rawParams)
  await updateBugs({ ...current, db: tx, params, rawParams, ifMatch: undefined }, ids.map(String))
}
