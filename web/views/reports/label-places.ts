const LABEL_HEIGHT = 14

/** Where labels stand that would cover each other: one right above the other. */
export function apart(places: readonly number[]): readonly number[] {
  const taken: number[] = []
  for (const place of places) {
    let free = place
    const covered = () => taken.find((it) => Math.abs(it - free) < LABEL_HEIGHT)
    for (let it = covered(); it !== undefined; it = covered()) free = it - LABEL_HEIGHT
    taken.push(free)
  }
  return taken
}
