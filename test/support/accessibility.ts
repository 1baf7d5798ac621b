import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Only violations are read, so axe does not describe the elements that pass. */
const ALL_RULES = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`
const CONTRAST = ALL_RULES.replace('{ ', `{ runOnly: ['color-contrast'], `)

interface Violation {
  id: string
  help: string
  nodes: { html: string; failureSummary?: string }[]
}

/** Fails with what axe finds: the rule, and each element that breaks it. */
export async function expectAccessible(page: Page) {
  // The policy of the page forbids scripts of others; the debugger is not bound by it.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(AXE)
  await expectNoViolations(page, ALL_RULES)
}

/** All rules in the light theme; in the dark one only the contrast, because all else is the same. */
export async function expectAccessibleInBothThemes(page: Page) {
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNoViolations(page, CONTRAST, ' in the dark theme')
  await page.emulateMedia({ colorScheme: 'light' })
}

async function expectNoViolations(page: Page, run: string, where = '') {
  const violations = (await page.evaluate(run)) as Violation[]
  const faults = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html}\n  ${failureSummary}`),
  )
  assert.deepEqual(faults, [], `${page.url()}${where}\n${faults.join('\n')}`)
}
