import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { VIEW_NAMES } from '../shared/addresses.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const sources = globSync('{cli,client,shared,src,web}/**/*.{ts,tsx,mjs}', { cwd: root })
const written = sources.filter((file) => !/\.test\.tsx?$/.test(file))

describe('ARCHITECTURE.md', () => {
  const text = read('ARCHITECTURE.md')

  it('names every folder with more than a dozen entries', () => {
    const listed = new Set(foldersIn(sectionOf(text, '### How large a folder is')))
    for (const folder of listed) assert.ok(statSync(join(root, folder)).isDirectory(), `${folder} is no folder`)
    const tops = ['bench', 'cli', 'client', 'demo', 'docs', 'scripts', 'shared', 'soak', 'src', 'test', 'web']
    const large = tops.flatMap((top) => [top, ...foldersBelow(top)]).filter((folder) => entriesOf(folder).length > 12)
    assert.ok(large.includes('src/commands'))
    assert.deepEqual(
      large.filter((folder) => !listed.has(folder)),
      [],
    )
  })

  it('names only files that exist', () => {
    const all = globSync('{bench,bin,cli,client,demo,docs,scripts,shared,soak,src,test,web}/**/*.*', { cwd: root })
    const known = new Set([...all, ...readdirSync(root)].map((file) => basename(file)))
    const named = [...text.matchAll(/`((?![-/])[\w./-]+\.(?:tsx?|mjs|css|md|json))`/g)].map(
      (match) => match[1] as string,
    )
    const unknown = named.filter((file) => !known.has(basename(file)))
    assert.ok(named.length > 100)
    assert.deepEqual(unknown, [])
  })

  it('is right that calls, rules, schemas and JSON name no tables', () => {
    const files = written.filter((file) => /-(?:routes|rules|schema|json)\.ts$/.test(file))
    const naming = files.filter((file) => /\b(?:selectFrom|insertInto|updateTable|deleteFrom)\(/.test(read(file)))
    assert.ok(files.length > 50)
    assert.deepEqual(naming, [])
  })

  it('is right that a page is an address and a view of the same name', () => {
    const views = globSync('web/views/*.tsx', { cwd: root }).map((file) => basename(file, '.tsx'))
    assert.deepEqual(views.sort(), [...VIEW_NAMES].sort())
    for (const view of views) assert.match(read(`web/views/${view}.tsx`), /^export function View\(/m, view)
  })

  it('is right that no page writes the type of a response by hand', () => {
    const byHand = /\b(?:get|post|put|del|useData)<(?!At extends|Path extends)/
    const pages = written.filter((file) => file.startsWith('web/'))
    assert.deepEqual(
      pages.filter((file) => byHand.test(read(file))),
      [],
    )
  })
})

describe('STYLE.md', () => {
  it('is right about which files are longer than 250 lines', () => {
    const long = written.filter((file) => read(file).split('\n').length - 1 > 250)
    assert.deepEqual(long.sort(), [...TABLES].sort())
    for (const file of TABLES) assert.ok(read('STYLE.md').includes(file.replace(/^src\//, '')), file)
  })

  it('is right that a comment gives its reason itself, not a document that is not here', () => {
    const known = new Set(
      globSync('{*.md,{docs,client,soak,test}/**/*.md}', { cwd: root }).map((file) => basename(file)),
    )
    const citing = globSync('{bench,cli,client,demo,scripts,shared,soak,src,test,web}/**/*.{ts,tsx,mjs}', { cwd: root })
      .filter((file) => file !== 'test/architecture.test.ts')
      .flatMap((file) =>
        read(file)
          .split('\n')
          .filter((line) => /^\s*(?:\/\/|\/?\*)/.test(line))
          .flatMap((line) => [...line.matchAll(/[\w-]+\.md\b|\(observed\b|\bmock-ups?\b/g)].map(([cited]) => cited))
          .filter((cited) => !known.has(cited))
          .map((cited) => `${file}: ${cited}`),
      )
    assert.deepEqual(citing, [])
  })
})

/** Files in which one looks a name up. */
const TABLES = ['shared/bug-fields/bug-fields.ts', 'src/platform/config/settings.ts', 'src/platform/database/tables.ts']

function sectionOf(text: string, heading: string) {
  return (text.split(`${heading}\n`)[1] ?? '').split('\n## ')[0] ?? ''
}

/** The folders in the first column; those after "and its" are below the one before. */
function foldersIn(section: string): string[] {
  const cells = [...section.matchAll(/^\| (`.*?) \|/gm)].map((match) => match[1] as string)
  return cells.flatMap((cell) => {
    let parent = ''
    return [...cell.matchAll(/(and its )?`([^`]+)`/g)].map(([, isBelow, name = '']) => {
      if (isBelow === undefined && (name.includes('/') || parent === '' || isTop(name))) parent = name
      return parent === name ? name : `${parent}/${name}`
    })
  })
}

function isTop(name: string) {
  return statSync(join(root, name), { throwIfNoEntry: false })?.isDirectory() === true
}

function foldersBelow(folder: string): string[] {
  return globSync(`${folder}/**/`, { cwd: root })
    .map((path) => path.replace(/\/$/, ''))
    .filter((path) => path !== folder && !path.includes('node_modules'))
}

function entriesOf(folder: string) {
  return readdirSync(join(root, folder)).filter((name) => !/^\.|\.test\.tsx?$|\.css$|^node_modules$/.test(name))
}
