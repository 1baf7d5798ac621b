import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

/**
 * From the lowest layer up. A file imports from its own folder or from a lower layer, never from the same layer, and never in a circle.
 * The pages are above the server because they import types of it; see below.
 */
const LAYERS = [
  ['shared'],
  ['src/platform'],
  ['src/bug-fields'],
  ['src/access'],
  ['src/changes'],
  ['src/people'],
  ['src/catalogue'],
  ['src/search'],
  ['src/bugs'],
  ['src/outbound', 'src/info', 'src/admin'],
  ['src/moving'],
  ['src/upkeep'],
  ['src/routes.ts', 'src/serving'],
  ['client'],
  ['cli'],
  ['src/pages', 'src/oauth', 'src/mcp'],
  ['src/app.ts', 'src/prepare.ts'],
  ['src/serve.ts'],
  ['src/receive-mail.ts', 'src/fault-sentences.ts'],
  ['src/run.ts'],
  ['src/commands'],
  ['src/bundle'],
  ['src/main.mjs', 'src/lacewing.mjs'],
  ['src/main.ts'],
  ['web/core'],
  ['web/parts'],
  ['web/views'],
  ['web/frame'],
  ['web/main.tsx', 'web/one-script.ts'],
]

const root = fileURLToPath(new URL('..', import.meta.url))

/** Each source of the server and of the pages with the files it imports, as paths from the root of the repository. */
function importsOfSources(): Map<string, string[]> {
  const files = globSync('{cli,client,shared,src,web}/**/*.{ts,tsx,mjs}', { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts'),
  )
  return new Map(files.map((file) => [file, importsOf(file)]))
}

function importsOf(file: string) {
  const text = readFileSync(join(root, file), 'utf8')
  const targets = [...text.matchAll(/(?:from|import|new URL\()\s*\(?'(\.{1,2}\/[^']+\.(?:tsx?|mjs))'/g)].map(
    (match) => match[1] as string,
  )
  return targets.map((target) => relative(root, resolve(dirname(join(root, file)), target)))
}

/** `shared`, `client` or `cli`, or what is directly below `src` or `web`. */
function folderOf(file: string) {
  const [top = '', name = ''] = file.split('/')
  return ['shared', 'client', 'cli'].includes(top) ? top : `${top}/${name}`
}

function layerOf(file: string) {
  return LAYERS.findIndex((folders) => folders.includes(folderOf(file)))
}

function faultsIn(imports: ReadonlyMap<string, string[]>): string[] {
  const faults: string[] = []
  for (const [file, targets] of imports) {
    if (layerOf(file) === -1) faults.push(`${file} is in no layer`)
    for (const target of targets) {
      const isOwnFolder = folderOf(target) === folderOf(file)
      if (!isOwnFolder && layerOf(target) >= layerOf(file))
        faults.push(`${file} imports ${target}, which is not below it`)
    }
    if (reachableFrom(file, imports).has(file)) faults.push(`${file} is in a circle of imports`)
  }
  return faults
}

function reachableFrom(file: string, imports: ReadonlyMap<string, string[]>) {
  const seen = new Set<string>(imports.get(file))
  for (const next of seen) for (const further of imports.get(next) ?? []) seen.add(further)
  return seen
}

describe('the layers', () => {
  const imports = importsOfSources()

  it('are respected by every file', () => {
    for (const top of ['cli', 'client', 'shared', 'src', 'web'])
      assert.ok([...imports.keys()].some((file) => file.startsWith(`${top}/`)))
    assert.ok(imports.size > 1000)
    assert.deepEqual(faultsIn(imports), [])
  })

  it('forbid an import from a higher layer', () => {
    const planted = new Map(imports).set('src/access/caller.ts', ['src/people/users/user.ts'])
    assert.deepEqual(faultsIn(planted), [
      'src/access/caller.ts imports src/people/users/user.ts, which is not below it',
    ])
  })

  it('forbid an import from the same layer', () => {
    const planted = new Map([['src/info/planted.ts', ['src/admin/change-parameters.ts']]])
    assert.match(faultsIn(planted)[0] ?? '', /not below it/)
  })

  it('forbid a circle of imports', () => {
    const planted = new Map([
      ['src/people/one.ts', ['src/people/two.ts']],
      ['src/people/two.ts', ['src/people/one.ts']],
    ])
    assert.deepEqual(faultsIn(planted), [
      'src/people/one.ts is in a circle of imports',
      'src/people/two.ts is in a circle of imports',
    ])
  })

  it('contain every folder', () => {
    assert.deepEqual(faultsIn(new Map([['src/unknown/file.ts', []]])), ['src/unknown/file.ts is in no layer'])
  })

  it('forbid an import of the pages by the server or by what both use, and of anything else by the latter', () => {
    const planted = new Map([
      ['src/pages/serve-pages.ts', ['web/core/router.ts']],
      ['shared/addresses.ts', ['src/platform/errors.ts']],
    ])
    assert.deepEqual(faultsIn(planted), [
      'src/pages/serve-pages.ts imports web/core/router.ts, which is not below it',
      'shared/addresses.ts imports src/platform/errors.ts, which is not below it',
    ])
  })

  it('keeps the whole table of fields out of the scripts of the pages', () => {
    const table = 'shared/bug-fields/bug-fields.ts'
    const readers = [...imports.keys()].filter((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      return !file.startsWith('src/') && /^import (?!type )[^']*'[^']*\/bug-fields\.ts'/m.test(text)
    })
    assert.deepEqual([readers, imports.has(table)], [['shared/bug-fields/page-fields.ts'], true])
  })

  it('lets the pages, the client and the commands for people import only types of the server', () => {
    for (const file of globSync('{cli,client,web}/**/*.{ts,tsx}', { cwd: root })) {
      const text = readFileSync(join(root, file), 'utf8')
      const values = [
        ...text.matchAll(/^import (?!type )[^;]*? from '[^']*\/src\/[^']*'|import\('[^']*\/src\/[^']*'\)/gm),
      ]
      assert.deepEqual(
        values.map(([line]) => `${file}: ${line}`),
        [],
      )
    }
  })

  // The whiteboard stands for every field: what is known about it follows from its entries in these files.
  it('name a field of a bug only where it is described', () => {
    const naming = [...imports.keys()].filter((file) => /\bwhiteboard\b/.test(readFileSync(join(root, file), 'utf8')))
    assert.deepEqual(naming.filter((file) => !file.startsWith('src/platform/')).sort(), [
      'shared/bug-fields/bug-fields.ts',
      'web/core/bugs/field-display.ts',
      'web/core/bugs/field-places.ts',
    ])
  })

  it('let only one file of the server, and one of the commands for people, read the environment', () => {
    const readers = [...imports.keys()].filter((file) => readFileSync(join(root, file), 'utf8').includes('process.env'))
    assert.deepEqual(readers.sort(), ['cli/environment.ts', 'src/platform/config/config.ts'])
  })
})
