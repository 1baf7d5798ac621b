import type { Page } from 'playwright-core'

/** More than any place has. */
const MOST_STOPS = 600
const MOST_BUTTONS = 250

/** The page shows its content, and has asked for nothing for a moment. */
export async function settled(page: Page) {
  await page.locator('main h1').first().waitFor()
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
  await page.evaluate(QUIET)
}

/** Goes round the page with Tab. Returns the controls that Tab and arrows do not reach, and the stops that do not show the focus. */
export async function walkWithTab(page: Page): Promise<string[]> {
  await page.evaluate("window.stopsOfWalk = new Set(); document.querySelector('.skip-link').focus()")
  const found: string[] = []
  for (let step = 0; step < MOST_STOPS; step++) {
    await page.keyboard.press('Tab')
    const state = await page.evaluate<string>(STOP)
    if (state === 'end') return [...found, ...(await page.evaluate<string[]>(missedIn('#main')))]
    if (state !== '') found.push(state)
  }
  return [...found, `${MOST_STOPS} times Tab do not lead round the page`]
}

/**
 * Presses every button of the content with Enter, and every item of its menus. What opens gets the focus, keeps Tab inside if it is a
 * dialog, and Escape closes it; afterwards the focus is where it was. Returns what was not so. `look` is called while something is open.
 */
export async function pressEverything(page: Page, open: () => Promise<void>, look: () => Promise<string[]>) {
  const walk = new PressWalk(page, look)
  const done = new Set<string>()
  await walk.begin(open)
  while (done.size < MOST_BUTTONS) {
    const next = (await page.evaluate<string[]>('window.buttonNames()')).find((it) => !done.has(it))
    if (next === undefined) return walk.found
    done.add(next)
    await walk.press(next)
    if (await walk.isElsewhere()) await walk.begin(open)
  }
  return [...walk.found, `more than ${MOST_BUTTONS} buttons`]
}

class PressWalk {
  readonly found: string[] = []
  private readonly page: Page
  private readonly look: () => Promise<string[]>

  constructor(page: Page, look: () => Promise<string[]>) {
    this.page = page
    this.look = look
  }

  async begin(open: () => Promise<void>) {
    await open()
    await this.page.evaluate(TOOLS)
  }

  isElsewhere() {
    return this.page.evaluate<boolean>('window.isElsewhere()')
  }

  async press(button: string) {
    await this.key('Enter', button)
    await this.expectFocus(`${button}: Enter`)
    if (await this.has('dialog[open]')) return this.walkDialog(button)
    if (!(await this.has('[role=menu]'))) return
    this.found.push(...(await this.look()).map((it) => `${button}: ${it}`))
    const items = await this.page.locator('[role=menuitem]').count()
    await this.key('Escape')
    await this.expectFocus(`${button}: Escape in the menu`)
    for (let item = 0; item < items && !(await this.isElsewhere()); item++) await this.takeItem(button, item)
  }

  private async takeItem(button: string, item: number) {
    if (!(await this.key('Enter', button))) return
    for (let step = 0; step < item; step++) await this.page.keyboard.press('ArrowDown')
    const name = `${button}: ${await this.page.evaluate<string>('document.activeElement.textContent')}`
    await this.key('Enter')
    await this.expectFocus(name)
    if (await this.has('dialog[open]')) await this.walkDialog(name)
    // An item that cannot be used now leaves the menu open.
    else if (await this.has('[role=menu]')) await this.key('Escape')
  }

  private async walkDialog(opener: string) {
    const { page } = this
    await page.locator('dialog [aria-busy=true]').first().waitFor({ state: 'detached' })
    const faults = await this.look()
    await page.evaluate('window.stopsOfWalk = new Set(); window.lastStop = undefined')
    for (let step = 0; step < MOST_STOPS; step++) {
      const state = await page.evaluate<string>(STOP_IN_DIALOG)
      if (state === 'end') break
      if (state !== '') faults.push(state)
      await page.keyboard.press('Tab')
    }
    faults.push(...(await page.evaluate<string[]>(missedIn('dialog[open]'))))
    await this.key('Escape')
    if (await this.has('dialog[open]')) faults.push('Escape does not close the dialog')
    const after = await page.evaluate<string>(
      `document.activeElement === window.pressed ? '' : (${NAME_OF})(document.activeElement)`,
    )
    if (after !== '') faults.push(`after Escape the focus is on ${after}`)
    this.found.push(...faults.map((it) => `${opener}: ${it}`))
  }

  /** On the button, if one is named; returns whether it is there. */
  private async key(key: string, button?: string) {
    const name = JSON.stringify(button)
    if (button !== undefined && !(await this.page.evaluate<boolean>(`window.focusButton(${name})`))) return false
    await this.page.keyboard.press(key)
    await this.page.evaluate(QUIET)
    return true
  }

  private has(selector: string) {
    return this.page.evaluate<boolean>(`document.querySelector(${JSON.stringify(selector)}) !== null`)
  }

  private async expectFocus(what: string) {
    const isSomewhere = 'document.activeElement !== null && document.activeElement !== document.body'
    for (let wait = 0; wait < 40; wait++) {
      if (await this.page.evaluate<boolean>(isSomewhere)) return
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    this.found.push(`${what}: the focus is nowhere`)
  }
}

const QUIET = `(async () => {
  const last = () => performance.getEntriesByType('resource').reduce((time, it) => Math.max(time, it.responseEnd), 0)
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  while (performance.now() - last() <= 100) await new Promise((resolve) => setTimeout(resolve, 50))
})()`

const NAME_OF = `(it) => {
  const name = it.getAttribute('aria-label') ?? it.labels?.[0]?.textContent ?? it.textContent ?? ''
  return it.tagName.toLowerCase() + '.' + (it.getAttribute('class') ?? '') + ' “' + name.trim().slice(0, 50) + '”'
}`

/** A field for a date has a stop for each of its parts. A field in a frame shows the ring around the frame. */
const STOP = `(() => {
  const nameOf = ${NAME_OF}
  const it = document.activeElement
  if (it === document.body || it.matches('.skip-link')) return 'end'
  if (window.stopsOfWalk.has(it)) return ''
  window.stopsOfWalk.add(it)
  const { top, bottom, left, right } = it.getBoundingClientRect()
  if (bottom - top < 1 || right - left < 1) return 'not drawn: ' + nameOf(it)
  if (bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth) return 'out of sight: ' + nameOf(it)
  const middle = [Math.max(0, left) + Math.min(innerWidth, right), Math.max(0, top) + Math.min(innerHeight, bottom)]
  const above = document.elementFromPoint(middle[0] / 2, middle[1] / 2)?.closest('.change-bar, .top-bar, .tab-bar') ?? null
  if (above !== null && !above.contains(it)) return 'covered by ' + nameOf(above) + ': ' + nameOf(it)
  for (let [at, steps] = [it, 0]; at !== null && steps < 4; at = at.parentElement, steps++) {
    const { outlineStyle, outlineWidth } = getComputedStyle(at)
    if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) return ''
  }
  return 'no ring: ' + nameOf(it)
})()`

/** Past the last control Tab leads to the browser, and then to the first one again. */
const STOP_IN_DIALOG = `(() => {
  const it = document.activeElement
  if (it === document.body) return ''
  if (it.closest('dialog[open]') === null) return 'the focus is not in the dialog'
  const wasHere = window.stopsOfWalk.has(it)
  if (wasHere && (window.lastStop !== it || !/^date/.test(it.type))) return 'end'
  window.lastStop = it
  window.stopsOfWalk.add(it)
  const { top, bottom, left, right } = it.getBoundingClientRect()
  return bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth ? 'out of sight: ' + (${NAME_OF})(it) : ''
})()`

/** Of several controls in such a part Tab reaches one, and arrows the others. */
const COMPOSITES =
  '[role=grid], [role=radiogroup], [role=menu], [role=listbox], [role=tablist], [role=toolbar], fieldset, table'
const CONTROLS =
  'a[href], button, input:not([type=file]), select, textarea, summary, [role=button], [role=slider], [draggable=true]'

function missedIn(part: string) {
  return `(() => {
    const stops = [...window.stopsOfWalk]
    const isSameRadio = (it, stop) => it.type === 'radio' && stop.type === 'radio' && it.name === stop.name
    const isByArrows = (it, stop) => it.tabIndex < 0 && it.closest('${COMPOSITES}')?.contains(stop)
    return [...document.querySelectorAll('${part} :is(${CONTROLS})')]
      .filter((it) => it.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !it.disabled)
      .filter((it) => !stops.some((stop) => it.contains(stop) || isSameRadio(it, stop) || isByArrows(it, stop)))
      .map((it) => 'not reached: ' + (${NAME_OF})(it))
  })()`
}

/** Buttons by name, because they are drawn anew while they are pressed one after the other. */
const TOOLS = `{
  const address = location.href
  window.isElsewhere = () => location.href !== address
  const buttons = () => {
    const seen = new Map()
    return [...document.querySelectorAll('#main :is(button, summary, [role=button])')]
      .filter((it) => it.checkVisibility({ visibilityProperty: true }) && it.closest('[role=menu], nav') === null)
      .map((it) => {
        const part = it.closest('[aria-label]:not(button)')?.getAttribute('aria-label') ?? ''
        const name = part + ' / ' + (it.getAttribute('aria-label') ?? it.textContent).trim().slice(0, 60)
        seen.set(name, (seen.get(name) ?? 0) + 1)
        return [name + ' ' + seen.get(name), it]
      })
  }
  window.buttonNames = () => buttons().map(([name]) => name)
  window.focusButton = (name) => {
    window.pressed = buttons().find((it) => it[0] === name)?.[1]
    window.pressed?.focus()
    return window.pressed !== undefined
  }
}`
