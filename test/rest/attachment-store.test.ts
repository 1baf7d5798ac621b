import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { attach, base64, newFile, readAttachment } from '../support/attach.ts'
import { fileBug } from '../support/file-bug.ts'
import { assertRefused } from '../support/refusal.ts'
import { BUCKET, S3Server, SECRET_KEY } from '../support/s3-server.ts'
import { describeOnOneEngine, describeOnSqlite, itOnce, type World } from '../support/world.ts'

function digestOf(text: string) {
  return createHash('sha256').update(text).digest('hex')
}

function placeOf(world: World, text: string) {
  const digest = digestOf(text)
  return join(world.dataFolder, 'attachments', digest.slice(0, 2), digest)
}

function draftsIn(world: World) {
  return readdirSync(join(world.dataFolder, 'attachments', 'drafts'))
}

async function dataOf(world: World, id: number) {
  return Buffer.from((await readAttachment(world.ada, id)).data, 'base64').toString()
}

/** From where it is kept, and not from memory. */
async function savedFrom(world: World, id: number) {
  return (await world.ada.get(`/rest/bug/attachment/${id}/data`)).text
}

describeOnOneEngine('the data folder', (world) => {
  it('keeps each content under its digest, readable only for its own user', async () => {
    const text = world.unique('a content ')
    const id = await attach(world.rhea, await fileBug(world.rhea), { data: base64(text) })
    assert.equal(readFileSync(placeOf(world, text), 'utf8'), text)
    assert.equal(statSync(placeOf(world, text)).mode & 0o777, 0o600)
    assert.equal(statSync(join(world.dataFolder, 'attachments')).mode & 0o777, 0o700)
    assert.deepEqual(draftsIn(world), [])
    assert.equal(await dataOf(world, id), text)
  })

  it('keeps the same content once, however often it is attached at once', async () => {
    const text = world.unique('a content ')
    const bug = await fileBug(world.rhea)
    const ids = await Promise.all(Array.from({ length: 10 }, () => attach(world.rhea, bug, { data: base64(text) })))
    for (const id of ids) assert.equal(await dataOf(world, id), text)
    const { ino } = statSync(placeOf(world, text))
    await attach(world.rhea, bug, { data: base64(text) })
    assert.equal(statSync(placeOf(world, text)).ino, ino)
    assert.deepEqual(draftsIn(world), [])
  })

  it('keeps nothing of what the caller may not attach', async () => {
    const bug = await fileBug(world.rhea)
    for (const [more, client] of [
      [{ is_private: true }, world.rhea],
      [{ ids: [999_999] }, world.rhea],
      [{ summary: '' }, world.rhea],
      [{}, world.nobody],
    ] as const) {
      const text = world.unique('an unwanted content ')
      const reply = await client.post(`/rest/bug/${bug}/attachment`, newFile({ ...more, data: base64(text) }))
      assert.ok(reply.status >= 400)
      assert.equal(existsSync(placeOf(world, text)), false)
    }
  })

  itOnce(world, 'returns 503 when it cannot be written, and then there is no attachment', async () => {
    const bug = await fileBug(world.rhea)
    const text = world.unique('a content ')
    const shelf = join(placeOf(world, text), '..')
    rmSync(shelf, { recursive: true, force: true })
    writeFileSync(shelf, 'in the way')
    const reply = await world.rhea.post(`/rest/bug/${bug}/attachment`, newFile({ data: base64(text) }))
    assertRefused(reply, 503, 32000)
    assert.match(reply.headers.get('retry-after') ?? '', /^\d+$/)
    assert.deepEqual((await world.rhea.get(`/rest/bug/${bug}/attachment`)).body.bugs[bug], [])
    rmSync(shelf)
    await attach(world.rhea, bug, { data: base64(text) })
  })

  it('gives out no content that is damaged or missing, and has it again when it is restored or attached anew', async () => {
    const bug = await fileBug(world.rhea)
    const text = world.unique('a content ')
    const id = await attach(world.rhea, bug, { data: base64(text) })
    const unreadable = async () => {
      for (const path of [
        `/rest/bug/attachment/${id}`,
        `/rest/bug/${bug}/attachment`,
        `/rest/bug/attachment/${id}/data`,
      ]) {
        const reply = await world.rhea.get(path)
        assertRefused(reply, 503, 32000)
        assert.match(reply.headers.get('retry-after') ?? '', /^\d+$/)
      }
    }
    for (const damage of [text.replace('content', 'CONTENT'), text.slice(1), '']) {
      writeFileSync(placeOf(world, text), damage)
      await unreadable()
    }
    rmSync(placeOf(world, text))
    await unreadable()
    assert.equal((await world.rhea.get(`/rest/bug/attachment/${id}?exclude_fields=data`)).status, 200)
    const whys = world.logged.filter(({ event }) => event === 'not served').map(({ why }) => `${why}`)
    for (const how of ['is damaged', 'is not in any store'])
      assert.ok(
        whys.some((why) => why.includes(how) && why.includes(digestOf(text).slice(0, 16))),
        whys.join(),
      )
    writeFileSync(placeOf(world, text), text)
    assert.equal(await savedFrom(world, id), text)
    writeFileSync(placeOf(world, text), 'damaged')
    await attach(world.rhea, bug, { data: base64(text) })
    assert.equal(await savedFrom(world, id), text)
    assert.equal(await dataOf(world, id), text)
    assert.deepEqual(draftsIn(world), [])
  })

  itOnce(world, 'cuts off a large content that is damaged before it looks whole', async () => {
    const bytes = Buffer.alloc(2 * 1024 * 1024, world.unique('large '))
    const bug = await fileBug(world.rhea)
    const id = await world.withParameters({ maxlocalattachment: 5 }, () =>
      attach(world.rhea, bug, { data: base64(bytes) }),
    )
    const whole = async () =>
      Buffer.from(await (await fetch(`${world.url}/rest/bug/attachment/${id}/data`)).arrayBuffer())
    assert.ok((await whole()).equals(bytes))
    const place = placeOf(world, bytes.toString())
    for (const damage of [Buffer.concat([bytes.subarray(1), Buffer.from('x')]), bytes.subarray(1)]) {
      writeFileSync(place, damage)
      await assert.rejects(whole())
    }
    writeFileSync(place, bytes)
    assert.ok((await whole()).equals(bytes))
    assert.ok(
      world.logged.some(({ event, stack }) => event === 'response cut short' && `${stack}`.includes('is damaged')),
    )
  })
})

describeOnSqlite('a draft that a killed process left behind', (world) => {
  it('is swept away when it is a day old', async () => {
    const drafts = join(world.dataFolder, 'attachments', 'drafts')
    mkdirSync(drafts, { recursive: true })
    for (const name of ['old', 'new']) writeFileSync(join(drafts, name), 'half a fi')
    const long = Date.now() / 1000 - 2 * 24 * 60 * 60
    utimesSync(join(drafts, 'old'), long, long)
    await attach(world.rhea, await fileBug(world.rhea))
    assert.deepEqual(draftsIn(world), ['new'])
  })
})

describeOnOneEngine('an S3-compatible store', (world) => {
  const store = new S3Server()
  before(() => store.open())
  after(() => store.close())

  const servedFor = (text: string) =>
    store.served.filter((line) => line.includes(digestOf(text))).map((line) => line.replace(/ \S+ /, ' '))

  it('keeps new contents when it is chosen, each once', async () => {
    const bug = await fileBug(world.rhea)
    const text = world.unique('a content ')
    await world.withParameters(store.parameters(), async () => {
      const [one, two] = [
        await attach(world.rhea, bug, { data: base64(text) }),
        await attach(world.rhea, bug, { data: base64(text) }),
      ]
      for (const id of [one, two]) assert.equal(await dataOf(world, id), text)
      assert.deepEqual(servedFor(text), ['HEAD 404', 'PUT 200', 'HEAD 200', 'GET 200'])
      assert.ok(store.served.some((line) => line.startsWith(`PUT /${BUCKET}/attachments/${digestOf(text)} `)))
      const raw = await world.rhea.get(`/rest/bug/attachment/${one}/data`)
      assert.equal(raw.text, text)
      assert.match(raw.headers.get('content-disposition') ?? '', /^attachment; /)
    })
    assert.equal(existsSync(placeOf(world, text)), false)
  })

  itOnce(world, 'gives out large contents whole', async () => {
    const bug = await fileBug(world.rhea)
    const bytes = Buffer.alloc(3 * 1024 * 1024, 'large ')
    await world.withParameters({ ...store.parameters(), maxlocalattachment: 3 }, async () => {
      const id = await attach(world.rhea, bug, { data: base64(bytes) })
      const response = await fetch(`${world.url}/rest/bug/attachment/${id}/data`)
      assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes))
    })
  })

  it('and the data folder both keep what they have when the other is chosen', async () => {
    const bug = await fileBug(world.rhea)
    const texts = [world.unique('a local content '), world.unique('a remote content '), world.unique('another ')]
    const ids = [await attach(world.rhea, bug, { data: base64(texts[0] as string) })]
    await world.withParameters(store.parameters(), async () => {
      ids.push(await attach(world.rhea, bug, { data: base64(texts[1] as string) }))
      assert.deepEqual(await Promise.all(ids.map((id) => savedFrom(world, id))), texts.slice(0, 2))
      await world.withParameters({ attachment_store: 'local' }, async () => {
        ids.push(await attach(world.rhea, bug, { data: base64(texts[2] as string) }))
        assert.deepEqual(await Promise.all(ids.map((id) => savedFrom(world, id))), texts)
        assert.deepEqual(await Promise.all(ids.map((id) => dataOf(world, id))), texts)
      })
    })
    assert.ok(existsSync(placeOf(world, texts[2] as string)))
  })

  it('that is slow delays no other request, also with an Idempotency-Key', async () => {
    const [bug, other] = [await fileBug(world.rhea), await fileBug(world.rhea)]
    const text = world.unique('a slow content ')
    const wanted = { file_name: 'slow.txt', summary: 'Slow', data: base64(text), content_type: 'text/plain' }
    const attachOnce = () =>
      world.rhea.post(`/rest/bug/${bug}/attachment`, wanted, { 'Idempotency-Key': 'a slow store' })
    await world.withParameters(store.parameters(), async () => {
      const isAsked = store.hold()
      const attaching = attachOnce()
      try {
        await isAsked
        const said = world.rhea.post(`/rest/bug/${other}/comment`, { comment: 'Meanwhile' })
        const tooLate = new Promise<never>((_, reject) => {
          setTimeout(() => reject(new Error('It waited for the store')), 60_000).unref()
        })
        assert.equal((await Promise.race([said, tooLate])).status, 201)
      } finally {
        store.goOn()
      }
      const first = await attaching
      assert.equal(first.status, 201)
      assert.equal(await dataOf(world, first.body.ids[0]), text)
      const requestCount = servedFor(text).length
      const second = await attachOnce()
      assert.equal(second.headers.get('idempotent-replayed'), 'true')
      assert.deepEqual(second.body, first.body)
      assert.equal(servedFor(text).length, requestCount, 'The store was asked again')
    })
  })

  itOnce(world, 'that refuses or cannot be reached is answered with 503, and then there is no attachment', async () => {
    const bug = await fileBug(world.rhea)
    for (const wrong of [
      { s3_secret_key: 'not the secret' },
      { s3_access_key: 'nobody' },
      { s3_bucket: 'no-such-bucket' },
      { s3_endpoint: 'http://127.0.0.1:1' },
    ]) {
      await world.withParameters({ ...store.parameters(), ...wrong }, async () => {
        const text = world.unique('a content ')
        const reply = await world.rhea.post(`/rest/bug/${bug}/attachment`, newFile({ data: base64(text) }))
        assertRefused(reply, 503, 32000)
      })
    }
    assert.deepEqual((await world.rhea.get(`/rest/bug/${bug}/attachment`)).body.bugs[bug], [])
    const returned = JSON.stringify(world.logged)
    assert.ok(!returned.includes(SECRET_KEY) && !returned.includes('not the secret'))
  })

  itOnce(world, 'is chosen only when all that it needs is known', async () => {
    for (const name of ['s3_endpoint', 's3_region', 's3_bucket', 's3_access_key', 's3_secret_key']) {
      const reply = await world.ada.put('/rest/parameters', { ...store.parameters(), [name]: '' })
      assertRefused(reply, 400, 53)
      assert.match(reply.body.message, new RegExp(name))
    }
    await world.withParameters(store.parameters(), async () =>
      assertRefused(await world.ada.put('/rest/parameters', { s3_bucket: '' }), 400, 53),
    )
  })

  itOnce(world, 'has a secret that is never returned', async () => {
    await world.withParameters(store.parameters(), async () => {
      const { body: read } = await world.pam.get('/rest/parameters')
      assert.equal(read.parameters.s3_secret_key, '********')
      const same = await world.ada.put('/rest/parameters', { s3_secret_key: '********' })
      assert.deepEqual(same.body.changes, {})
      // The one that counts is still the old one.
      await attach(world.rhea, await fileBug(world.rhea), { data: base64(world.unique('a content ')) })
      const changed = await world.ada.put('/rest/parameters', { s3_secret_key: 'another secret' })
      assert.deepEqual(changed.body.changes, { s3_secret_key: { removed: '********', added: '********' } })
      const { body: audit } = await world.ada.get('/rest/audit?class=Tracker::Parameter&limit=1000')
      assert.ok(audit.audit.some(({ field }) => field === 's3_secret_key'))
      const returned = JSON.stringify([read, audit, changed.body, world.logged])
      assert.ok(!returned.includes(SECRET_KEY) && !returned.includes('another secret'))
      const wrong = await world.ada.put('/rest/parameters', { s3_secret_key: { is: 'a secret in a wrong place' } })
      assertRefused(wrong, 400, 53)
      assert.ok(!wrong.text.includes('wrong place'))
    })
  })
})
