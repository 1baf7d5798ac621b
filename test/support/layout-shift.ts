import type { Page } from 'playwright-core'

/** What has moved since the page was loaded, without the reader having done anything. */
export function shiftsOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(SHIFTS)
}

// The entries of a frame are there in the frame after it.
const SHIFTS = `new Promise((resolve) => {
  const found = []
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue
      const moved = sources.map(({ node, previousRect: a, currentRect: b }) =>
        node?.nodeName + '.' + node?.className + ' from ' + [a.x, a.y, a.width, a.height] + ' to ' + [b.x, b.y, b.width, b.height])
      found.push(value + ': ' + moved.join('; '))
    }
  }).observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(found), 50)))
})`
