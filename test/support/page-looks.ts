import type { Page } from 'playwright-core'

/** What reaches out of the window, unless a part of the page that scrolls by itself holds it. */
export function widerThanWindow(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(WIDER)
}

/** Markup of a name that became an element, and names whose direction characters turn other words of the page. */
export function hostileEffects(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(HOSTILE_EFFECTS)
}

const WIDER = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement
  const found = scrollWidth > clientWidth ? ['the page is ' + scrollWidth + ' pixels wide'] : []
  const holds = (it) => it !== null && (getComputedStyle(it).overflowX !== 'visible' || holds(it.parentElement))
  for (const it of document.querySelectorAll('body *')) {
    const { right, left, width } = it.getBoundingClientRect()
    if (width === 0 || right < 0 || (right <= clientWidth + 1 && left >= -1) || holds(it.parentElement)) continue
    found.push(it.tagName + '.' + it.getAttribute('class') + ' from ' + Math.round(left) + ' to ' + Math.round(right))
  }
  return found.slice(0, 6)
})()`

/**
 * A name ends the reach of its direction characters with its own element (bdi, dir=auto) or with isolates around it. Otherwise nothing may
 * follow it in its paragraph.
 */
const HOSTILE_EFFECTS = `(() => {
  const found = [...document.querySelectorAll('body [onclick]')].map((it) => 'an element of a name: ' + it.outerHTML.slice(0, 80))
  const isolates = /\\u2068[^\\u2068\\u2069]*\\u2069/g
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const isShown = (node) => node.parentElement.checkVisibility() && node.parentElement.closest('.visually-hidden, textarea, option') === null && node.data.trim() !== ''
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!node.data.includes('\\u202e') || !isShown(node)) continue
    const open = node.data.replaceAll(isolates, '').match(/\\u202e(.*)$/s)
    // A list of parameters as JSON is shown as it is, in an element of its own.
    if (open === null || node.data.startsWith('[{')) continue
    const where = node.parentElement.closest('[class]')?.className + ' “' + node.data.slice(0, 30) + '…' + node.data.slice(-40) + '”'
    if (!/^(&amp;)?\\w*…?$/.test(open[1])) {
      found.push('words after a name in one text: ' + where)
      continue
    }
    let scope = node.parentElement
    const ends = (it) => { const { unicodeBidi, display } = getComputedStyle(it); return unicodeBidi !== 'normal' || !display.startsWith('inline') || display !== 'inline' }
    while (!ends(scope)) scope = scope.parentElement
    const texts = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT)
    texts.currentNode = node
    const next = texts.nextNode()
    const isSameLine = (it) => { let at = it.parentElement; while (at !== scope) { if (ends(at)) return false; at = at.parentElement } return true }
    if (next !== null && isShown(next) && isSameLine(next)) found.push('words after a name: ' + where + ' then “' + next.data.slice(0, 40) + '”')
  }
  return [...new Set(found)]
})()`
