import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { root, sectionsIn } from './support/doc-examples.ts'

const pages = [...globSync('*.md', { cwd: root }), ...globSync('docs/**/*.md', { cwd: root })].sort()
const read = (page: string) => readFileSync(root + page, 'utf8')

describe('the documentation', () => {
  for (const page of pages) {
    it(`leads somewhere with every link of ${page}`, () => {
      const links = [...read(page).matchAll(/\]\(([^)\s:]+)\)/g)].map((match) => match[1] as string)
      const dead = links.filter((link) => {
        const [file = '', anchor] = link.split('#')
        const target = file === '' ? page : join(dirname(page), file)
        return !existsSync(root + target) || (anchor !== undefined && !anchorsIn(target).includes(anchor))
      })
      assert.deepEqual(dead, [])
    })
  }

  it('names every setting in docs/operating.md, and none that does not exist', () => {
    const settingsIn = (text: string) => [...new Set(text.match(/LACEWING_[A-Z_]+/g))].sort()
    assert.deepEqual(settingsIn(read('docs/operating.md')), settingsIn(read('src/platform/config.ts')))
  })

  it('shows in ARCHITECTURE.md everything that stands directly below src', () => {
    const text = read('ARCHITECTURE.md')
    const shown = (name: string) => text.includes(`  ${name}${/\.(ts|json)$/.test(name) ? '' : '/'} `)
    assert.deepEqual(
      readdirSync(`${root}src`).filter((name) => !shown(name)),
      [],
    )
  })

  it('mentions no file in ARCHITECTURE.md and STYLE.md that does not exist', () => {
    const files = globSync('{src,test,bench,scripts}/**/*.{ts,mjs}', { cwd: root })
    // `-store.ts` stands for all files that end so.
    const isThere = (name: string) =>
      files.some((file) => file === name || file.endsWith(name.startsWith('-') ? name : `/${name}`))
    const mentioned = ['ARCHITECTURE.md', 'STYLE.md'].flatMap(
      (page) => read(page).match(/[\w/.-]+\.(?:ts|mjs)\b/g) ?? [],
    )
    assert.ok(mentioned.length > 30)
    assert.deepEqual(
      mentioned.filter((name) => !isThere(name)),
      [],
    )
  })
})

/** As GitHub makes them from headings. */
function anchorsIn(page: string): string[] {
  return sectionsIn(page).map(({ heading }) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}
