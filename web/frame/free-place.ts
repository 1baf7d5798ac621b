/** A rectangle of the window, from its left upper corner. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

interface Size {
  width: number
  height: number
}

export interface Place {
  left: number
  top: number
  /** Whether it covers nothing there. */
  isFree: boolean
}

const MARGIN = 16
const STEP = 8
/** Between a message and what it must not cover. */
const GAP = 4

/**
 * Where a message covers nothing of `taken`, in `area`: as low as possible, at the right, in the middle or at the left. If there is no such place,
 * where it covers least.
 */
export function freePlace({ width, height }: Size, taken: readonly Box[], area: Box): Place {
  const lefts = [area.right - MARGIN - width, (area.left + area.right - width) / 2, area.left + MARGIN]
  let best = { left: 0, top: 0, isFree: false, covered: Number.POSITIVE_INFINITY }
  for (let top = area.bottom - MARGIN - height; top >= area.top + GAP; top -= STEP)
    for (const wanted of lefts) {
      const left = Math.max(0, wanted)
      const covered = coveredBy({ left, top, right: left + width, bottom: top + height }, taken)
      if (covered === 0) return { left, top, isFree: true }
      if (covered < best.covered) best = { left, top, isFree: false, covered }
    }
  return best
}

function coveredBy(box: Box, taken: readonly Box[]) {
  let sum = 0
  for (const it of taken) {
    const across = Math.min(box.right, it.right + GAP) - Math.max(box.left, it.left - GAP)
    const down = Math.min(box.bottom, it.bottom + GAP) - Math.max(box.top, it.top - GAP)
    if (across > 0 && down > 0) sum += across * down
  }
  return sum
}
