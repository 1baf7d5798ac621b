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
const GLYPHS = ['priority-', 'severity-', 'status-']

/** The classes of a style sheet that no source of the pages gives to an element, whole or by the beginning of a name that ends with a value. */
function unusedClasses(styles: string, sources: string): string[] {
  const classes = classesIn(styles)
  const given = new Set(givenClasses(sources, classes))
  const beginnings = [...sources.matchAll(/([a-z][\w-]*-)\$\{/g)].map(([, name]) => name as string)
  const isUsed = (name: string) => given.has(name) || [...GLYPHS, ...beginnings].some((it) => name.startsWith(it))
  return [...classes].filter((name) => !isUsed(name)).sort()
}

function classesIn(styles: string): Set<string> {
  const rules = styles.replaceAll(/\/\*[\s\S]*?\*\/|@import[^;]*;/g, '')
  return new Set([...rules.matchAll(/\.(-?[a-zA-Z_][\w-]*)(?=[^{}]*\{)/g)].map(([, name]) => name as string))
}

/** The words of attributes that hold classes, and those of other texts that consist of classes only. */
function givenClasses(sources: string, classes: ReadonlySet<string>): string[] {
  const attributes = [...sources.matchAll(/\b(?:c|\w+C)lass=("[^"]*"|\{[^}]*\}[^>\n]*)/g)].flatMap(([text]) =>
    wordsOf(text),
  )
  const texts = [...sources.matchAll(/'([^'\n]*)'|"([^"\n]*)"|`([^`\n]*)`/g)].map((it) =>
    wordsOf(
      it
        .slice(1)
        .join('')
        .replaceAll(/[\w-]*\$\{[^}]*\}/g, ' '),
    ),
  )
  return [...attributes, ...texts.filter((words) => words.every((word) => classes.has(word))).flat()]
}

function wordsOf(text: string): string[] {
  return text.match(/[\w-]+/g) ?? []
}

describe('the style sheets', () => {
  it('are all in style.css, each once', () => {
    const listed = [...textOf('web/style.css').matchAll(/@import "\.\/([^"]+)"/g)].map(([, file]) => `web/${file}`)
    const files = globSync('web/**/*.css', { cwd: root }).filter((file) => file !== join('web', 'style.css'))
    assert.deepEqual(listed.sort(), files.map((file) => file.replaceAll('\\', '/')).sort())
  })
})

describe('the classes of the style sheets', () => {
  const sources = textOf('{web,shared,src/pages}/**/*.{ts,tsx}')

  it('are all used by the pages', () => {
    const styles = textOf('web/**/*.css')
    assert.ok(styles.length > 50_000)
    assert.deepEqual(unusedClasses(styles, sources), [])
  })

  it('are noticed when nothing uses them, even if a sentence has their name', () => {
    assert.deepEqual(unusedClasses('.button, .no-such-class:hover, .because { color: red }', sources), [
      'because',
      'no-such-class',
    ])
  })
})
