/** What a walk found: how many steps away each thing is, and whether that is all there was. */
export interface WalkResult {
  steps: Map<number, number>
  isComplete: boolean
}

/**
 * Goes from one thing to its neighbours, to theirs and so on, for at most `depth` steps and until `most` things are found. One question
 * for each step. What is further away than `depth` steps is not missing; what is left out for being too many is.
 */
export async function walk(
  start: number,
  depth: number,
  most: number,
  neighbours: (of: readonly number[], most: number) => Promise<readonly number[]>,
): Promise<WalkResult> {
  const steps = new Map([[start, 0]])
  let frontier = [start]
  for (let step = 1; step <= depth && frontier.length > 0; step++) {
    // One more than there is room for tells that something is left out, even when all that is known already comes again.
    const found = await neighbours(frontier, most + 1)
    const fresh = found.filter((id) => !steps.has(id))
    const room = most - steps.size
    frontier = fresh.slice(0, room)
    for (const id of frontier) steps.set(id, step)
    if (fresh.length > room || found.length > most) return { steps, isComplete: false }
  }
  return { steps, isComplete: true }
}
