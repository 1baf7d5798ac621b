import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isStyledApart, VIEW_NAMES } from '../shared/addresses.ts'

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
  const texts = [...sources.matchAll(/'([^'\n]*)'|"([^"\n]*)"|`([^`\n]*)`/g)].map((it) =>
    wordsOf(
      it
        .slice(1)
        .join('')
        .replaceAll(/[\w-]*\$\{[^}]*\}/g, ' '),
    ),
  )
  return [...classAttributes(sources), ...texts.filter((words) => words.every((word) => classes.has(word))).flat()]
}

function classAttributes(sources: string): string[] {
  return [...sources.matchAll(/\b(?:c|\w+C)lass=("[^"]*"|\{[^}]*\}[^>\n]*)/g)].flatMap(([text]) => wordsOf(text))
}

function wordsOf(text: string): string[] {
  return text.match(/[\w-]+/g) ?? []
}

const [FIRST, APART] = ['web/style.css', 'web/style-apart.css']
const sheetsIn = (file: string) =>
  [...textOf(file).matchAll(/@import "\.\/([^"]+)"/g)].map(([, sheet]) => `web/${sheet}`)

/** The sources that run while only the first style sheet is loaded: those of most views, without parts that are loaded with the second one. */
function sourcesOfFirstSheet(): string[] {
  const views = VIEW_NAMES.filter((name) => !isStyledApart({ name })).map((name) => `web/views/${name}.tsx`)
  const all = new Set(['web/main.tsx', 'web/one-script.ts', ...views])
  for (const file of all)
    for (const [, other = ''] of textOf(file)
      .replaceAll(/import type [^;]*?from '[^']*'|typeof import\([^)]*\)|withStyleApart\(import\([^)]*\)/g, '')
      .matchAll(/(?:from |import |import\()'(\.[^']+\.tsx?)'/g))
      all.add(posix.join(posix.dirname(file), other))
  return [...all]
}

describe('the style sheets', () => {
  it('are all in style.css or style-apart.css, each once, and both end with the same ones', () => {
    const [first, apart] = [sheetsIn(FIRST), sheetsIn(APART)]
    const last = first.filter((sheet) => apart.includes(sheet))
    assert.deepEqual(first.slice(-last.length), apart.slice(-last.length))
    const files = globSync('web/**/*.css', { cwd: root }).map((file) => file.replaceAll('\\', '/'))
    assert.deepEqual([...first, ...apart, ...last, FIRST, APART].sort(), [...files, ...last, ...last].sort())
  })

  it('have every class that a page with only the first of them uses', () => {
    const sources = sourcesOfFirstSheet()
    assert.ok(sources.includes('web/views/list/bulk/bulk-preview.tsx') && !sources.includes('web/views/admin.tsx'))
    const first = classesIn(sheetsIn(FIRST).map(textOf).join('\n'))
    const apart = classesIn(sheetsIn(APART).map(textOf).join('\n'))
    const given = new Set(classAttributes(sources.map(textOf).join('\n')))
    assert.deepEqual([...apart].filter((name) => given.has(name) && !first.has(name)).sort(), [])
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
