import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, it } from 'node:test'
import { attach, base64 } from '../support/attach.ts'
import { cast, type Name } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { newHiddenProduct } from '../support/new-product.ts'
import { rawRequest } from '../support/raw-http.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnOneEngine, itOnce, type World } from '../support/world.ts'

function keyOf(name: Name) {
  return { 'X-TRACKER-API-KEY': cast[name].apiKey }
}

const OF_THE_CONNECTION = new Set(['date', 'connection', 'keep-alive'])

/** As a browser would get it. */
async function download(world: World, id: number, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(`${world.url}/rest/bug/attachment/${id}/data`, { method, headers })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

describeOnOneEngine('GET /rest/bug/attachment/(attachment_id)/data', (world) => {
  let bug = 0
  before(async () => {
    bug = await fileBug(world.rhea)
    await world.ada.put('/rest/parameters', { insidergroup: 'security' })
  })

  it('gives out the very bytes', async () => {
    for (const bytes of [randomBytes(1), randomBytes(100_000), Buffer.from([0, 255, 13, 10, 26, 0])]) {
      const id = await attach(world.rhea, bug, { data: base64(bytes), content_type: 'application/octet-stream' })
      const reply = await download(world, id)
      assert.equal(reply.status, 200)
      assert.deepEqual(reply.bytes, bytes)
      assert.equal(reply.headers.get('content-length'), String(bytes.length))
    }
  })

  itOnce(world, 'gives out what is large, and outlives a client that goes away in the middle', async () => {
    const bytes = Buffer.alloc(8 * 1024 * 1024, randomBytes(1_000_003))
    const id = await world.withParameters({ maxlocalattachment: 8 }, () =>
      attach(world.rhea, bug, { data: base64(bytes) }),
    )
    const leaving = new AbortController()
    const response = await fetch(`${world.url}/rest/bug/attachment/${id}/data`, { signal: leaving.signal })
    await response.body?.getReader().read()
    leaving.abort()
    assert.equal((await world.nobody.get('/rest/version')).status, 200)
    assert.ok((await download(world, id)).bytes.equals(bytes))
  })

  const TYPES = [
    ['text/plain', 'text/plain; charset=UTF-8'],
    ['text/plain; charset=iso-8859-1', 'text/plain; charset=iso-8859-1'],
    ['text/plain; charset=utf-7', 'text/plain; charset=UTF-8'],
    ['image/png', 'image/png'],
    ['application/pdf', 'application/pdf'],
    ['text/html', 'application/octet-stream'],
    ['TEXT/HTML', 'application/octet-stream'],
    ['Text/Html ', 'application/octet-stream'],
    ['text/html; charset=utf-8', 'application/octet-stream'],
    ['application/xhtml+xml', 'application/octet-stream'],
    ['image/svg+xml', 'application/octet-stream'],
    ['text/xml', 'application/octet-stream'],
    ['application/xml', 'application/octet-stream'],
    ['application/javascript', 'application/octet-stream'],
    ['text/javascript', 'application/octet-stream'],
    ['text/css', 'application/octet-stream'],
    ['application/json', 'application/octet-stream'],
    ['application/x-shockwave-flash', 'application/octet-stream'],
    ['multipart/x-mixed-replace', 'application/octet-stream'],
    ['message/rfc822', 'application/octet-stream'],
    ['text/x-anything-new', 'application/octet-stream'],
  ] as const

  itOnce(
    world,
    'returns files to be saved and never to be run, and only harmless ones under their own type',
    async () => {
      const data = base64('<script>alert(1)</script>')
      const ids: number[] = []
      for (const [given] of TYPES)
        ids.push(await attach(world.rhea, bug, { data, content_type: given, file_name: 'page.html' }))
      for (const display of [false, true])
        await world.withParameters({ allow_attachment_display: display }, async () => {
          for (const [place, [given, returned]] of TYPES.entries()) {
            const { headers } = await download(world, ids[place] as number, { Accept: 'text/html' })
            assert.equal(headers.get('content-type'), returned, given)
            const isShown = display && /^(text\/plain|image\/png)/.test(returned)
            assert.match(headers.get('content-disposition') ?? '', isShown ? /^inline; / : /^attachment; /, given)
            assert.equal(headers.get('x-content-type-options'), 'nosniff')
            assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*; sandbox;/)
            assert.equal(headers.get('x-frame-options'), 'DENY')
            assert.equal(headers.get('cache-control'), 'private, no-store')
          }
        })
    },
  )

  itOnce(world, 'is application/octet-stream if the content type in the database is not valid', async () => {
    const id = await attach(world.rhea, bug)
    for (const content_type of ['', 'text/html\r\nX-Evil: 1', ' TEXT/HTML ;x']) {
      await world.db.query((q) => q.updateTable('attachments').set({ content_type }).where('id', '=', id))
      const { headers, status } = await download(world, id)
      assert.deepEqual([status, headers.get('content-type')], [200, 'application/octet-stream'])
      assert.equal(headers.get('x-evil'), null)
    }
  })

  for (const [given, header] of [
    ['a.txt', `filename="a.txt"; filename*=UTF-8''a.txt`],
    ['a "b" \\c%41.txt', `filename="c_41.txt"; filename*=UTF-8''c%2541.txt`],
    ['"; filename="evil.exe', `filename="_; filename=_evil.exe"; filename*=UTF-8''%22%3B%20filename%3D%22evil.exe`],
    [
      'a\r\nX-Evil: 1\r\n\r\n<b>.txt',
      `filename="a X-Evil: 1 <b>.txt"; filename*=UTF-8''a%20X-Evil%3A%201%20%3Cb%3E.txt`,
    ],
    ['größe ☃ 😀.txt', `filename="gr__e _ _.txt"; filename*=UTF-8''gr%C3%B6%C3%9Fe%20%E2%98%83%20%F0%9F%98%80.txt`],
    [`it's (1)*!.txt`, `filename="it's (1)*!.txt"; filename*=UTF-8''it%27s%20%281%29%2A%21.txt`],
    ['../../passwd', `filename="passwd"; filename*=UTF-8''passwd`],
  ] as const) {
    itOnce(world, `names the file ${JSON.stringify(given)} in one header, and makes no other`, async () => {
      const id = await attach(world.rhea, bug, { file_name: given })
      const { headers } = await download(world, id)
      assert.equal(headers.get('content-disposition'), `attachment; ${header}`)
      assert.equal(headers.get('x-evil'), null)
    })
  }

  itOnce(world, 'breaks no header even when the database holds a name that would', async () => {
    const id = await attach(world.rhea, bug)
    const file_name = 'a\r\nX-Evil: 1\r\n\r\n<script>.txt'
    await world.db.query((q) => q.updateTable('attachments').set({ file_name }).where('id', '=', id))
    const { status, headers } = await download(world, id)
    assert.equal(status, 200)
    assert.equal(headers.get('x-evil'), null)
  })

  itOnce(world, 'knows no other form: neither a page nor a script', async () => {
    const id = await attach(world.rhea, bug)
    const response = await fetch(`${world.url}/rest/bug/attachment/${id}/data?callback=steal&include_fields=id`, {
      headers: { Accept: 'application/javascript' },
    })
    assert.equal(await response.text(), 'hello attachment\n')
    assert.equal(response.headers.get('content-type'), 'text/plain; charset=UTF-8')
  })

  itOnce(world, 'responds to HEAD with the same headers and no bytes', async () => {
    const id = await attach(world.rhea, bug)
    const [head, get] = [await download(world, id, {}, 'HEAD'), await download(world, id)]
    assert.deepEqual([head.status, head.bytes.length, head.headers.get('content-length')], [200, 0, '17'])
    const returned = (headers: Headers) =>
      Object.fromEntries([...headers].filter(([name]) => !OF_THE_CONNECTION.has(name)))
    assert.deepEqual(returned(head.headers), returned(get.headers))
  })

  it('has an ETag that avoids a second download, and that differs between users', async () => {
    const id = await attach(world.rhea, bug)
    const tagFor = async (name: Name) => (await download(world, id, keyOf(name))).headers.get('etag') ?? ''
    const tag = await tagFor('rhea')
    assert.notEqual(await tagFor('stan'), tag)
    const again = await download(world, id, { ...keyOf('rhea'), 'If-None-Match': tag })
    assert.deepEqual([again.status, again.bytes.length], [304, 0])
    assert.equal((await download(world, id, { ...keyOf('stan'), 'If-None-Match': tag })).status, 200)
    const secret = await attach(world.sven, bug, { is_private: true })
    const secretTag = (await download(world, secret, keyOf('sven'))).headers.get('etag') ?? ''
    for (const known of [secretTag, '*'])
      assert.equal((await download(world, secret, { ...keyOf('stan'), 'If-None-Match': known })).status, 401)
  })

  it('is for those who see the attachment', async () => {
    const product = await newHiddenProduct(world)
    const hidden = await attach(world.sven, await fileBug(world.sven, { product: product.name, component: 'Core' }))
    const secret = await attach(world.sven, bug, { is_private: true })
    const path = (id: number | string) => `/rest/bug/attachment/${id}/data`
    assertRefused(await world.edna.get(path(hidden)), 401, 102)
    assertRefused(await world.edna.get(path(secret)), 401, 304)
    assertRefused(await world.edna.get(path(999_999)), 404, 51)
    assertRefused(await world.edna.get(path('abc')), 400, 52)
    for (const id of [hidden, secret]) assert.equal((await download(world, id, keyOf('sven'))).status, 200)
    await world.withParameters({ requirelogin: true }, async () =>
      assertRefused(await world.nobody.get(path(secret)), 401, 410),
    )
    const refused = await world.edna.get(path(secret))
    assert.match(refused.headers.get('content-type') ?? '', /^application\/json/)
  })

  itOnce(world, 'is read only, by GET', async () => {
    const id = await attach(world.rhea, bug)
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const reply = await rawRequest(world.url, method, `/rest/bug/attachment/${id}/data`, {
        headers: { ...keyOf('ada'), 'Content-Type': 'application/json' },
      })
      assert.equal(reply.status, 405)
    }
  })

  itOnce(world, 'returns an error if the content is missing before the response begins', async () => {
    const id = await attach(world.rhea, bug)
    await world.db.query((q) => q.updateTable('attachments').set({ content_digest: 'lost' }).where('id', '=', id))
    assertRefused(await world.rhea.get(`/rest/bug/attachment/${id}/data`), 503, 32000)
  })
})
