import type { Page } from 'playwright-core'

/** The controls in sight that are smaller than a target may be (WCAG 2.2, 2.5.8), each with its size. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(SMALL)
}

/**
 * What is pressed counts, not what is drawn: a label belongs to its field, and an area that a style lays around a control to that control.
 * A link among the words of a sentence is as high as its line.
 */
const SMALL = `(() => {
  const SMALLEST = 23.5
  const CONTROLS = 'a[href], button, input, select, textarea, summary, [role=button], [role=option], [role=menuitem], [role=tab], [role=slider]'
  const isInSentence = (it) => {
    if (it.tagName !== 'A' || getComputedStyle(it).display !== 'inline') return false
    let block = it.parentElement
    while (getComputedStyle(block).display.startsWith('inline')) block = block.parentElement
    if (getComputedStyle(block).display.includes('flex') || getComputedStyle(block).display.includes('grid')) return false
    const isText = (node) => {
      if (node.nodeType === Node.TEXT_NODE) return /[\\p{L}\\p{N}]/u.test(node.data)
      if (!(node instanceof Element) || node.matches(CONTROLS + ', .visually-hidden, svg')) return false
      return node.checkVisibility() && [...node.childNodes].some(isText)
    }
    return [...block.childNodes].some(isText)
  }
  const sizeOf = (it) => {
    const boxes = [it, it.closest('label')].filter((one) => one !== null).map((one) => one.getBoundingClientRect())
    for (const pseudo of ['::before', '::after']) {
      const { content, position, width, height } = getComputedStyle(it, pseudo)
      if (content !== 'none' && position === 'absolute') boxes.push({ width: Number.parseFloat(width), height: Number.parseFloat(height) })
    }
    return [Math.max(...boxes.map(({ width }) => width)), Math.max(...boxes.map(({ height }) => height))]
  }
  const found = new Set()
  for (const it of document.querySelectorAll(CONTROLS)) {
    if (!it.checkVisibility({ visibilityProperty: true }) || it.closest('.visually-hidden') !== null || it.type === 'file' || it.matches('.skip-link')) continue
    const [width, height] = sizeOf(it)
    if (width === 0 || (width > SMALLEST && height > SMALLEST) || isInSentence(it)) continue
    const name = (it.getAttribute('aria-label') ?? it.textContent).trim().slice(0, 30)
    found.add(it.tagName.toLowerCase() + '.' + it.getAttribute('class') + ' in .' + it.parentElement.className + ' “' + name + '” ' + Math.round(width) + '×' + Math.round(height))
  }
  return [...found]
})()`
