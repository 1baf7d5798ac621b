import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../../platform/errors.ts'
import { isCredential, secretsAmong, takeCredentials } from './credentials.ts'

type Given = Record<string, unknown>

describe('credentials', () => {
  it('are removed from the parameters, so that no call sees them', () => {
    const query = { api_key: 'k', Tracker_login: 'l', Bugzilla_password: 'p', token: 't', ids: '1' }
    const body: Given = { login: 'l', password: 'p', Bugzilla_restrictlogin: true, name: 'n' }
    takeCredentials(query, body, {})
    assert.deepEqual(query, { ids: '1' })
    assert.deepEqual(body, { name: 'n' })
  })

  it('with short names count only if both are in the same part of the request', () => {
    const query: Given = { login: 'somebody' }
    const body: Given = { password: 'new password' }
    assert.deepEqual(takeCredentials(query, body, {}), {})
    assert.deepEqual([query, body], [{ login: 'somebody' }, { password: 'new password' }])
  })

  it('with long names leave the short names to the call', () => {
    const body: Given = { login: 'x', password: 'y' }
    assert.deepEqual(takeCredentials({ Tracker_login: 'l', Tracker_password: 'p' }, body, {}).login, 'l')
    const query: Given = { Tracker_login: 'l', Tracker_password: 'p', login: 'x', password: 'y' }
    assert.deepEqual(takeCredentials(query, undefined, {}), { login: 'l', password: 'p' })
    assert.deepEqual(query, { login: 'x', password: 'y' })
  })

  it('in the query string take precedence over the body, and the body over headers', () => {
    const headers = { 'x-tracker-api-key': 'header' }
    assert.equal(takeCredentials({ api_key: 'query' }, { api_key: 'body' }, headers).apiKey, 'query')
    assert.equal(takeCredentials({}, { api_key: 'body' }, headers).apiKey, 'body')
    assert.equal(takeCredentials({ api_key: '' }, { api_key: null }, headers).apiKey, 'header')
  })

  it('that are empty count as not sent, except login and password, which are then wrong', () => {
    assert.deepEqual(takeCredentials({ token: '', Bugzilla_api_key: '' }, undefined, {}), {})
    const empty = { Bugzilla_login: '', Bugzilla_password: '' }
    assert.deepEqual(takeCredentials(empty, undefined, {}), { login: '', password: '' })
  })

  it('may be numbers, as which JSON and query strings are read', () => {
    assert.deepEqual(takeCredentials({}, { Bugzilla_login: 'l', Bugzilla_password: 123456 }, {}), {
      login: 'l',
      password: '123456',
    })
  })

  it('in headers may be spelled in five ways', () => {
    assert.deepEqual(takeCredentials({}, undefined, { 'x-tracker-api-key': 'k', 'x-tracker-token': 't' }), {
      apiKey: 'k',
      token: 't',
    })
    assert.deepEqual(takeCredentials({}, undefined, { 'x-bugzilla-api-key': 'k', 'x-bugzilla-token': 't' }), {
      apiKey: 'k',
      token: 't',
    })
    assert.deepEqual(takeCredentials({}, undefined, { 'x-tracker-login': 'l', 'x-bugzilla-password': 'p' }), {
      login: 'l',
      password: 'p',
    })
    assert.deepEqual(takeCredentials({}, undefined, { authorization: 'bearer  k ' }), { apiKey: 'k' })
    assert.deepEqual(takeCredentials({}, undefined, { authorization: 'Bearer two words' }), { apiKey: 'two words' })
  })

  it('in an Authorization header of another scheme are ignored', () => {
    assert.deepEqual(takeCredentials({}, undefined, { authorization: 'Basic YTpi' }), {})
    assert.deepEqual(takeCredentials({}, undefined, { authorization: 'Bearer ' }), {})
    assert.deepEqual(takeCredentials({}, undefined, { authorization: 'Bearerk' }), {})
    assert.deepEqual(takeCredentials({}, undefined, { authorization: 'Basic Bearer k' }), {})
  })

  it('in headers are UTF-8', () => {
    for (const password of ['pässwörd', 'ñ']) {
      const sent = Buffer.from(password).toString('latin1')
      assert.equal(takeCredentials({}, undefined, { 'x-tracker-password': sent }).password, password)
    }
    assert.equal(takeCredentials({}, undefined, { 'x-tracker-password': 'p\u00e4ss' }).password, 'p\u00e4ss')
  })

  const wrong: [title: string, query: Given][] = [
    ['a list', { login: ['ada', 'eve'], password: 'p' }],
    ['a list of keys', { api_key: ['a', 'b'] }],
    ['an object', { Tracker_token: { a: 1 } }],
    ['a boolean', { Bugzilla_api_key: true }],
    ['text with a NUL in it', { Tracker_login: 'a\0b', Tracker_password: 'p' }],
    ['half a character', { api_key: '\ud800' }],
  ]
  for (const [title, query] of wrong)
    it(`cannot be ${title}, and the error does not repeat them`, () => {
      assert.throws(
        () => takeCredentials({ ...query }, undefined, {}),
        (fault) => fault instanceof ApiError && fault.code === 53 && !/eve|"a"|a\\u0000b/.test(fault.message),
      )
    })
})

describe('the parameters of an address that is stored or passed on', () => {
  it('are credentials by every name that a login reads, and by no other', () => {
    for (const name of [
      'api_key',
      'token',
      'login',
      'password',
      'Bugzilla_login',
      'Tracker_password',
      'Bugzilla_token',
    ])
      assert.equal(isCredential(name), true, name)
    for (const name of ['product', 'Bugzilla_product', 'logins', '']) assert.equal(isCredential(name), false, name)
  })
})

describe('the secrets of a request, which no error message repeats', () => {
  it('are its credentials and the parameters that hold a secret', () => {
    assert.deepEqual(secretsAmong({ apiKey: 'k', token: 't', password: 'p', login: 'l' }, {}), ['k', 't', 'p'])
    const secrets = {
      Bugzilla_api_key: 'a',
      logout_token: 'b',
      old_password: 'c',
      totp: 123456,
      email_code: 'd',
      client_secret: 'e',
      secret: 'f',
    }
    assert.deepEqual(secretsAmong({}, secrets), ['a', 'b', 'c', '123456', 'd', 'e', 'f'])
  })

  it('are texts: nothing else in such a parameter could be repeated', () => {
    assert.deepEqual(secretsAmong({}, { password: null, token: ['x'], secret: { a: 'y' }, totp: true }), [])
  })

  it('are not what only has to do with secrets, which messages may name', () => {
    const others = {
      api_key_id: 1,
      token_days: 2,
      password_complexity: 'letters',
      my_totp: 'on',
      totp_name: 'phone',
      error_code_text: 'x',
      summary: 'y',
    }
    assert.deepEqual(secretsAmong({}, others), [])
  })
})
