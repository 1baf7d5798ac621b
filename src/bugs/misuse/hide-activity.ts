import type { CallContext } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { type WriteBasis, writeBugs } from '../../access/write-bugs.ts'
import { recordAudit } from '../../changes/audit.ts'
import type { BugTransaction } from '../../platform/database/db.ts'
import { secondsAgo, timeNow } from '../../platform/time/clock.ts'
import { readParams } from '../../platform/wire/read-params.ts'
import { updateAttachments } from '../attachments/update-attachments.ts'
import { addTags } from '../comments/tags/comment-tag-store.ts'
import { type BugState, lockBugStates } from '../editing/bug-state.ts'
import { lockBugs } from '../editing/lock-bugs.ts'
import { updateBugs } from '../editing/update-bugs.ts'
import { updateParams } from '../editing/update-params.ts'
import {
  type HiddenBug,
  type HiddenContent,
  type LocationIds,
  lockActivityOf,
  readActivity,
  SPAM,
} from './activity-store.ts'
import { changedFlags, listFlagRows } from './changed-flags.ts'
import { insertHidden } from './hidden-step-store.ts'
import { hideProposals } from './hide-proposals.ts'

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
 * product. What was already tagged or obsolete is not part of it, so that restoring does not change it and the next step hides the rest.
 */
export function hideActivity(
  context: MisuseContext,
  user: { id: number },
  days: number,
  location: NewLocation | undefined,
  deniedText?: string,
) {
  return writeBugs(context, async (tx, current) => {
    const period = { userId: user.id, since: secondsAgo(days * DAY_SECONDS) }
    const { bugs, comments, attachments } = await lockActivity(tx, period, location?.product)
    const movingIds = bugs.map(({ id }) => id)
    const flagged = [...movingIds, ...attachments.map((it) => it.bug_id)]
    const flagsBefore = await listFlagRows(tx, flagged)

    const commentIds = comments.map(({ id }) => id)
    await addTags(tx, commentIds, [SPAM])
    const attachmentIds = attachments.map(({ id }) => id)
    await setObsolete(tx, current, attachmentIds, true)
    const statesBefore = await lockBugStates(tx, movingIds)
    if (location !== undefined) await moveBugs(tx, current, movingIds, location)
    const statesAfter = new Map((await lockBugStates(tx, movingIds)).map((state) => [state.id, state]))

    const hidden: HiddenContent = {
      comments: commentIds,
      attachments: attachmentIds,
      bugs: statesBefore.map((before) => hiddenBug(before, statesAfter.get(before.id) ?? before)),
      flags: changedFlags(flagsBefore, await listFlagRows(tx, flagged)),
      proposals: await hideProposals(tx, period),
      ...(deniedText !== undefined && { deniedText }),
    }
    const id = await insertHidden(tx, { userId: user.id, who: requireLogin(current.caller).id, at: timeNow() }, hidden)
    await recordAudit(tx, auditedUser(current, user.id), { hidden_activity: { removed: '', added: String(id) } })
    return { id, ...countsOf(hidden) }
  })
}

/** What is not hidden yet. Locks the bugs that are written to and the user, then reads again: a change may have come first. */
async function lockActivity(
  tx: BugTransaction,
  period: { userId: number; since: string },
  product: string | undefined,
) {
  const read = async () => {
    const found = await readActivity(tx, period, { isUnhidden: true, exceptProduct: product ?? '', longestText: 0 })
    return product === undefined ? { ...found, bugs: [] } : found
  }
  const first = await read()
  const locked = new Set([...first.bugs.map(({ id }) => id), ...first.attachments.map((it) => it.bug_id)])
  await lockBugs(tx, [...locked])
  await lockActivityOf(tx, period.userId)
  const { bugs, comments, attachments } = await read()
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
