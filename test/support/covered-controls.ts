import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** Waits for a message at the edge of the page, and fails if it covers something that can be used. */
export async function expectMessageCoversNothing(page: Page) {
  await page.locator('.toast').waitFor()
  // A message is placed again with the frame after a change.
  const covered = await page.evaluate(
    `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
      const message = document.querySelector('.toast').getBoundingClientRect()
      const controls = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, .change-bar, .tab-bar')]
      resolve(controls.filter((it) => {
        const box = it.getBoundingClientRect()
        return it.closest('.toasts') === null && it.checkVisibility({ visibilityProperty: true }) && box.width > 1
          && box.left < message.right && box.right > message.left && box.top < message.bottom && box.bottom > message.top
      }).map((it) => it.outerHTML.slice(0, 200)))
    })))`,
  )
  assert.deepEqual(covered, [])
}
