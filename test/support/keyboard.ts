import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { isEveryCombination } from './sample.ts'

/** More than any page has from one control to another that belongs to the same story. */
const MOST_STEPS = 120
/** More than any page has controls. */
const MOST_STOPS = 200
const AT_END = 'nothing has the focus'

const FOCUS_OF_ELEMENT = (it: { isConnected: boolean; ownerDocument: { activeElement: unknown } }) =>
  it.isConnected ? it === it.ownerDocument.activeElement && 'focused' : 'removed'

/**
 * Types a text. In a text field `npm test` inserts what follows the first key at once, which takes a quarter of the processor time: the page
 * reacts to each key. Everywhere else, and in the soak, each letter is a key.
 */
export async function typeText(page: Page, text: string) {
  const isShort = text.length < 3 || isEveryCombination
  if (isShort || !(await page.evaluate<boolean>(IS_TEXT_FIELD))) return page.keyboard.type(text)
  await page.keyboard.type(text.slice(0, 1))
  await page.keyboard.insertText(text.slice(1))
}

const IS_TEXT_FIELD = "document.activeElement.matches('textarea, input')"

/** Presses a button and returns the label of what has the focus before the page is drawn: there the next key goes. */
export function labelFocusedBy(button: Locator): Promise<string | undefined> {
  return button.evaluate(async (element) => {
    const { click, ownerDocument } = element as unknown as Clickable
    click.call(element)
    await Promise.resolve()
    return ownerDocument.activeElement.labels?.[0]?.textContent
  })
}

interface Clickable {
  click(): void
  ownerDocument: { activeElement: { labels?: ArrayLike<{ textContent: string }> } }
}

/** A user without a mouse, who must reach every control with Tab and see where the focus is. */
export class Keyboard {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async press(...keys: readonly string[]) {
    for (const key of keys) await this.page.keyboard.press(key)
    await this.expectFocusKept(keys.join(' '))
  }

  async type(text: string) {
    await typeText(this.page, text)
    await this.expectFocusKept(text)
  }

  /** After each step something has the focus, once something had it on this page: it never falls to the body. */
  private async expectFocusKept(step: string) {
    const ends = Date.now() + LONGEST_WAIT_MILLISECONDS
    for (let wait = 1; ; wait++) {
      const state = await this.page.evaluate<'kept' | 'fallen'>(FOCUS_STATE).catch(() => 'leaving' as const)
      if (state === 'kept') return
      if (Date.now() > ends)
        assert.fail(`After ${step} the focus fell to ${await this.focused()} of ${this.page.url()}`)
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }

  /** Presses Tab until the control has the focus. Finds the control once: to find one by its role takes as long as many keys. */
  async tabTo(control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
    await control.waitFor()
    let element = await control.elementHandle()
    for (let step = 0; step < MOST_STEPS; step++) {
      let found = await element?.evaluate(FOCUS_OF_ELEMENT)
      if (found === 'removed') {
        element = await control.elementHandle()
        found = await element?.evaluate(FOCUS_OF_ELEMENT)
      }
      if (found === 'focused') return this.expectVisibleFocus()
      await this.page.keyboard.press(key)
    }
    assert.fail(`${MOST_STEPS} times ${key} do not lead to ${control}, but to ${await this.focused()}`)
  }

  /** Presses Tab from the control that has the focus to the end of the page. Returns how many controls there were; each showed the focus. */
  async tabToEnd(): Promise<number> {
    for (let stops = 0; stops < MOST_STOPS; stops++) {
      const fault = await this.page.evaluate<string>(FOCUS_FAULT)
      if (fault === AT_END) return stops
      assert.equal(fault, '', fault && (await this.focused()))
      await this.page.keyboard.press('Tab')
    }
    assert.fail(`${MOST_STOPS} times Tab do not lead to the end of the page`)
  }

  /** Tabs to a button or a link, and presses Enter. */
  async use(control: Locator) {
    await this.tabTo(control)
    await this.press('Enter')
  }

  /** Chooses in a combobox that has the focus: types, waits for the option, takes it. */
  async choose(text: string, option: string | RegExp) {
    await typeText(this.page, text)
    await this.page.getByRole('option', { name: option }).and(this.page.locator('.is-active')).waitFor()
    await this.press('Enter')
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
    assert.equal(fault, '', fault && (await this.focused()))
  }

  private focused() {
    return this.page.evaluate<string>('document.activeElement.outerHTML.slice(0, 200)')
  }
}

/** Answers of the server may take so long on a busy machine before a new page has its heading. */
const LONGEST_WAIT_MILLISECONDS = 10_000

/** A page that was just loaded has the focus nowhere, until the first key. */
const FOCUS_STATE = `(() => {
  const isNowhere = document.activeElement === null || document.activeElement === document.body
  if (!isNowhere) window.hadFocus = true
  return isNowhere && window.hadFocus ? 'fallen' : 'kept'
})()`

/** A field in a frame shows the ring around the frame. */
const FOCUS_FAULT = `(() => {
  const { activeElement } = document
  if (activeElement === document.body) return '${AT_END}'
  const { top, bottom, left, right } = activeElement.getBoundingClientRect()
  if (bottom - top < 1 || right - left < 1) return 'what has the focus is not drawn'
  if (bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth) return 'what has the focus is out of sight'
  for (let [at, steps] = [activeElement, 0]; at !== null && steps < 4; at = at.parentElement, steps++) {
    const { outlineStyle, outlineWidth } = getComputedStyle(at)
    if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) return ''
  }
  return 'what has the focus has no ring'
})()`
