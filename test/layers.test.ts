import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

/** From the lowest layer up. A file imports from its own folder or from a lower layer, never from the same layer, and never in a circle. */
const LAYERS = [
  ['platform'],
  ['bug-fields'],
  ['access'],
  ['changes'],
  ['people'],
  ['catalogue'],
  ['search'],
  ['bugs'],
  ['outbound', 'info', 'admin'],
  ['moving'],
  ['upkeep'],
  ['routes.ts', 'serving'],
  ['pages'],
  ['app.ts', 'prepare.ts'],
  ['serve.ts'],
  ['receive-mail.ts', 'fault-sentences.ts'],
  ['run.ts'],
  ['commands'],
  ['bundle'],
  ['main.mjs', 'lacewing.mjs'],
  ['main.ts'],
]

const source = fileURLToPath(new URL('../src', import.meta.url))
const web = fileURLToPath(new URL('../web', import.meta.url))

/** Each file below `folder` with the files it imports, as paths from there. */
export function importsBelow(folder: string): Map<string, string[]> {
  const files = globSync('**/*.{ts,mjs}', { cwd: folder }).filter((file) => !file.endsWith('.test.ts'))
  return new Map(files.map((file) => [file, importsOf(folder, file)]))
}

function importsOf(folder: string, file: string) {
  const text = readFileSync(join(folder, file), 'utf8')
  const targets = [...text.matchAll(/(?:from|import|new URL\()\s*\(?'(\.{1,2}\/[^']+\.(?:ts|mjs))'/g)].map(
    (match) => match[1] as string,
  )
  return targets.map((target) => relative(folder, resolve(dirname(join(folder, file)), target)))
}

function folderOf(file: string) {
  return file.split('/')[0] as string
}

function layerOf(file: string) {
  return LAYERS.findIndex((folders) => folders.includes(folderOf(file)))
}

export function faultsIn(imports: ReadonlyMap<string, string[]>): string[] {
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
  const imports = importsBelow(source)

  it('are respected by every file', () => {
    assert.ok(imports.size > 50)
    assert.deepEqual(faultsIn(imports), [])
  })

  it('forbid an import from a higher layer', () => {
    const planted = new Map(imports).set('access/caller.ts', ['people/users/user.ts'])
    assert.deepEqual(faultsIn(planted), ['access/caller.ts imports people/users/user.ts, which is not below it'])
  })

  it('forbid an import from the same layer', () => {
    const planted = new Map([['info/planted.ts', ['admin/change-parameters.ts']]])
    assert.match(faultsIn(planted)[0] ?? '', /not below it/)
  })

  it('forbid a circle of imports', () => {
    const planted = new Map([
      ['people/one.ts', ['people/two.ts']],
      ['people/two.ts', ['people/one.ts']],
    ])
    assert.deepEqual(faultsIn(planted), [
      'people/one.ts is in a circle of imports',
      'people/two.ts is in a circle of imports',
    ])
  })

  it('contain every folder', () => {
    assert.deepEqual(faultsIn(new Map([['unknown/file.ts', []]])), ['unknown/file.ts is in no layer'])
  })

  it('lets the server import only the addresses and the texts of the pages, and the pages only types of the server', () => {
    const outside = [...imports].flatMap(([file, targets]) =>
      targets.filter((target) => target.startsWith('..')).map((target) => `${file} imports ${target}`),
    )
    assert.deepEqual([...new Set(outside)].sort(), [
      'bugs/comments/reading/piece-html.ts imports ../web/text/text-pieces.ts',
      'bugs/comments/reading/render-comment.ts imports ../web/text/text-pieces.ts',
      'bugs/comments/reading/render-markdown.ts imports ../web/text/markdown-tree.ts',
      'bugs/comments/reading/render-markdown.ts imports ../web/text/text-pieces.ts',
      'pages/old-links.ts imports ../web/addresses.ts',
      'pages/serve-pages.ts imports ../web/addresses.ts',
      'pages/serve-pages.ts imports ../web/first-calls.ts',
    ])
    const ofTexts = [...importsBelow(join(web, 'text')).values()].flat()
    assert.deepEqual(
      ofTexts.filter((target) => target.startsWith('..')),
      [],
      'web/text imports nothing else of the pages',
    )
    for (const file of globSync('**/*.{ts,tsx}', { cwd: web })) {
      const text = readFileSync(join(web, file), 'utf8')
      const values = [...text.matchAll(/^import (?!type )[^;]*? from '[^']*\/src\/[^']*'/gm)]
      assert.deepEqual(
        values.map(([line]) => `${file}: ${line}`),
        [],
      )
    }
  })

  it('let only config.ts read the environment', () => {
    const readers = [...imports.keys()].filter((file) =>
      readFileSync(join(source, file), 'utf8').includes('process.env'),
    )
    assert.deepEqual(readers, ['platform/config/config.ts'])
  })
})
