import type { Db } from '../../platform/database/db.ts'
import { UNCONFIRMED } from './workflow.ts'
import { insertTransitions, readWorkflow } from './workflow-store.ts'

/** The transitions of a new installation: from each status, or from a new bug (null), to which statuses. */
const SHIPPED: readonly (readonly [string | null, readonly string[]])[] = [
  [null, [UNCONFIRMED, 'CONFIRMED', 'IN_PROGRESS']],
  [UNCONFIRMED, ['CONFIRMED', 'IN_PROGRESS', 'RESOLVED']],
  ['CONFIRMED', ['IN_PROGRESS', 'RESOLVED']],
  ['IN_PROGRESS', ['CONFIRMED', 'RESOLVED']],
  ['RESOLVED', [UNCONFIRMED, 'CONFIRMED', 'VERIFIED']],
  // compat: as in Bugzilla, the transition to RESOLVED is missing until the workflow is changed for the first time.
  ['VERIFIED', [UNCONFIRMED, 'CONFIRMED']],
]

/** Creates the transitions between the standard statuses in a new installation. */
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
