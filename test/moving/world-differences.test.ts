import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** The text of each section of docs/compat.md, by its heading, on one line. */
const sections = new Map(
  read('docs/compat.md')
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.split('\n', 1)[0] as string, section.replace(/\s+/g, ' ')]),
)

it('has a sentence in docs/compat.md for every difference that an import may show', () => {
  const lines = read('soak/world-differences.txt').split('\n')
  const differences = lines.filter((line) => line !== '' && !line.startsWith('#'))
  assert.ok(differences.length > 50)
  for (const line of differences) {
    const [, what = '', heading = '', words = ''] = /^(.*?)\s+# ([^:]+): (.+)$/.exec(line) ?? []
    assert.equal(what.split(' | ').length, 4, line)
    assert.ok(sections.has(heading), `docs/compat.md has no section ${heading}: ${line}`)
    assert.ok(sections.get(heading)?.includes(words), `the section ${heading} does not say: ${words}`)
  }
})
