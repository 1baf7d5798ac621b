import { readFileSync, writeFileSync } from 'node:fs'
import type { Call } from '../../src/access/call.ts'
import type { CallExample } from '../../src/platform/wire/openapi/call-example.ts'
import type { AnyBody } from './body-types.ts'
import { type Example, type ReplacedValues, root, send } from './doc-examples.ts'
import type { World } from './world.ts'

/** Collects one real exchange for each call from the examples of docs/api, for src/api-reference.json. */
export class ApiReferenceWriter {
  private readonly examples = new Map<string, CallExample>()

  /** Keeps the first example of a call, with its whole response, even if the page requests only some fields. */
  async add(call: Call, example: Example, body: AnyBody, world: World, returned: ReplacedValues) {
    const name = `${call.method} ${call.path}`
    if (this.examples.has(name)) return
    const path = withoutSelection(example.path)
    const response = path === example.path ? body : (await send(world, { ...example, path }, returned)).body
    const request = example.body === undefined ? {} : { request: requestIn(example.body) }
    this.examples.set(name, { path, ...request, ...(call.answersFile ? {} : { response }) })
  }

  write(resources: readonly string[]) {
    const reference = {
      resources: Object.fromEntries(resources.map((resource) => [resource, descriptionIn(resource)])),
      examples: Object.fromEntries([...this.examples].sort(([a], [b]) => (a < b ? -1 : 1))),
    }
    const file = `${root}src/api-reference.json`
    const settled = withoutChance(JSON.parse(readFileSync(file, 'utf8')), reference)
    writeFileSync(file, `${JSON.stringify(settled, null, 2)}\n`)
  }
}

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const RANDOM = /^[\w-]{16,}$/

/** Keeps times, sizes and random words as they were written before, so that only what has really changed differs. */
function withoutChance(before: AnyBody, now: AnyBody, name = ''): AnyBody {
  if (typeof before !== typeof now || before === null || now === null) return now
  if (Array.isArray(now)) return now.map((it, index) => withoutChance(before[index], it))
  if (typeof now === 'object')
    return Object.fromEntries(Object.entries(now).map(([key, it]) => [key, withoutChance(before[key], it, key)]))
  if (typeof now === 'number') return name.endsWith('_bytes') ? before : now
  if (typeof now !== 'string') return now
  const isSameKind = [TIME, RANDOM].some((kind) => kind.test(before) && kind.test(now))
  return isSameKind && before.length === now.length ? before : now
}

function withoutSelection(path: string) {
  const [address = '', query] = path.split('?')
  const rest = (query ?? '').split('&').filter((it) => it !== '' && !/^(include|exclude)_fields=/.test(it))
  return rest.length === 0 ? address : `${address}?${rest.join('&')}`
}

function requestIn(body: string): AnyBody {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

/** The first paragraph of a resource's page. */
export function descriptionIn(resource: string): string {
  const [, paragraph = ''] = readFileSync(`${root}docs/api/${resource}.md`, 'utf8').split(/\n\s*\n/)
  return paragraph
    .replace(/\s+/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
}
