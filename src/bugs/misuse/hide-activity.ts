import type { CallContext } from '../../access/call.ts'
import { type WriteBasis, writeBugs } from '../../access/write-bugs.ts'
import { recordAudit } from '../../changes/audit.ts'
import type { BugTransaction } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { secondsAgo, timeNow } from '../../platform/time/clock.ts'
import { readParams } from '../../platform/wire/params.ts'
import { updateAttachments } from '../attachments/update-attachments.ts'
import { addTags, removeTags } from '../comments/tags/comment-tag-store.ts'
import { lockBugs } from '../editing/lock-bugs.ts'
import { updateBugs } from '../editing/update-bugs.ts'
import { updateParams } from '../editing/update-params.ts'
import {
  commentsTagged,
  type HiddenBug,
  type HiddenContent,
  insertHidden,
  milestonesAndGroups,
  readActivity,
  takeHidden,
} from './activity-store.ts'

const SPAM = 'spam'
const DAY_SECONDS = 86_400

type MisuseContext = WriteBasis & Pick<CallContext, 'baseUrl'>

/** Where the bugs of the user are moved to; undefined leaves them where they are. */
export interface NewLocation {
  product: string
  component: string | undefined
  version: string | undefined
}

/**
 * Hides what a user wrote in the last days, in one transaction: comments get the tag spam, attachments become obsolete, and bugs move to another
 * product. What was so before is not part of it, so that restoring leaves it alone.
 */
export function hideActivity(
  context: MisuseContext,
  user: { id: number },
  days: number,
  location: NewLocation | undefined,
) {
  return writeBugs(context, async (tx, current) => {
    const activity = await readActivity(tx, { userId: user.id, since: secondsAgo(days * DAY_SECONDS) })
    const bugIds = [...activity.bugs.map(({ id }) => id), ...activity.attachments.map((it) => it.bug_id)]
    await lockBugs(
      tx,
      [...new Set(bugIds)].sort((one, other) => one - other),
    )
    const commentIds = activity.comments.map(({ id }) => id)
    const tagged = await commentsTagged(tx, commentIds, SPAM)
    const moved = activity.bugs.filter(({ product }) => location !== undefined && product !== location.product)
    const more = await milestonesAndGroups(
      tx,
      moved.map(({ id }) => id),
    )
    const hidden: HiddenContent = {
      comments: commentIds.filter((id) => !tagged.has(id)),
      attachments: activity.attachments.filter((it) => it.is_obsolete === 0).map(({ id }) => id),
      bugs: moved.map(({ id, product, component, version }) => ({ id, product, component, version, ...more.get(id) })),
    }
    await addTags(tx, hidden.comments, [SPAM])
    await setObsolete(tx, current, hidden.attachments, true)
    if (location !== undefined)
      await moveBugs(
        tx,
        current,
        hidden.bugs.map(({ id }) => id),
        location,
      )
    const id = await insertHidden(tx, user.id, timeNow(), hidden)
    await recordAudit(tx, audited(current, user.id), { hidden_activity: { removed: '', added: String(id) } })
    return { id, ...countsOf(hidden) }
  })
}

/** Undoes one step of hiding. Throws 51 if there is none of this id, or if it was undone already. */
export function restoreActivity(context: MisuseContext, user: { id: number }, id: number) {
  return writeBugs(context, async (tx, current) => {
    const hidden = await takeHidden(tx, id, user.id, timeNow())
    if (hidden === undefined) throw errors.no_such_object({ what: 'hidden activity', ref: String(id) })
    await lockBugs(
      tx,
      hidden.bugs.map((bug) => bug.id).sort((one, other) => one - other),
    )
    for (const comment of hidden.comments) await removeTags(tx, comment, [SPAM])
    await setObsolete(tx, current, hidden.attachments, false)
    for (const bug of hidden.bugs) await moveBugs(tx, current, [bug.id], formerLocation(bug))
    await recordAudit(tx, audited(current, user.id), { hidden_activity: { removed: String(id), added: '' } })
    return { id, ...countsOf(hidden) }
  })
}

/** The groups come back with the product: the move may have taken them away. */
function formerLocation({ product, component, version, milestone, groups = [] }: HiddenBug): FormerLocation {
  return {
    product,
    component,
    version,
    ...(milestone !== undefined && { target_milestone: milestone }),
    ...(groups.length > 0 && { groups: { add: groups } }),
  }
}

interface FormerLocation extends NewLocation {
  target_milestone?: string
  groups?: { add: string[] }
}

export function countsOf({ bugs, comments, attachments }: HiddenContent) {
  return { bugs: bugs.length, comments: comments.length, attachments: attachments.length }
}

function audited({ caller }: WriteBasis, objectId: number) {
  return { who: caller.id, class: 'User', objectId } as const
}

async function setObsolete(tx: BugTransaction, current: MisuseContext, ids: readonly number[], isObsolete: boolean) {
  if (ids.length > 0) await updateAttachments({ ...current, db: tx }, ids, { is_obsolete: isObsolete })
}

async function moveBugs(tx: BugTransaction, current: MisuseContext, ids: readonly number[], location: FormerLocation) {
  if (ids.length === 0) return
  const rawParams = Object.fromEntries(Object.entries(location).filter(([, value]) => value !== undefined))
  const params = readParams(updateParams, rawParams)
  await updateBugs({ ...current, db: tx, params, rawParams, ifMatch: undefined }, ids.map(String))
}
