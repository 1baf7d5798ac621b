import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { errorNumbers } from '../../src/platform/errors.ts'
import type { JsonSchema } from '../support/body-types.ts'
import { cast } from '../support/cast.ts'
import { everyCall } from '../support/every-call.ts'
import { sampled } from '../support/sample.ts'
import { describeOnOneEngine, describeOnSqlite } from '../support/world.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** A path that ends in a slash is another spelling of the one without it, which the document has. */
const described = everyCall.filter(({ call }) => !call.path.endsWith('/'))

interface Operation {
  title: string
  path: string
  method: string
  it: JsonSchema
}

describeOnSqlite('the OpenAPI document', (world) => {
  let document: JsonSchema
  let operations: Operation[]
  before(async () => {
    document = (await world.nobody.get('/rest/openapi.json')).body
    operations = Object.entries(document.paths as Record<string, JsonSchema>).flatMap(([path, item]) =>
      Object.entries(item as Record<string, JsonSchema>).map(([method, it]) => ({
        title: `${method} ${path}`,
        path,
        method,
        it,
      })),
    )
  })

  it('is of OpenAPI 3.1, and says of what', () => {
    assert.match(document.openapi, /^3\.1\.\d+$/)
    const known = [
      'openapi',
      'info',
      'jsonSchemaDialect',
      'servers',
      'paths',
      'webhooks',
      'components',
      'security',
      'tags',
      'externalDocs',
    ]
    for (const key of Object.keys(document)) assert.ok(known.includes(key), key)
    for (const part of ['title', 'version', 'description']) assert.equal(typeof document.info[part], 'string')
    assert.ok(document.info.license.name)
    assert.ok(!(document.info.license.url && document.info.license.identifier))
    for (const { url } of document.servers) assert.ok(URL.canParse(url))
    assert.deepEqual(document.servers, [{ url: world.url }])
  })

  it('says of every value what it is', () => {
    const SAID = ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const', 'not']
    const unknown: string[] = []
    const checkSchema = (schema: JsonSchema, at: string) => {
      if (!SAID.some((word) => word in schema)) unknown.push(at)
      const named = { ...schema.properties, ...schema.patternProperties }
      for (const [name, value] of Object.entries(named)) checkSchema(value, `${at}.${name}`)
      const more = [schema.items, schema.additionalProperties].filter((it) => typeof it === 'object')
      for (const value of [...more, ...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) checkSchema(value, `${at}[]`)
    }
    const walk = (node: JsonSchema, at: string) => {
      if (typeof node !== 'object' || node === null) return
      for (const [name, value] of Object.entries(node)) {
        if (name === 'schema') checkSchema(value, at)
        else if (name === 'schemas')
          for (const [title, schema] of Object.entries(value as JsonSchema)) checkSchema(schema, title)
        else if (!name.startsWith('example')) walk(value, `${at}/${name}`)
      }
    }
    walk(document, '')
    assert.deepEqual(unknown, [])
  })

  it('names all fields of a response, so that none is returned that is not described', () => {
    const open: string[] = []
    const checkSchema = (schema: JsonSchema, at: string) => {
      if (schema.properties !== undefined && schema.additionalProperties !== false) open.push(at)
      for (const [name, value] of Object.entries(schema.properties ?? {})) checkSchema(value, `${at}.${name}`)
      for (const value of [schema.items, ...(schema.anyOf ?? [])].filter(Boolean)) checkSchema(value, `${at}[]`)
    }
    for (const { call, title } of everyCall) if (call.answers) checkSchema(call.answers, title)
    // All that is stored about a user: whatever is added to it later belongs there too. And what other calls return.
    assert.deepEqual(open, ['GET /rest/user/:ref/data', 'PUT /rest/admin/changes.responses[]'])
  })

  it('has every call, each with a name of its own', () => {
    const expected = described.map(
      ({ call }) => `${call.method.toLowerCase()} /rest${call.path.replace(/:\w+/g, '{}')}`,
    )
    assert.deepEqual(operations.map(({ title }) => title.replace(/\{\w+\}/g, '{}')).sort(), expected.sort())
    const names = operations.map(({ it }) => it.operationId)
    for (const name of names) assert.match(name, /^[a-z][A-Za-z0-9]*$/)
    assert.equal(new Set(names).size, names.length)
  })

  it('has no two paths that are one', () => {
    const shapes = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'))
    assert.deepEqual(
      shapes.filter((shape, index) => shapes.indexOf(shape) !== index),
      [],
    )
    for (const path of Object.keys(document.paths)) assert.match(path, /^\/rest(\/[\w.-]+|\/\{\w+\})+$/)
  })

  it('describes each operation as the specification wants it', () => {
    const known = [
      'operationId',
      'tags',
      'summary',
      'description',
      'parameters',
      'requestBody',
      'responses',
      'security',
      'deprecated',
    ]
    for (const { title, method, it } of operations) {
      assert.ok(METHODS.includes(method), title)
      for (const key of Object.keys(it)) assert.ok(known.includes(key), `${title} has ${key}`)
      assert.ok(it.summary.endsWith('.'), `${title} has a sentence for a summary`)
      assert.ok(it.tags.every((tag: unknown) => typeof tag === 'string' && tag !== ''))
      assert.equal(method === 'post' || method === 'put', it.requestBody !== undefined, title)
      if (it.requestBody) assert.equal(it.requestBody.content['application/json'].schema.type, 'object')
    }
  })

  it('describes each parameter once, and all that stand in a path', () => {
    for (const { title, path, it } of operations) {
      const seen = new Set<string>()
      for (const param of it.parameters) {
        assert.ok(['path', 'query', 'header'].includes(param.in), title)
        assert.ok(!seen.has(`${param.in} ${param.name}`), `${title} has ${param.name} twice`)
        seen.add(`${param.in} ${param.name}`)
        assert.equal(typeof param.schema, 'object')
        assert.ok(param.description, `${title} describes ${param.name}`)
        if (param.in === 'path') assert.equal(param.required, true)
      }
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()
      const described = it.parameters
        .filter((param: JsonSchema) => param.in === 'path')
        .map((param: JsonSchema) => param.name)
      assert.deepEqual(described.sort(), inPath, title)
    }
  })

  it('has every parameter that a call reads', () => {
    for (const { call, title } of described) {
      const it = operationOf(call.path, call.method)
      const inQuery = it.parameters.map((param: JsonSchema) => param.name)
      const inBody = Object.keys(it.requestBody?.content['application/json'].schema.properties ?? {})
      for (const name of Object.keys(call.params).filter((name) => name !== '(name)'))
        assert.ok(inQuery.includes(name) || inBody.includes(name), `${title} reads ${name}`)
      assert.equal(inQuery.includes('include_fields'), call.selectsFields === true, title)
    }
  })

  it('says what each operation answers, with schemas that can be used', () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true, validateFormats: false })
    ajv.addKeyword('components')
    ajv.addSchema({ $id: 'openapi', components: document.components }, 'openapi')
    const compiled = new Set<string>()
    const usable = (schema: JsonSchema) => {
      const text = JSON.stringify(schema).replaceAll('"#/', '"openapi#/')
      if (compiled.has(text)) return
      ajv.compile(JSON.parse(text))
      compiled.add(text)
    }
    // Every test of a call uses the schema of its answer; here those of some calls are used, and in the soak all.
    const used = new Set(sampled(operations, 3))
    for (const operation of operations) {
      const { title, it } = operation
      const statuses = Object.keys(it.responses)
      assert.ok(statuses.includes('4XX') && statuses.includes('5XX'), title)
      assert.ok(
        statuses.some((status) => /^20\d$/.test(status)),
        title,
      )
      for (const response of Object.values(it.responses as Record<string, JsonSchema>)) {
        assert.ok(response.description)
        if (!used.has(operation)) continue
        for (const { schema } of Object.values(response.content as Record<string, JsonSchema>)) usable(schema)
      }
      if (!used.has(operation)) continue
      for (const { schema } of it.parameters) usable(schema)
      if (it.requestBody) usable(it.requestBody.content['application/json'].schema)
    }
  })

  it('has each of the main things once, with the fields that a plain call answers', () => {
    const { schemas } = document.components
    for (const name of [
      'Bug',
      'Comment',
      'Attachment',
      'User',
      'Group',
      'Product',
      'Component',
      'Field',
      'Flag',
      'Error',
    ])
      assert.equal(schemas[name]?.type, 'object', name)
    for (const field of ['id', 'summary', 'status', 'product', 'assigned_to', 'last_change_time'])
      assert.ok(schemas.Bug.required.includes(field), field)
    assert.deepEqual(
      operationOf('/bug/:ref', 'GET').responses[200].content['application/json'].schema.properties.bugs,
      {
        type: 'array',
        items: { $ref: '#/components/schemas/Bug' },
      },
    )
  })

  it('names the header Idempotency-Key exactly for the calls that it repeats', () => {
    for (const { call, title } of described) {
      const { parameters } = operationOf(call.path, call.method)
      const isNamed = parameters.some(({ name }: JsonSchema) => name === 'Idempotency-Key')
      assert.equal(isNamed, call.idempotency === 'once', title)
    }
  })

  it('types JSON alone, names the headers that calls read, and describes every tag', () => {
    for (const { title, it } of operations) {
      const [success] =
        Object.entries(it.responses as Record<string, JsonSchema>).find(([status]) => status.startsWith('2')) ?? []
      assert.equal(Object.keys(it.responses[success ?? ''].content).length, 1, title)
      const headers = it.parameters
        .filter((param: JsonSchema) => param.in === 'header')
        .map((param: JsonSchema) => param.name)
      const readsIfMatch = [
        'put /rest/bug/{ref}',
        'put /rest/bug/update',
        'put /rest/admin/changes',
        'put /rest/parameters',
        'put /rest/dashboard/{id}',
        'delete /rest/dashboard/{id}',
      ].includes(title)
      assert.equal(headers.includes('If-Match'), readsIfMatch, title)
      if (it.requestBody) assert.equal(typeof it.requestBody.required, 'boolean', title)
    }
    const tags = new Map(document.tags.map((tag: JsonSchema) => [tag.name, tag.description]))
    for (const { it } of operations) assert.match(String(tags.get(it.tags[0])), /^[A-Z].*\.$/, it.tags[0])
  })

  it('refers only to what it has', () => {
    for (const [, pointer] of JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)) {
      const path = (pointer ?? '').replace(/^#\//, '').split('/')
      assert.ok(
        path.reduce((part: JsonSchema, name) => part?.[name], document),
        pointer,
      )
    }
    const schemes = Object.keys(document.components.securitySchemes)
    for (const option of document.security) for (const name of Object.keys(option)) assert.ok(schemes.includes(name))
    for (const scheme of Object.values(document.components.securitySchemes as Record<string, JsonSchema>))
      assert.ok(scheme.type === 'apiKey' ? scheme.in && scheme.name : scheme.type === 'http' && scheme.scheme)
  })

  it('says of the ways to sign in what is true', async () => {
    for (const scheme of Object.values(document.components.securitySchemes as Record<string, JsonSchema>)) {
      if (scheme.name === 'token') continue
      const key = cast.rhea.apiKey
      const reply =
        scheme.type === 'http'
          ? await world.nobody.get('/rest/whoami', { Authorization: `${scheme.scheme} ${key}` })
          : scheme.in === 'header'
            ? await world.nobody.get('/rest/whoami', { [scheme.name]: key })
            : await world.nobody.get(`/rest/whoami?${scheme.name}=${key}`)
      assert.equal(reply.status, 200)
    }
  })

  it('can be read by pages of other origins', async () => {
    const { headers } = await world.nobody.get('/rest/openapi.json')
    assert.equal(headers.get('content-type'), 'application/json; charset=UTF-8')
    assert.equal(headers.get('access-control-allow-origin'), '*')
  })

  function operationOf(path: string, method: string): JsonSchema {
    const shape = `${method.toLowerCase()} /rest${path.replace(/:\w+/g, '{}')}`
    return operations.find(({ title }) => title.replace(/\{\w+\}/g, '{}') === shape)?.it
  }
})

describeOnSqlite('the documentation', (world) => {
  const PAGES = ['/rest/docs', '/rest/docs/errors']

  it('is a page that needs nothing from anywhere else', async () => {
    for (const path of PAGES) {
      const { status, text, headers } = await world.nobody.get(path)
      assert.equal(status, 200)
      assert.equal(headers.get('content-type'), 'text/html; charset=UTF-8')
      assert.doesNotMatch(text, /<(script|link|img|iframe|object|embed|form)\b|\ssrc=|@import|url\(/i)
      for (const [, address = ''] of text.matchAll(/href="([^"]*)"/g)) assert.match(address, /^(#[\w-]+|\/[\w/.-]*)$/)
    }
  })

  it('has no broken links', async () => {
    for (const path of PAGES) {
      const { text } = await world.nobody.get(path)
      for (const [, address = ''] of text.matchAll(/href="([^"]*)"/g))
        if (address.startsWith('#')) assert.ok(text.includes(`id="${address.slice(1)}"`), address)
        else assert.equal((await world.nobody.get(address)).status, 200, address)
    }
  })

  it('names every call and every parameter', async () => {
    const { text } = await world.nobody.get('/rest/docs')
    for (const { call } of everyCall) {
      assert.ok(text.includes(`${call.method} /rest${call.path.replace(/:(\w+)/g, '($1)')}<`), call.path)
      for (const name of Object.keys(call.params)) assert.ok(text.includes(`<code>${name}</code>`), name)
    }
  })

  it('explains every error number where the errors themselves say', async () => {
    const { body } = await world.nobody.get('/rest/whoami')
    assert.equal(body.documentation, `${world.url}/rest/docs/errors#error-410`)
    const { text } = await world.nobody.get('/rest/docs/errors')
    for (const number of new Set(Object.values(errorNumbers)))
      assert.match(text, new RegExp(`<tr id="error-${number}"><td><b>${number}</b></td>.*<td>[A-Z][^<]{10,}`))
  })

  it('names every reason with its number, on that page and in the OpenAPI document', async () => {
    const { text } = await world.nobody.get('/rest/docs/errors')
    for (const [reason, number] of Object.entries(errorNumbers))
      assert.match(text, new RegExp(`<tr id="error-${number}">.*<code>${reason}</code>`))
    const { body } = await world.nobody.get('/rest/openapi.json')
    assert.deepEqual(body.components.schemas.Reason.enum, Object.keys(errorNumbers).sort())
    assert.equal(body.components.schemas.Error.properties.reason.$ref, '#/components/schemas/Reason')
  })

  it('has the URL of the server', async () => {
    const { status, body } = await world.nobody.get('/rest')
    assert.deepEqual([status, body.documentation], [200, `${world.url}/rest/docs`])
  })
})

describeOnOneEngine(
  'the address of an installation',
  (world) => {
    it('is the one that was set, in errors and in the OpenAPI document', async () => {
      const { body } = await world.nobody.get('/rest/nothing')
      assert.equal(body.documentation, 'https://bugs.example.org/tracker/rest/docs/errors#error-32614')
      const { body: document } = await world.nobody.get('/rest/openapi.json')
      assert.deepEqual(document.servers, [{ url: 'https://bugs.example.org/tracker' }])
    })
  },
  { LACEWING_BASE_URL: 'https://bugs.example.org/tracker/' },
)
