import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ALLOWED_BY_PREFLIGHT, PAGE_HEADER } from '../../platform/wire/http/request-headers.ts'
import { cookieRemoved, cookieWith, isFromOwnPage, sessionCookieFor, tokenInCookie } from './session-cookie.ts'

describe('the header of the pages', () => {
  const cookie = sessionCookieFor('http://bugs.test:8080')
  const page = { 'x-lacewing-page': '1', host: 'bugs.test:8080' }

  it('stands for what browsers do not send at a plain http host name, and for nothing that they do send', () => {
    const isOwn = (headers: Record<string, string>) => isFromOwnPage(headers, cookie)
    assert.equal(isOwn(page), true)
    assert.equal(isOwn({ host: page.host }), false)
    assert.equal(isOwn({ ...page, origin: 'http://bugs.test:8080' }), true)
    assert.equal(isOwn({ ...page, host: 'tracker:8080', origin: 'http://tracker:8080' }), true)
    assert.equal(isOwn({ host: 'tracker:8080', origin: 'http://tracker:8080' }), false)
    for (const origin of ['http://bugs.test:9090', 'http://evil.bugs.test:8080', 'null', 'http://bugs.test:8080.evil'])
      assert.equal(isOwn({ ...page, origin }), false, origin)
    for (const origin of ['http://bugs.test:8080/x', 'extension+http://bugs.test:8080', 'ftp://bugs.test:8080'])
      assert.equal(isOwn({ ...page, origin }), false, origin)
    assert.equal(isOwn({ ...page, host: 'tracker', origin: 'https://tracker' }), true)
    assert.equal(isOwn({ host: page.host, 'sec-fetch-site': 'same-origin' }), true)
    for (const site of ['same-site', 'cross-site', 'none'])
      assert.equal(isOwn({ ...page, 'sec-fetch-site': site }), false, site)
  })

  it('is allowed by no preflight', () => {
    assert.ok(!ALLOWED_BY_PREFLIGHT.includes(PAGE_HEADER.toLowerCase()))
    assert.ok(!ALLOWED_BY_PREFLIGHT.includes('*'))
  })
})

describe('the name of the cookie', () => {
  it('cannot be set by another host or over plain HTTP where the base address is https', () => {
    const cookie = sessionCookieFor('https://bugs.example.com/tracker')
    assert.equal(cookie.name, '__Host-lacewing')
    assert.equal(cookieWith(cookie, '1-abc', false), '__Host-lacewing=1-abc; Path=/; HttpOnly; SameSite=Lax; Secure')
  })

  it('has another name for servers on other ports', () => {
    assert.notEqual(sessionCookieFor('http://localhost:1').name, sessionCookieFor('http://localhost:2').name)
    assert.equal(sessionCookieFor('http://localhost').name, 'lacewing_80')
  })

  it('is found among others', () => {
    const cookie = sessionCookieFor('http://localhost:8080')
    assert.equal(tokenInCookie({ cookie: `theme=dark; ${cookie.name}=7-abc; x=y` }, cookie), '7-abc')
    assert.equal(isFromOwnPage({ origin: 'http://localhost:8080' }, cookie), true)
  })

  it('is not mistaken for a longer one, and must have a token in it', () => {
    const cookie = sessionCookieFor('http://localhost:8080')
    const found = (text: string | undefined) => tokenInCookie(text === undefined ? {} : { cookie: text }, cookie)
    assert.equal(found(undefined), undefined)
    assert.equal(found('other=7-abc'), undefined)
    assert.equal(found(`x${cookie.name}=7-abc; ${cookie.name}2=7-abc`), undefined)
    for (const value of ['', '7', '7-', '-abc', 'x7-abc', '7-abc!', '7-a b', '7_abc', `7-${'a'.repeat(65)}`])
      assert.equal(found(`${cookie.name}=${value}`), undefined, value)
    assert.equal(found(`${cookie.name}; ${cookie.name}=bad; ${cookie.name}=123-aZ9; ${cookie.name}=8-def`), '123-aZ9')
  })

  it('is kept for the 400 days that browsers allow, or until they are closed, and is removed with the same attributes', () => {
    const cookie = sessionCookieFor('http://localhost:8080')
    const attributes = 'Path=/; HttpOnly; SameSite=Lax'
    assert.equal(cookieWith(cookie, '1-abc', true), `lacewing_8080=1-abc; ${attributes}; Max-Age=34560000`)
    assert.equal(cookieWith(cookie, '1-abc', false), `lacewing_8080=1-abc; ${attributes}`)
    assert.equal(cookieRemoved(cookie), `lacewing_8080=; ${attributes}; Max-Age=0`)
  })
})
