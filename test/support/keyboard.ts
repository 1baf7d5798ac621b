import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** More than any page has from one control to another that belongs to the same story. */
const MOST_STEPS = 120

/** A user without a mouse, who must reach every control with Tab and see where the focus is. */
export class Keyboard {
  private readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async press(...keys: readonly string[]) {
    for (const key of keys) await this.page.keyboard.press(key)
  }

  async type(text: string) {
    await this.page.keyboard.type(text)
  }

  /** Presses Tab until the control has the focus. */
  async tabTo(control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
    await control.waitFor()
    for (let step = 0; step < MOST_STEPS; step++) {
      if (await control.evaluate((it) => it === it.ownerDocument.activeElement)) return this.expectVisibleFocus()
      await this.page.keyboard.press(key)
    }
    assert.fail(`${MOST_STEPS} times ${key} do not lead to ${control}, but to ${await this.focused()}`)
  }

  /** Tabs to a button or a link, and presses Enter. */
  async use(control: Locator) {
    await this.tabTo(control)
    await this.page.keyboard.press('Enter')
  }

  /** Chooses in a combobox that has the focus: types, waits for the option, takes it. */
  async choose(text: string, option: string | RegExp) {
    await this.page.keyboard.type(text)
    await this.page.getByRole('option', { name: option }).and(this.page.locator('.is-active')).waitFor()
    await this.page.keyboard.press('Enter')
  }

  /** Waits until the control has the focus without a key: a step of a story ends where the next one begins. */
  async expectFocus(control: Locator) {
    try {
      await control.and(this.page.locator(':focus')).waitFor()
    } catch {
      assert.fail(`The focus is on ${await this.focused()}, not on ${control}`)
    }
  }

  async expectVisibleFocus() {
    const fault = await this.page.evaluate<string>(FOCUS_FAULT)
    assert.equal(fault, '', await this.focused())
  }

  private focused() {
    return this.page.evaluate<string>('document.activeElement.outerHTML.slice(0, 200)')
  }
}

/** A field in a frame shows the ring around the frame. */
const FOCUS_FAULT = `(() => {
  const { activeElement } = document
  const { top, bottom, left, right } = activeElement.getBoundingClientRect()
  if (bottom - top < 1 || right - left < 1) return 'what has the focus is not drawn'
  if (bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth) return 'what has the focus is out of sight'
  for (let [at, steps] = [activeElement, 0]; at !== null && steps < 4; at = at.parentElement, steps++) {
    const { outlineStyle, outlineWidth } = getComputedStyle(at)
    if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) return ''
  }
  return 'what has the focus has no ring'
})()`
