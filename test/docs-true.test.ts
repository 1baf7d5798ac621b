import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { readConfig } from '../src/platform/config/config.ts'
import { definitionOf, settingNames } from '../src/platform/config/settings.ts'
import { errorKinds } from '../src/platform/errors.ts'
import { calls } from '../src/routes.ts'
import { root, sectionsIn } from './support/doc-examples.ts'

const pages = [...globSync('*.md', { cwd: root }), ...globSync('docs/**/*.md', { cwd: root })].sort()
const read = (page: string) => readFileSync(root + page, 'utf8')

describe('the documentation', () => {
  for (const page of pages) {
    it(`has no broken link in ${page}`, () => {
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
    // Each can be in a file.
    const settingsIn = (text: string) =>
      [...new Set(text.match(/LACEWING_[A-Z_]+/g)?.map((name) => name.replace(/_FILE$/, '')))].sort()
    assert.deepEqual(settingsIn(read('docs/operating.md')), settingsIn(read('src/platform/config/config.ts')))
  })

  for (const page of pages) {
    it(`names only calls, errors and parameters that exist in ${page}`, () => {
      const text = read(page)
      assert.deepEqual(unknownCalls(text), [], 'calls')
      assert.deepEqual(unknownErrors(text), [], 'error numbers with their status')
      assert.deepEqual(unknownParameters(text), [], 'parameters')
    })
  }

  it('names tests of pages in docs/compat.md that exist, and every one of the administration', () => {
    const rows = sectionsIn('docs/compat.md').find(({ heading }) => heading === 'Administration pages')?.text ?? ''
    const named = [...rows.matchAll(/`((?:admin\/)?[\w-]+(?:\.test)?\.ts)`/g)].map(([, name = '']) => name)
    assert.deepEqual(
      named.filter((name) => !existsSync(join(root, 'test/pages', name))),
      [],
    )
    const stories = readdirSync(join(root, 'test/pages/admin')).map((name) => `admin/${name}`)
    assert.deepEqual(
      stories.filter((name) => !named.includes(name)),
      [],
    )
    const pages = [
      'products',
      'components',
      'versions',
      'milestones',
      'classifications',
      'users',
      'groups',
      'flagtypes',
    ]
    for (const page of [...pages, 'keywords', 'fields', 'values', 'workflow', 'params', 'settings', 'whines'])
      assert.match(rows, new RegExp(`\\| [^|]*\`edit${page}\\.cgi\``), page)
  })

  it('names every script of Bugzilla in docs/compat.md, in one of its tables of pages', () => {
    const named = sectionsIn('docs/compat.md')
      .filter(({ heading }) => ['Administration pages', 'Other pages'].includes(heading))
      .flatMap(({ text }) => [...text.matchAll(/`(\w+)\.cgi/g)].map(([, name]) => name))
    const tested = read('test/rest/old-links.test.ts')
    const [list = ''] = /const SCRIPTS = \[[^;]*?\n\]/.exec(tested) ?? []
    const scripts = [...list.matchAll(/'(\w+)'/g)].map(([, name = '']) => name)
    assert.ok(scripts.length > 40)
    assert.deepEqual(
      scripts.filter((name) => !named.includes(name)),
      [],
    )
  })

  it('names every POST that returns 200 in docs/api/README.md', () => {
    const plain = calls.filter(({ method, status = 200 }) => method === 'POST' && status === 200)
    const [sentence = ''] = /A `POST` returns 201[^.]*\./.exec(read('docs/api/README.md')) ?? []
    const named = [...sentence.matchAll(/`POST \/rest([^`]*)`/g)].map(([, path]) => path)
    assert.deepEqual(named.sort(), plain.map(({ path }) => path.replace(/:(\w+)/g, '($1)')).sort())
  })

  it('has the limits of the server in docs/operating.md', () => {
    const { limits } = readConfig({})
    const rows = sectionsIn('docs/operating.md').find(({ heading }) => heading === 'Limits')?.text ?? ''
    const mebibytes = (bytes: number) => `${bytes / 1024 / 1024} MiB`
    for (const part of [
      `| body | ${mebibytes(limits.bodyBytes)}, ${mebibytes(limits.fileBodyBytes)} for a new attachment`,
      `| address | ${limits.addressCharacters.toLocaleString('en')} characters`,
      `| headers and address together | ${limits.headerBytes / 1024} KiB`,
      `| time to send a request | ${limits.requestMilliseconds / 1000} seconds`,
      `| idle connection | ${limits.keepAliveMilliseconds / 1000} seconds`,
      `to be closed | ${mebibytes(limits.discardBytes)}, ${limits.discardMilliseconds / 1000} seconds`,
      `\`rate_limit_anonymous\`, ${definitionOf('rate_limit_anonymous')?.defaultText} a minute`,
      `\`feed_listeners\`, ${definitionOf('feed_listeners')?.defaultText};`,
    ])
      assert.ok(rows.includes(part), `it has no “${part}”`)
  })

  it('lists everything directly below src in ARCHITECTURE.md', () => {
    const text = read('ARCHITECTURE.md')
    const shown = (name: string) => text.includes(`  ${name}${/\.(ts|mjs|json)$/.test(name) ? '' : '/'} `)
    assert.deepEqual(
      readdirSync(`${root}src`).filter((name) => !name.endsWith('.test.ts') && !shown(name)),
      [],
    )
  })

  it('mentions only files that exist, also in comments of the code', () => {
    const files = globSync('{bin,cli,src,shared,client,web,test,bench,soak,demo,scripts}/**/*.{ts,tsx,mjs}', {
      cwd: root,
    })
    // `-store.ts` stands for all files that end so. Types in JavaScript name their file with `./`.
    const isThere = (name: string) =>
      files.some(
        (file) => file === name || file.endsWith(name.startsWith('-') ? name : `/${name.replace(/^\.\//, '')}`),
      )
    const comments = files.flatMap((file) => read(file).match(/^ *(\/\/|\/?\*).*/gm) ?? [])
    const mentioned = [...pages.map(read), ...comments].flatMap(
      (text) => text.match(/(?<![\w/.*-])[\w/.-]+\.(?:ts|mjs)\b/g) ?? [],
    )
    assert.ok(mentioned.length > 100)
    assert.deepEqual([...new Set(mentioned.filter((name) => !isThere(name)))], [])
  })
})

/** `GET /rest/bug/(id)`, as a heading or in a sentence; the pages of the server itself are no calls. */
function unknownCalls(text: string): string[] {
  const named = [...text.matchAll(/\b(GET|POST|PUT|DELETE) \/rest(\/[^\s`?|\]]*)/g)]
  const isCall = (method: string, path: string) =>
    calls.some((call) => call.method === method && patternOf(call.path).test(path.replace(/[.,;:]$/, '')))
  return named.filter(([, method = '', path = '']) => !isCall(method, path)).map(([found]) => found)
}

function patternOf(path: string) {
  return new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)
}

/** Rows of tables that begin with numbers and statuses. */
function unknownErrors(text: string): string[] {
  const rows = [...text.matchAll(/^\| (\d[\d, ]*) \| (\d[\d, ]*) \|/gm)]
  const pairs = rows.flatMap(([, codes = '', statuses = '']) =>
    codes.split(', ').flatMap((code) => statuses.split(', ').map((status) => [Number(code), Number(status)] as const)),
  )
  const isKnown = ([code, status]: readonly [number, number]) =>
    errorKinds.some((kind) => kind.code === code && kind.status === status)
  return pairs.filter((pair) => !isKnown(pair)).map((pair) => pair.join(' '))
}

/** What a sentence calls a parameter: of the installation, of a call, or of every call. */
function unknownParameters(text: string): string[] {
  const known = new Set<string>([...settingNames, ...calls.flatMap(({ params }) => Object.keys(params)), 'callback'])
  return [...text.matchAll(/\bparameters? `(\w+)`/g)].map(([, name = '']) => name).filter((name) => !known.has(name))
}

/** As GitHub makes them from headings. */
function anchorsIn(page: string): string[] {
  return sectionsIn(page).map(({ heading }) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}
