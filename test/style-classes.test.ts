import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const textOf = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')

/** The icons of priorities, severities and statuses: their class is made of the kind and the shape (parts/glyphs.tsx). */
const GLYPHS = ['pr-', 'sv-', 'st-']

/** The classes of a style sheet that no source of the pages names, whole or by the beginning of a name that ends with a value. */
function unusedClasses(styles: string, sources: string): string[] {
  const rules = styles.replaceAll(/\/\*[\s\S]*?\*\//g, '')
  const classes = new Set([...rules.matchAll(/\.(-?[a-zA-Z_][\w-]*)(?=[^{}]*\{)/g)].map(([, name]) => name as string))
  const words = new Set(sources.match(/[\w-]+/g))
  const beginnings = [...sources.matchAll(/([a-z][\w-]*-)\$\{/g)].map(([, name]) => name as string)
  const isUsed = (name: string) => words.has(name) || [...GLYPHS, ...beginnings].some((it) => name.startsWith(it))
  return [...classes].filter((name) => !isUsed(name)).sort()
}

describe('the classes of the style sheets', () => {
  const sources = textOf('{web,shared,src/pages}/**/*.{ts,tsx}')

  it('are all used by the pages', () => {
    const styles = textOf('web/**/*.css')
    assert.ok(styles.length > 50_000)
    assert.deepEqual(unusedClasses(styles, sources), [])
  })

  it('are noticed when nothing uses them', () => {
    assert.deepEqual(unusedClasses('.btn, .no-such-class:hover { color: red }', sources), ['no-such-class'])
  })
})
