import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ApiError, type ErrorName, errorKinds, errors } from './errors.ts'
import { errorBody } from './wire/http/answer.ts'

type Details = Record<string, unknown>
const create = errors as unknown as Record<ErrorName, (details: Details) => ApiError>
const names = Object.keys(errors) as ErrorName[]

const NUMBERS = ['bug', 'id', 'least', 'limit', 'longest', 'minutes', 'most', 'position', 'seconds']
const LISTS = ['fields', 'groups', 'ids', 'names']
const SECRET = 'x7Kq2ZpLw9Vt4RnB8sYc1Dm6Hj3Gf5Ua0EoIiQrT'

/** The names of the details that the sentence and the headers of a kind use. */
function detailsOf(name: ErrorName): string[] {
  const used = new Set<string>()
  const get = (_: object, key: string | symbol) => {
    if (typeof key === 'string') used.add(key)
    return LISTS.includes(String(key)) ? [] : 'x'
  }
  create[name](new Proxy({}, { get }))
  return [...used].filter((key) => key !== 'toJSON' && key !== 'field')
}

/** An error of the kind whose details differ from each other. */
function example(name: ErrorName, text: (key: string) => string): ApiError {
  const details = detailsOf(name).map((key, place) => {
    if (NUMBERS.includes(key)) return [key, 7001 + place]
    return [key, LISTS.includes(key) ? Array.from({ length: 12 }, (_, index) => text(`${key}${index}`)) : text(key)]
  })
  return create[name](Object.fromEntries(details))
}

function shownIn(error: ApiError): string {
  return [error.message, ...Object.values(error.headers)].join('\n')
}

describe('the data of an error', () => {
  it('is nothing that its message does not show', () => {
    const texts = [
      (key: string) => key,
      (key: string) => `${key} ${'long '.repeat(20)}`,
      (key: string) => `${key}=${SECRET}`,
    ]
    for (const name of names)
      for (const text of texts) {
        const error = example(name, text)
        for (const value of Object.values(error.values ?? {}).flat())
          assert.ok(shownIn(error).includes(String(value).replace(/…$/, '')), `${name}: ${value} | ${error.message}`)
      }
  })

  it('is nothing of an object that a caller passes as a whole', () => {
    const provider = { title: 'Acme', client_secret: 'hunter2-company', groups: { staff: 'admin' } }
    const { message, values } = errors.provider_only(provider)
    assert.match(message, /Acme/)
    assert.deepEqual(values, { title: 'Acme' })
  })

  it('has no number that is a credential of the request', () => {
    const error = errors.not_a_number({ name: 'work_time', value: 8675309123 })
    error.rewrite((text) => text.replaceAll('8675309123', '…'))
    assert.doesNotMatch(JSON.stringify([error.message, error.values]), /8675309123/)
  })

  it('has no credential, in any detail of any error', () => {
    for (const name of names)
      for (const glued of [`api_key=${SECRET}`, `1 ${SECRET}`, `${'a'.repeat(30)}token=${SECRET}`]) {
        const body = JSON.stringify(
          errorBody(
            example(name, () => glued),
            '',
          ),
        )
        assert.ok(!body.includes(SECRET.slice(0, 10)), `${name}: ${body}`)
      }
  })

  it('says each thing once, and no parts of sentences', () => {
    const error = errors.bad_value({ name: 'limit', value: 'many', right: 'it must be a number' })
    assert.deepEqual([error.parameter, error.field, error.values], ['limit', undefined, { value: 'many' }])
    assert.equal(errors.parameter_required({ name: 'version' }).values, undefined)
    assert.deepEqual(errors.product_exists({ name: 'name' }).values, { name: 'name' })
  })

  it('has numbers as numbers, input as its shortened text, and at most ten items of a list', () => {
    assert.deepEqual(errors.list_too_long({ name: 'ids', most: 100 }).values, { most: 100 })
    const list = Array.from({ length: 30 }, (_, index) => `item${index}`)
    assert.deepEqual(errors.bad_value({ name: 'x', value: list, right: 'y' }).values, {
      value: '["item0","item1","item2","item3","item4"…',
    })
    assert.deepEqual(errors.nothing_known_asked({ names: list }).values, { names: list.slice(0, 10) })
    assert.deepEqual(errors.bad_value({ name: 'x', value: '…', right: 'y' }).values, undefined)
  })

  it('is added to code, message and documentation', () => {
    for (const name of names) {
      const error = example(name, (key) => key)
      const { reason, field, parameter, values, ...known } = errorBody(error, 'http://x')
      const { code, message } = error
      const documentation = `http://x/rest/docs/errors#error-${code}`
      assert.deepEqual(known, { error: true, code, message, documentation })
      assert.equal(reason, name)
      assert.ok(field === undefined || /^[a-z_]+$/.test(field), `${name}: ${field}`)
      assert.ok(parameter === undefined || /^[a-z_]+$/.test(parameter), `${name}: ${parameter}`)
      assert.ok(values === undefined || Object.keys(values).length > 0)
    }
    assert.equal(names.length, errorKinds.length)
  })

  it('names the field of the call where the kind does not know it, and of the innermost step', () => {
    const error = errors.no_such_object({ what: 'user', ref: 'x' })
    assert.equal(error.field, undefined)
    error.setField('assigned_to')
    error.setField('cc')
    assert.equal(error.field, 'assigned_to')
    const named = errors.no_such_object({ what: 'user', ref: 'x', field: 'qa_contact' })
    named.setField('cc')
    assert.deepEqual([named.field, named.values], ['qa_contact', { what: 'user', ref: 'x' }])
    const comment = errors.comment_too_long({ most: 1 })
    assert.equal(comment.field, 'comment')
    comment.setField('description')
    assert.equal(comment.field, 'description')
  })
})
