import type { Db } from '../../platform/database/db.ts'
import { UNCONFIRMED } from './workflow.ts'
import { insertTransitions, readWorkflow } from './workflow-store.ts'

/** From each status, or from a new bug (null), into which ones. */
const SHIPPED: readonly (readonly [string | null, readonly string[]])[] = [
  [null, [UNCONFIRMED, 'CONFIRMED', 'IN_PROGRESS']],
  [UNCONFIRMED, ['CONFIRMED', 'IN_PROGRESS', 'RESOLVED']],
  ['CONFIRMED', ['IN_PROGRESS', 'RESOLVED']],
  ['IN_PROGRESS', ['CONFIRMED', 'RESOLVED']],
  ['RESOLVED', [UNCONFIRMED, 'CONFIRMED', 'VERIFIED']],
  // compat: the original ships no step back to RESOLVED, and adds it as soon as the workflow is changed; so do we.
  ['VERIFIED', [UNCONFIRMED, 'CONFIRMED']],
]

/** The steps between the shipped statuses, for a fresh installation. */
export async function createStandardWorkflow(tx: Db) {
  const { statusNamed } = await readWorkflow(tx)
  const idOf = (name: string) => statusNamed(name)?.id as number
  await insertTransitions(
    tx,
    SHIPPED.flatMap(([from, targets]) =>
      targets.map((to) => ({
        from_status_id: from === null ? null : idOf(from),
        to_status_id: idOf(to),
        comment_required: 0 as const,
      })),
    ),
  )
}
