import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

/** From the ground up. A file imports from its own room or from a lower floor: never beside, never above, and never in a circle. */
const FLOORS = [
  ['platform'],
  ['access'],
  ['changes'],
  ['people'],
  ['catalogue'],
  ['search'],
  ['bugs'],
  ['outbound', 'info', 'admin'],
  ['routes.ts', 'serving'],
  ['pages'],
  ['app.ts'],
  ['serve.ts'],
  ['receive-mail.ts'],
  ['run.ts'],
  ['main.ts'],
]

const source = fileURLToPath(new URL('../src', import.meta.url))
const web = fileURLToPath(new URL('../web', import.meta.url))

/** Each file below `folder` with the files it imports, as paths from there. */
export function importsBelow(folder: string): Map<string, string[]> {
  const files = globSync('**/*.ts', { cwd: folder }).filter((file) => !file.endsWith('.test.ts'))
  return new Map(files.map((file) => [file, importsOf(folder, file)]))
}

function importsOf(folder: string, file: string) {
  const text = readFileSync(join(folder, file), 'utf8')
  const targets = [...text.matchAll(/(?:from|import|new URL\()\s*\(?'(\.{1,2}\/[^']+\.ts)'/g)].map(
    (match) => match[1] as string,
  )
  return targets.map((target) => relative(folder, resolve(dirname(join(folder, file)), target)))
}

function roomOf(file: string) {
  return file.split('/')[0] as string
}

function floorOf(file: string) {
  return FLOORS.findIndex((rooms) => rooms.includes(roomOf(file)))
}

export function faultsIn(imports: ReadonlyMap<string, string[]>): string[] {
  const faults: string[] = []
  for (const [file, targets] of imports) {
    if (floorOf(file) === -1) faults.push(`${file} stands on no floor`)
    for (const target of targets) {
      const isOwnRoom = roomOf(target) === roomOf(file)
      if (!isOwnRoom && floorOf(target) >= floorOf(file))
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

describe('the floor plan', () => {
  const imports = importsBelow(source)

  it('is kept by every file', () => {
    assert.ok(imports.size > 50)
    assert.deepEqual(faultsIn(imports), [])
  })

  it('is broken by an import that goes up', () => {
    const planted = new Map(imports).set('access/caller.ts', ['people/users/user.ts'])
    assert.deepEqual(faultsIn(planted), ['access/caller.ts imports people/users/user.ts, which is not below it'])
  })

  it('is broken by an import that goes sideways', () => {
    const planted = new Map([['info/planted.ts', ['admin/change-parameters.ts']]])
    assert.match(faultsIn(planted)[0] ?? '', /not below it/)
  })

  it('is broken by a circle', () => {
    const planted = new Map([
      ['people/one.ts', ['people/two.ts']],
      ['people/two.ts', ['people/one.ts']],
    ])
    assert.deepEqual(faultsIn(planted), [
      'people/one.ts is in a circle of imports',
      'people/two.ts is in a circle of imports',
    ])
  })

  it('is broken by a room that it does not know', () => {
    assert.deepEqual(faultsIn(new Map([['cellar/coal.ts', []]])), ['cellar/coal.ts stands on no floor'])
  })

  it('lets the server import only the addresses of the pages, and the pages only types of the server', () => {
    const outside = [...imports].flatMap(([file, targets]) =>
      targets.filter((target) => target.startsWith('..')).map((target) => `${file} imports ${target}`),
    )
    assert.deepEqual(outside, ['pages/serve-pages.ts imports ../web/addresses.ts'])
    for (const file of globSync('**/*.{ts,tsx}', { cwd: web })) {
      const text = readFileSync(join(web, file), 'utf8')
      const values = [...text.matchAll(/^import (?!type )[^;]*? from '[^']*\/src\/[^']*'/gm)]
      assert.deepEqual(
        values.map(([line]) => `${file}: ${line}`),
        [],
      )
    }
  })

  it('lets only config.ts read the environment', () => {
    const readers = [...imports.keys()].filter((file) =>
      readFileSync(join(source, file), 'utf8').includes('process.env'),
    )
    assert.deepEqual(readers, ['platform/config/config.ts'])
  })
})
