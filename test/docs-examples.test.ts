import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { after, describe, it } from 'node:test'
import type { Call } from '../src/access/call.ts'
import apiReference from '../src/api-reference.json' with { type: 'json' }
import { errorKinds } from '../src/platform/errors.ts'
import { calls } from '../src/routes.ts'
import { ApiReferenceWriter, descriptionIn } from './support/api-reference.ts'
import {
  differences,
  type Example,
  examplesIn,
  PASSKEY_ORIGIN,
  type ReplacedValues,
  root,
  sectionsIn,
  send,
} from './support/doc-examples.ts'
import { describeOnSqlite } from './support/world.ts'

const resources = [...new Set(calls.map((call) => call.resource))]
const pages = globSync('docs/api/*.md', { cwd: root })
  .filter((page) => basename(page) !== 'README.md')
  .sort()

const written = new ApiReferenceWriter()
after(() => {
  if (process.env.LACEWING_WRITE_EXAMPLES) written.write(resources)
})

for (const page of ['docs/api/README.md', ...pages]) {
  const environment = page.endsWith('/passkey.md') ? { LACEWING_BASE_URL: PASSKEY_ORIGIN } : undefined
  describeOnSqlite(
    `the examples of ${page}`,
    (world) => {
      const returned: ReplacedValues = new Map()
      for (const example of examplesIn(page)) {
        it(`${example.method} ${example.path} (${example.place}) is answered as shown`, async () => {
          const { status, body } = await send(world, example, returned)
          assert.deepEqual(differences(body, example.answer), [], `${example.place}: ${JSON.stringify(body, null, 2)}`)
          assert.ok(statusesFor(example).includes(status), `${example.place} answers ${status}`)
          const call = callFor(example)
          if (call !== undefined && isOwnExample(call, example)) await written.add(call, example, body, world, returned)
        })
      }
    },
    environment,
  )
}

/** A success has the status of its call, an error one of the statuses of its number. */
function statusesFor(example: Example): number[] {
  const { error, code, proposal } = example.answer ?? {}
  if (error === true) return errorKinds.filter((kind) => kind.code === code).map((kind) => kind.status)
  const call = callFor(example)
  return [call?.proposes !== undefined && proposal !== undefined ? 202 : (call?.status ?? 200)]
}

describe('the pages of docs/api', () => {
  for (const call of calls) {
    const page = `docs/api/${call.resource}.md`

    it(`have ${nameOf(call)}, with its parameters and an example`, () => {
      assert.ok(existsSync(root + page), `${page} is missing`)
      const text = sectionsIn(page).find(({ heading }) => heading === `\`${nameOf(call)}\``)?.text
      assert.ok(text, `${page} has no heading \`${nameOf(call)}\``)
      const names = [
        ...Object.keys(call.pathParams ?? {}),
        ...Object.keys(call.params),
        ...(call.selectsFields ? ['include_fields', 'exclude_fields'] : []),
      ]
      assert.deepEqual(
        names.filter((name) => !text.includes(`\`${name}\``)),
        [],
        'these parameters are not described',
      )
      assert.ok(
        examplesIn(page).some((example) => callFor(example) === call && isOwnExample(call, example)),
        'it has no example that succeeds',
      )
    })
  }

  it('are what the OpenAPI document takes its descriptions and examples from', () => {
    const stale = 'LACEWING_WRITE_EXAMPLES=1 npm test -- test/docs-examples.test.ts writes src/api-reference.json'
    const examples: Record<string, unknown> = apiReference.examples
    for (const call of calls) assert.ok(examples[`${call.method} ${call.path}`], `${nameOf(call)}: ${stale}`)
    assert.equal(Object.keys(examples).length, calls.length, stale)
    const described = Object.fromEntries(resources.map((resource) => [resource, descriptionIn(resource)]))
    assert.deepEqual(apiReference.resources, described, stale)
  })

  it('have no heading for a call that does not exist', () => {
    const known = calls.map(nameOf)
    const shown = pages.flatMap((page) => sectionsIn(page).map(({ heading }) => heading))
    const headings = shown.flatMap((heading) => /^`(\w+ \/rest.*)`$/.exec(heading)?.[1] ?? [])
    assert.deepEqual(
      headings.filter((heading) => !known.includes(heading)),
      [],
    )
  })

  it('are about resources that exist, and all in the list of docs/api/README.md', () => {
    const named = pages.map((page) => basename(page, '.md'))
    assert.deepEqual(
      named.filter((name) => !resources.includes(name)),
      [],
    )
    const list = readFileSync(`${root}docs/api/README.md`, 'utf8')
    assert.deepEqual(
      named.filter((name) => !list.includes(`(${name}.md)`)),
      [],
    )
  })

  it('fail with a response that the server does not give', () => {
    assert.deepEqual(differences({ id: 1, name: 'a' }, { id: 1, '…': '…' }), [])
    assert.deepEqual(differences([1, 2, 3], [1, '…']), [])
    assert.equal(differences({ id: 1, name: 'a' }, { id: 1 }).length, 1)
    assert.equal(differences({ id: 1 }, { id: 1, name: '…' }).length, 1)
    assert.equal(differences([1, 2], [1]).length, 1)
    assert.equal(differences({ id: 1 }, { id: '1' }).length, 1)
  })
})

/** An example that succeeds, in the section about the call. */
function isOwnExample(call: Call, { section, answer }: Example) {
  return section === `\`${nameOf(call)}\`` && answer?.error !== true
}

function nameOf(call: Call) {
  return `${call.method} /rest${call.path.replace(/:(\w+)/g, '($1)')}`
}

/** The call of a request. Fixed parts of a path take precedence over variables. */
function callFor({ method, path }: Example): Call | undefined {
  const [address = ''] = path.split('?')
  const words = (call: Call) => call.path.split('/').filter((part) => !part.startsWith(':')).length
  return calls
    .filter((call) => call.method === method && patternOf(call).test(address))
    .sort((a, b) => words(b) - words(a))[0]
}

function patternOf(call: Call) {
  return new RegExp(`^/rest${call.path.replace(/:\w+/g, '[^/]+')}$`)
}
