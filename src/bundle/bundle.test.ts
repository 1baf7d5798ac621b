import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundledFile, findBundle } from './bundle.mjs'

const root = mkdtempSync(join(tmpdir(), 'lacewing-bundle-'))
const cache = join(root, 'cache')
after(() => rmSync(root, { recursive: true }))

function write(file: string, text: string) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

const EMPTY = [
  'src/commands/run-command.ts',
  'src/some-thread.ts',
  'shared/addresses.ts',
  'client/index.ts',
  'cli/main.ts',
]
for (const file of EMPTY) write(file, '')
write('package.json', '{ "type": "module" }')
write('node_modules/.package-lock.json', '{}')
cpSync(fileURLToPath(new URL('./stack-traces.ts', import.meta.url)), join(root, 'src/bundle/stack-traces.ts'))
write(
  'src/run.ts',
  `import { number } from './number.ts'
export const address: string = import.meta.url
export const thread = () => new Worker(new URL('./some-thread.ts', import.meta.url)) as never
class Worker { constructor(address: URL) { Object.assign(this, { address }) } }

export interface NotInTheBundle {}
export function fail(): never { throw new Error(\`the number is \${number}\`) }
`,
)
write('src/number.ts', 'export const number: number = 1\n')

const run = async () => {
  const folder = await findBundle(root, cache)
  return { folder, ...(await import(pathToFileURL(bundledFile(folder, 'run.ts')).href)) }
}

it('bundles the server once, and again after each change of a source or of a package', async () => {
  const first = await run()
  assert.throws(first.fail, /the number is 1/)
  assert.equal((await run()).folder, first.folder)
  // The same length, and the same moment for a file system with coarse times.
  write('src/number.ts', 'export const number: number = 2\n')
  const second = await run()
  assert.throws(second.fail, /the number is 2/)
  write('node_modules/.package-lock.json', '{ }')
  const third = await run()
  assert.equal(new Set([first.folder, second.folder, third.folder]).size, 3)
  write('node_modules/.package-lock.json', '{}')
  assert.equal((await run()).folder, second.folder, 'a bundle of these very sources is still there')
  assert.ok(existsSync(first.folder), 'a server may still run from it')
  writeFileSync(bundledFile(first.folder, 'run.ts'), '')
  write('src/number.ts', 'export const number: number = 1\n')
  assert.ok(
    readFileSync(bundledFile((await run()).folder, 'run.ts')).length > 0,
    'one with an empty file is built again',
  )
  write('src/number.ts', 'export const number: number = 2\n')
})

it('keeps the addresses of the sources, starts threads from the bundle, and names the sources in stack traces', async () => {
  const { folder, address, thread, fail } = await run()
  const source = pathToFileURL(join(root, 'src/run.ts')).href
  assert.equal(address, source)
  const started = fileURLToPath(thread().address)
  assert.equal(started, join(folder, 'some-thread.mjs'))
  assert.ok(existsSync(started))
  const { prepareStackTrace } = Error
  try {
    assert.throws(fail, ({ stack }: Error) => {
      const [head, place] = (stack ?? '').split('\n')
      assert.equal(head, 'Error: the number is 2')
      assert.equal(place, `    at fail (${source}:7:39)`)
      return true
    })
  } finally {
    Error.prepareStackTrace = prepareStackTrace
  }
})

it('is built by several processes at once, and keeps the five bundles that were used last', async () => {
  for (let number = 3; number < 9; number++) {
    write('src/number.ts', `export const number: number = ${number}\n`)
    const folders = await Promise.all([findBundle(root, cache), findBundle(root, cache)])
    assert.equal(folders[0], folders[1])
  }
  const left = readdirSync(join(cache, 'server'))
  assert.equal(left.length, 5)
  assert.ok(left.every((name) => /^[0-9a-f]{32}$/.test(name)))
  assert.throws((await run()).fail, /the number is 8/)
})

it('keeps a bundle that a process still runs from', async () => {
  const { folder } = await run()
  writeFileSync(join(folder, `process-${process.pid}`), '')
  const unused = bundleFolders()
  for (let number = 10; number < 16; number++) {
    write('src/number.ts', `export const number: number = ${number}\n`)
    await findBundle(root, cache)
  }
  const left = bundleFolders()
  assert.deepEqual(
    unused.filter((name) => left.includes(name)),
    [basename(folder)],
  )
  // No process has this number: it is above the highest that Linux gives.
  renameSync(join(folder, `process-${process.pid}`), join(folder, 'process-4194305'))
  for (let number = 20; number < 26; number++) {
    write('src/number.ts', `export const number: number = ${number}\n`)
    await findBundle(root, cache)
  }
  assert.ok(!existsSync(folder))
})

const bundleFolders = () => readdirSync(join(cache, 'server'))

it('fails where it cannot be written or built', async () => {
  await assert.rejects(findBundle(root, join(root, 'package.json')), /ENOTDIR/)
  write('src/number.ts', `export { number } from '../web/outside.ts'\n`)
  write('web/outside.ts', 'export const number = 1\n')
  await assert.rejects(findBundle(root, cache), /web\/outside\.ts/)
})

it('ends a start with the reason if it cannot be built, and prints one if it cannot be saved', () => {
  for (const file of ['main.mjs', 'bundle/bundle.mjs', 'bundle/bundle-sources.mjs', 'bundle/build-bundle.ts'])
    cpSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), join(root, 'src', file))
  write('src/run.ts', `export const run = () => console.log('It runs.')\n`)
  const start = () => {
    const words = ['--disable-warning=ExperimentalWarning', join(root, 'src/main.mjs')]
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
    return { status, stdout, stderr: stderr.trimEnd().split('\n') }
  }
  const missing = start()
  assert.deepEqual([missing.status, missing.stdout, missing.stderr.length], [1, '', 1])
  assert.match(missing.stderr[0] ?? '', /^The server cannot be bundled: Cannot find package 'esbuild'/)
  symlinkSync(dirname(fileURLToPath(import.meta.resolve('esbuild/package.json'))), join(root, 'node_modules/esbuild'))
  write('.cache', 'This is not a folder.')
  const unsaved = start()
  assert.deepEqual([unsaved.status, unsaved.stdout, unsaved.stderr.length], [0, 'It runs.\n', 1])
  assert.match(
    unsaved.stderr[0] ?? '',
    /^The bundle of the server cannot be saved \(.*\), so it starts from its sources/,
  )
  rmSync(join(root, '.cache'))
  assert.deepEqual(start(), { status: 0, stdout: 'It runs.\n', stderr: [''] })
})
