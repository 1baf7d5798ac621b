/** The number of steps to each item, and whether all items within the depth were found. */
export interface WalkResult {
  steps: Map<number, number>
  isComplete: boolean
}

/**
 * Searches breadth-first from one item, for at most `depth` steps and until `most` items are found, with one query per step. The
 * result is incomplete only if `most` was too small; items further away than `depth` do not count.
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
    // One more than the limit shows that something was left out, even if all known items are among the neighbours again.
    const found = await neighbours(frontier, most + 1)
    const fresh = found.filter((id) => !steps.has(id))
    const room = most - steps.size
    frontier = fresh.slice(0, room)
    for (const id of frontier) steps.set(id, step)
    if (fresh.length > room || found.length > most) return { steps, isComplete: false }
  }
  return { steps, isComplete: true }
}
