import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  help: string
  nodes: { html: string; failureSummary?: string }[]
}

/** Fails with what axe finds: what it is, and the first element that has it. */
export async function expectAccessible(page: Page) {
  const violations = (await page.evaluate(
    `(() => { ${axe}; return axe.run(document).then((it) => it.violations) })()`,
  )) as Violation[]
  const found = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n  ${nodes[0]?.html}\n  ${nodes[0]?.failureSummary}`,
  )
  assert.deepEqual(found, [], `${page.url()}\n${found.join('\n')}`)
}
