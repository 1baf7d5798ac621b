import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { isEveryCombination } from './sample.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Only violations are read, so axe does not describe the elements that pass. */
const ALL_RULES = { resultTypes: ['violations'] }
/** Rules about the whole page would find faults in a part of it. */
const ALL_RULES_OF_A_PART = { ...ALL_RULES, rules: { region: { enabled: false } } }
const CONTRAST = { ...ALL_RULES, runOnly: ['color-contrast'] }

interface Violation {
  id: string
  help: string
  nodes: { html: string; failureSummary?: string }[]
}

/** Fails with what axe finds in the page, or in one part of it: the rule, and each element that breaks it. */
export async function expectAccessible(page: Page, part?: string) {
  // The policy of the page forbids scripts of others; the debugger is not bound by it.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(AXE)
  await expectNoViolations(page, part, part === undefined ? ALL_RULES : ALL_RULES_OF_A_PART)
}

/** For a step between pages that are checked in every run: `npm run soak -- matrices` checks it too. */
export async function expectAccessibleInSoak(page: Page) {
  if (isEveryCombination) await expectAccessible(page)
}

/**
 * All rules in the light theme. In the dark one only the contrast can differ, and test/theme-contrast.test.ts checks its colours, so only
 * `npm run soak -- matrices` looks at the page again.
 */
export async function expectAccessibleInBothThemes(page: Page, part?: string) {
  await expectAccessible(page, part)
  if (!isEveryCombination) return
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNoViolations(page, part, CONTRAST, ' in the dark theme')
  await page.emulateMedia({ colorScheme: 'light' })
}

async function expectNoViolations(page: Page, part: string | undefined, options: object, where = '') {
  const context = part === undefined ? 'document' : JSON.stringify(part)
  const run = `axe.run(${context}, ${JSON.stringify(options)}).then(({ violations }) => violations)`
  const violations = (await page.evaluate(run)) as Violation[]
  const faults = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html}\n  ${failureSummary}`),
  )
  assert.deepEqual(faults, [], `${page.url()}${where}\n${faults.join('\n')}`)
}
