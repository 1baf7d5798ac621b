import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { HttpReceiver, type Manner } from '../../../../test/support/http-receiver.ts'
import { GuardedPoster } from './guarded-post.ts'

const HERE = '127.0.0.1/32'

describe('GuardedPoster', () => {
  const receiver = new HttpReceiver()
  const poster = new GuardedPoster()
  let count = 0

  before(() => receiver.open())
  after(async () => {
    poster.close()
    await receiver.close()
  })

  const post = (url: string, networks = HERE, limitMilliseconds = 10_000) =>
    poster.post(
      { url, headers: { 'Content-Type': 'application/json' }, body: '{"a":"ä"}' },
      { networks, limitMilliseconds },
    )

  function pathWith(behaviour: Manner) {
    const path = `/${++count}`
    receiver.manners.set(path, behaviour)
    return { path, url: receiver.url + path }
  }

  it('posts the whole body, and returns the status', async () => {
    const { path, url } = pathWith(202)
    assert.deepEqual(await post(url), { status: 202 })
    const [received] = receiver.at(path)
    assert.deepEqual(received?.body, { a: 'ä' })
    assert.equal(received?.headers['content-length'], '10')
  })

  for (const status of [200, 301, 302, 303, 404, 410, 500])
    it(`returns ${status} as it is, and follows no redirect`, async () => {
      const elsewhere = pathWith(204)
      const { url } = pathWith({ redirect: elsewhere.url, status })
      assert.deepEqual(await post(url), { status })
      assert.equal(receiver.at(elsewhere.path).length, 0)
    })

  for (const [title, fault, milliseconds] of [
    ['drop', 'the connection was dropped before the response', 3_600_000],
    ['not http', 'the response is not HTTP', 3_600_000],
    ['hang', 'no response within 0.3 seconds', 300],
  ] as const)
    it(`describes the fault of a receiver that does this: ${title}`, async () => {
      assert.deepEqual(await post(pathWith(title).url, HERE, milliseconds), { fault })
    })

  it('returns the status of a response that never ends, or ends too early', async () => {
    // A limit longer than a test may take: the status does not come because the time is over.
    for (const format of ['endless', 'drop halfway'] as const)
      assert.deepEqual(await post(pathWith(format).url, HERE, 3_600_000), { status: 200 })
  })

  it('retries on a new connection if the receiver has closed the old one', async () => {
    const { url } = pathWith(204)
    assert.deepEqual(await post(url), { status: 204 })
    const other = new HttpReceiver()
    await other.open()
    assert.deepEqual(await post(`${other.url}/x`), { status: 204 })
    await other.close()
    assert.deepEqual(await post(`${other.url}/x`), { fault: 'the host refuses the connection' })
  })

  it('follows redirects that keep the body, to permitted addresses', async () => {
    for (const status of [307, 308]) {
      const end = pathWith(201)
      const { url } = pathWith({ redirect: end.path, status })
      assert.deepEqual(await post(url), { status: 201 })
      assert.deepEqual(receiver.at(end.path)[0]?.body, { a: 'ä' })
    }
  })

  it('does not follow redirects to forbidden addresses', async () => {
    const other = new HttpReceiver()
    await other.open('127.0.0.2')
    for (const redirect of [
      `${other.url}/inside`,
      `http://127.2:${other.port}/inside`,
      `http://2130706434:${other.port}/inside`,
      `http://0x7f000002:${other.port}/inside`,
      `http://0177.0.0.2:${other.port}/inside`,
      `http://[::ffff:127.0.0.2]:${other.port}/inside`,
      'http://169.254.169.254/latest/meta-data/',
      'http://[fd00:ec2::254]/latest/meta-data/',
    ])
      assert.match((await post(pathWith({ redirect }).url)).fault ?? '', /not a public one/, redirect)
    for (const redirect of ['file:///etc/passwd', 'gopher://127.0.0.1/'])
      assert.match((await post(pathWith({ redirect }).url)).fault ?? '', /which is not http or https/)
    assert.equal(other.received.length, 0)
    await other.close()
  })

  it('gives up after too many redirects', async () => {
    const path = `/${++count}`
    receiver.manners.set(path, { redirect: path })
    assert.deepEqual(await post(receiver.url + path), { fault: 'more than 3 redirects' })
    assert.equal(receiver.at(path).length, 4)
  })

  it('sends nothing to this machine or a private network, however it is written', async () => {
    const { path } = pathWith(204)
    for (const host of ['127.0.0.1', '127.1', '2130706433', '0x7f.1', '0177.0.0.1', '[::ffff:127.0.0.1]', 'localhost'])
      assert.match((await post(`http://${host}:${receiver.port}${path}`, '')).fault ?? '', /not a public one/, host)
    assert.equal(receiver.at(path).length, 0)
  })

  it('checks the address that a name resolves to, when it connects', async () => {
    const { path } = pathWith(204)
    const byName = `http://localhost:${receiver.port}${path}`
    assert.deepEqual(await post(byName, '127.0.0.0/8,::1'), { status: 204 })
    // The connection is still open, but the administrator has changed the parameter.
    assert.match((await post(byName, '10.0.0.0/8')).fault ?? '', /not a public one/)
    assert.equal(receiver.at(path).length, 1)
  })

  it('returns the same, after the same time, for internal names and for unknown names', async () => {
    const timed = async (url: string, limitMilliseconds?: number) => {
      const started = performance.now()
      const result = await post(url, '', limitMilliseconds)
      return { result, milliseconds: performance.now() - started }
    }
    const unresolved = {
      fault:
        'the host is not known, or its address is not a public one and the parameter webhook_networks does not allow it',
      isUnresolved: true,
    }
    const direct = ['localhost', 'nobody-has-this-name.invalid', 'a..b'].map((host) => timed(`http://${host}/`))
    for (const { result, milliseconds } of await Promise.all(direct)) {
      assert.deepEqual(result, unresolved)
      assert.ok(milliseconds >= 3990, `${milliseconds}`)
    }
    // Also if the time limit ends before the name is resolved.
    for (const host of ['localhost', 'nobody-has-this-name.invalid'])
      assert.deepEqual(await post(`http://${host}/`, '', 100), unresolved)
    // Also if a permitted receiver redirects there.
    const outside = new HttpReceiver()
    await outside.open('127.0.0.2')
    for (const host of ['localhost', 'nobody-has-this-name.invalid']) {
      outside.manners.set(`/${host}`, { redirect: `http://${host}/` })
      assert.deepEqual(await post(`${outside.url}/${host}`, '127.0.0.2/32'), unresolved)
    }
    await outside.close()
  })
})
