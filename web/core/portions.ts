// Much that is to be drawn is drawn in portions, one after each picture, so that the page reacts in between.
import { useEffect, useState } from 'preact/hooks'
import { afterPaint } from './after-paint.ts'

const waiting = new Set<() => void>()
let isRunning = false

/** Draws a portion after the next picture. Parts of a page take turns. Returns how to give up the turn. */
export function drawNext(draw: () => void): () => void {
  waiting.add(draw)
  if (!isRunning) void drawWaiting()
  return () => waiting.delete(draw)
}

async function drawWaiting() {
  isRunning = true
  while (waiting.size > 0) {
    await afterPaint()
    const [draw] = waiting
    if (draw === undefined) break
    waiting.delete(draw)
    draw()
  }
  isRunning = false
}

/** How many of so many things are drawn by now: a portion at once, and another one in each turn. */
export function useDrawn(all: number, portion: number): number {
  const [drawn, setDrawn] = useState(portion)
  const isMore = drawn < all
  useEffect(() => (isMore ? drawNext(() => setDrawn(drawn + portion)) : undefined), [drawn, isMore, portion])
  return Math.min(drawn, all)
}
