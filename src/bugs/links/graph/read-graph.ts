import type { CallContext } from '../../../access/call.ts'
import { viewerOf } from '../../../access/visibility/visible-bugs.ts'
import { keptFields } from '../../../catalogue/fields/field-store.ts'
import { keptWorkflow } from '../../../catalogue/workflow/workflow-store.ts'
import { errors } from '../../../platform/errors.ts'
import { requireVisibleBugs } from '../../values/bug-refs.ts'
import { type GraphBug, type GraphLinkKind, listGraphBugs, listLinks, listNeighbours } from './graph-store.ts'
import { walk } from './walk.ts'

export const DEFAULT_DEPTH = 3
export const DEEPEST = 9
const MOST_BUGS = 2000
const MOST_LINKS = 20_000

/** Each kind of link is followed on its own, so that a bug that only shares a dependency with the start is not in the graph. */
const LINK_KINDS = {
  dependencies: ['depends_on', 'blocks'],
  duplicates: ['duplicates'],
} as const satisfies Record<string, readonly GraphLinkKind[]>

type Relationship = keyof typeof LINK_KINDS

/** The bugs that are linked with a bug. A bug that the caller does not see ends the path, so nothing behind it is found. */
export async function readGraph(context: CallContext, ref: string, relationship: Relationship, depth: number) {
  const { caller, settings, request } = context
  const db = context.db.within(request.readLimits)
  const viewer = viewerOf(caller)
  const [start = 0] = await requireVisibleBugs(db, settings, viewer, [ref])
  const steps = new Map<number, number>()
  let isComplete = true
  for (const kind of LINK_KINDS[relationship]) {
    const walked = await walk(start, depth, MOST_BUGS - steps.size + (steps.size > 0 ? 1 : 0), (of, most) =>
      listNeighbours(db, settings, viewer, { kind, from: of, most }),
    )
    for (const [id, step] of walked.steps) steps.set(id, Math.min(step, steps.get(id) ?? step))
    isComplete &&= walked.isComplete
  }
  const ids = [...steps.keys()]
  const links = await listLinks(db, settings, viewer, { relationship, among: ids, most: MOST_LINKS + 1 })
  const bugs = await listGraphBugs(db, settings, viewer, ids)
  const present = await presenter(context)
  return {
    id: start,
    relationship,
    depth,
    is_complete: isComplete && links.length <= MOST_LINKS,
    bugs: bugs.map((bug) => ({ ...present(bug), steps: steps.get(bug.id) ?? 0 })),
    links: links.slice(0, MOST_LINKS),
  }
}

async function presenter({ catalogue }: CallContext) {
  const fields = await catalogue(keptFields)
  const workflow = await catalogue(keptWorkflow)
  return ({ id, summary, status_id, resolution_id }: GraphBug) => ({
    id,
    summary,
    status: fields.valueWithId(status_id)?.name ?? '',
    resolution: fields.valueWithId(resolution_id)?.name ?? '',
    is_open: workflow.isOpen(status_id),
  })
}

export function relationshipIn(input: string | undefined): Relationship {
  const relationship = input?.trim().toLowerCase() || 'dependencies'
  if (relationship === 'dependencies' || relationship === 'duplicates') return relationship
  throw errors.bad_value({ name: 'relationship', value: input, right: 'it must be dependencies or duplicates' })
}

export function depthIn(input: number | undefined): number {
  const depth = input ?? DEFAULT_DEPTH
  if (depth > DEEPEST) throw errors.number_too_large({ name: 'depth', value: depth, most: String(DEEPEST) })
  if (depth < 1) throw errors.number_too_small({ name: 'depth', value: depth, least: '1' })
  return depth
}
