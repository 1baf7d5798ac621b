import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { before, describe, it } from 'node:test'
import { attach, base64, newFile, readAttachment } from '../support/attach.ts'
import type { BodyAt, Query } from '../support/body-types.ts'
import { getBugRow } from '../support/bug-rows.ts'
import { cast } from '../support/cast.ts'
import { countQueries } from '../support/count-queries.ts'
import { readComments } from '../support/discussion.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { newMember, setControl } from '../support/new-member.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { inOneWorld } from '../support/one-world.ts'
import { rawRequest } from '../support/raw-http.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres } from '../support/sample.ts'
import { sure } from '../support/sure.ts'
import { type Client, itOnce, itOnOneEngine, type World } from '../support/world.ts'

const describeTogether = inOneWorld()

const LONG_AGO = '2020-02-02T02:02:02Z'

/** Members of security are the insiders. */
function withInsiders(world: World) {
  before(async () => {
    const { status } = await world.ada.put('/rest/parameters', { insidergroup: 'security' })
    assert.equal(status, 200)
  })
}

async function hiddenBug(world: World) {
  const product = await newHiddenProduct(world)
  return fileBug(world.sven, { product: product.name, component: 'Core' })
}

async function newType(world: World, more: Record<string, unknown> = {}): Promise<string> {
  const name = world.unique('review')
  const type = { name, description: 'A flag', target_type: 'attachment', is_specifically_requestable: true, ...more }
  const { status, text } = await world.ada.post('/rest/flag_type', type)
  assert.equal(status, 201, text)
  return name
}

async function listed(who: Client, bug: number, query: Query = '?exclude_fields=data') {
  const { status, body, text } = await who.get(`/rest/bug/${bug}/attachment${query}`)
  assert.equal(status, 200, text)
  assert.deepEqual(body.attachments, {})
  return sure(body.bugs[bug])
}

async function comments(who: Client, bug: number) {
  return readComments(who, bug)
}

async function outboxOf(world: World, bug: number) {
  const rows = await world.db.query((q) => q.selectFrom('outbox').selectAll().where('bug_id', '=', bug).orderBy('id'))
  const events = rows.map(({ kind, facts }) => ({ kind, facts: JSON.parse(facts) }))
  return events
    .filter(({ kind }) => kind !== 'bug.create')
    .map(({ kind, facts }) => ({
      kind,
      facts: { ...facts, history: facts.history.map(([, field]: readonly string[]) => field) },
    }))
}

async function age(world: World, bug: number) {
  await world.db.query((q) => q.updateTable('bugs').set({ changed_at: LONG_AGO }).where('id', '=', bug))
  await world.db.query((q) =>
    q.updateTable('attachments').set({ changed_at: LONG_AGO, created_at: LONG_AGO }).where('bug_id', '=', bug),
  )
}

async function countIn(world: World, table: 'attachments' | 'comments' | 'bug_changes' | 'outbox' | 'flags') {
  const [row] = await world.db.query((q) => q.selectFrom(table).select((count) => count.fn.countAll().as('n')))
  return Number(row?.n)
}

/** Nothing of it stays when a call is refused. */
async function unchangedBy(world: World, refused: () => Promise<unknown>) {
  const tables = ['attachments', 'comments', 'bug_changes', 'outbox', 'flags'] as const
  const count = () => Promise.all(tables.map((table) => countIn(world, table)))
  const before = await count()
  await refused()
  assert.deepEqual(await count(), before)
}

describeTogether('POST /rest/bug/(bug_id)/attachment', (world) => {
  withInsiders(world)

  itOnOneEngine(world, 'attaches a file, and adds a comment about it', async () => {
    const bug = await fileBug(world.rhea)
    await age(world, bug)
    const known = (await world.stan.get(`/rest/bug/${bug}`)).headers.get('etag') ?? ''
    const reply = await world.stan.post(`/rest/bug/${bug}/attachment`, newFile({ comment: 'see file' }))
    assert.equal(reply.status, 201)
    assertRefused(await world.edna.put(`/rest/bug/${bug}`, { whiteboard: 'x' }, { 'If-Match': known }), 412, 32000)
    const [id] = reply.body.ids
    assert.deepEqual(reply.body, { ids: [id] })
    const { creation_time, last_change_time, ...rest } = await readAttachment(world.nobody, id)
    assert.deepEqual(rest, {
      id,
      bug_id: bug,
      data: 'aGVsbG8gYXR0YWNobWVudAo=',
      size: 17,
      file_name: 'a.txt',
      summary: 'A file',
      content_type: 'text/plain',
      is_private: false,
      is_obsolete: false,
      is_patch: false,
      creator: cast.stan.login,
      flags: [],
    })
    assert.equal(creation_time, last_change_time)
    const [, comment] = await comments(world.nobody, bug)
    assert.equal(comment.attachment_id, id)
    assert.equal(comment.creation_time, creation_time)
    assert.match(comment.text, new RegExp(`attachment ${id}\nA file\n\nsee file$`))
    assert.equal((await readBug(world.nobody, bug)).last_change_time, creation_time)
    assert.deepEqual((await getBugRow(world, bug)).history, [])
    assert.deepEqual(await outboxOf(world, bug), [
      {
        kind: 'attachment.create',
        facts: { attachment_id: id, comment_id: comment.id, is_private: false, history: [], flags: [] },
      },
    ])
  })

  itOnOneEngine(world, 'adds the comment even without a text', async () => {
    const bug = await fileBug(world.rhea)
    const id = await attach(world.rhea, bug)
    const [, comment, ...more] = await comments(world.nobody, bug)
    assert.match(comment.text, new RegExp(`attachment ${id}\nA file$`))
    assert.deepEqual(more, [])
  })

  itOnOneEngine(world, 'goes to the bug of the path and to every bug in ids, each once and by alias too', async () => {
    const [one, two] = [await fileBug(world.rhea), await fileBug(world.rhea)]
    const three = await fileBug(world.edna, { alias: [world.unique('alias')] })
    const alias = (await readBug(world.edna, three)).alias[0]
    const { status, body } = await world.edna.post(
      `/rest/bug/${one}/attachment`,
      newFile({ ids: [two, one, alias, String(two), three], comment: 'the same to all' }),
    )
    assert.equal(status, 201)
    assert.equal(body.ids.length, 3)
    const made = await Promise.all(body.ids.map((id: number) => readAttachment(world.edna, id)))
    assert.deepEqual(
      made.map(({ bug_id }) => bug_id),
      [one, two, three],
    )
    assert.equal(new Set(made.map(({ creation_time }) => creation_time)).size, 1)
    for (const bug of [one, two, three]) {
      assert.equal((await listed(world.edna, bug)).length, 1)
      assert.equal((await comments(world.edna, bug)).length, 2)
    }
  })

  itOnOneEngine(world, 'attaches nothing when one of several bugs refuses', async () => {
    const [open, hidden] = [await fileBug(world.rhea), await hiddenBug(world)]
    const post = (ids: unknown[]) => world.edna.post(`/rest/bug/${open}/attachment`, newFile({ ids }))
    await unchangedBy(world, async () => {
      assertRefused(await post([hidden]), 401, 102)
      assertRefused(await post([999_999]), 404, 101)
      assertRefused(await post(['no-such-alias']), 400, 100)
    })
  })

  for (const [what, more, status, code] of [
    ['no data', { data: undefined }, 400, 50],
    ['null for data', { data: null }, 400, 50],
    ['empty data', { data: '' }, 400, 606],
    ['data of nothing but blanks', { data: ' \n ' }, 400, 606],
    ['data that is no base64', { data: 'not base64!' }, 400, 606],
    ['data that is too short for base64', { data: 'aGVsb' }, 400, 606],
    ['data without its padding', { data: 'aGVsbG8' }, 400, 606],
    ['padding in the middle', { data: 'aGVsbG8=aGVsbG8=' }, 400, 606],
    ['too much padding', { data: 'aGVsbA====' }, 400, 606],
    ['base64 for addresses', { data: '-_-_' }, 400, 606],
    ['letters beyond base64', { data: 'aGVsĿG8=' }, 400, 606],
    ['a number for data', { data: 7 }, 400, 606],
    ['a list for data', { data: ['aGVsbG8='] }, 400, 53],
    ['no file name', { file_name: undefined }, 400, 603],
    ['an empty file name', { file_name: '' }, 400, 603],
    ['a file name of nothing but blanks', { file_name: ' \t\n' }, 400, 603],
    ['a folder for a file name', { file_name: '/etc/' }, 400, 603],
    ['the parent folder for a file name', { file_name: '..' }, 400, 603],
    ['no summary', { summary: undefined }, 400, 604],
    ['a blank summary', { summary: ' \n' }, 400, 604],
    ['a summary that is too long', { summary: 'x'.repeat(256) }, 400, 104],
    ['no content type', { content_type: undefined }, 400, 601],
    ['an empty content type', { content_type: '' }, 400, 601],
    ['an unknown kind of content', { content_type: 'chemical/x-pdb' }, 400, 601],
    ['half a content type', { content_type: 'text' }, 400, 601],
    ['a content type with a parameter', { content_type: 'text/html ;x' }, 400, 601],
    ['a content type with another parameter than charset', { content_type: 'text/plain; format=flowed' }, 400, 601],
    ['a content type with a line break', { content_type: 'text/plain\r\nX-Evil: 1' }, 400, 601],
    ['a content type with a line break in its charset', { content_type: 'text/plain;\ncharset=utf-8' }, 400, 601],
    ['two content types', { content_type: 'text/plain,text/html' }, 400, 601],
    ['a comment that is too long', { comment: 'x'.repeat(65_536) }, 400, 114],
    ['neither yes nor no', { is_patch: 'perhaps' }, 400, 53],
    ['flags that are none', { flags: 'review' }, 400, 53],
    ['an unknown flag', { flags: [{ name: 'nosuchflag', status: '?' }] }, 404, 51],
  ] as const) {
    itOnce(world, `refuses ${what} with ${code}, and attaches nothing`, async () => {
      const bug = await fileBug(world.rhea)
      await unchangedBy(world, async () =>
        assertRefused(await world.edna.post(`/rest/bug/${bug}/attachment`, newFile(more)), status, code),
      )
    })
  }

  itOnce(world, 'takes base64 whose lines are broken', async () => {
    const bytes = Buffer.from(Array.from({ length: 1000 }, (_, at) => at % 256))
    const lines = base64(bytes).replace(/(.{76})/g, '$1\r\n')
    const id = await attach(world.rhea, await fileBug(world.rhea), { data: `${lines}\n` })
    const { data, size } = await readAttachment(world.rhea, id)
    assert.deepEqual([data, size], [base64(bytes), 1000])
  })

  itOnce(world, 'takes up to maxattachmentsize KiB, or maxlocalattachment MiB when that is more', async () => {
    const bug = await fileBug(world.rhea)
    const post = (size: number) =>
      world.rhea.post(`/rest/bug/${bug}/attachment`, newFile({ data: base64(Buffer.alloc(size, 'x')) }))
    await world.withParameters({ maxattachmentsize: 3 }, async () => {
      assert.equal((await post(3 * 1024)).status, 201)
      await unchangedBy(world, async () => {
        assertRefused(await post(3 * 1024 + 1), 400, 600)
        assertRefused(await post(2 * 1024 * 1024), 400, 600)
      })
      await world.withParameters({ maxlocalattachment: 1 }, async () => {
        assert.equal((await post(1024 * 1024)).status, 201)
        assertRefused(await post(1024 * 1024 + 1), 400, 600)
      })
    })
    assert.equal((await post(1000 * 1024)).status, 201)
    assertRefused(await post(1000 * 1024 + 1), 400, 600)
  })

  itOnce(world, 'takes a large body, which no other call does', async () => {
    const bug = await fileBug(world.rhea)
    const bytes = Buffer.alloc(5 * 1024 * 1024, 'large ')
    await world.withParameters({ maxlocalattachment: 5 }, async () => {
      const id = await attach(world.rhea, bug, { data: base64(bytes) })
      assert.equal((await readAttachment(world.rhea, id, '?include_fields=size')).size, bytes.length)
    })
    const comment = 'x'.repeat(5 * 1024 * 1024)
    assert.equal((await world.rhea.post(`/rest/bug/${bug}/comment`, { comment })).status, 413)
  })

  itOnce(world, 'reads no larger body than it needs, from whomever it comes', async () => {
    const bug = await fileBug(world.rhea)
    const path = `/rest/bug/${bug}/attachment`
    const headers = { 'Content-Type': 'application/json', 'X-TRACKER-API-KEY': cast.rhea.apiKey }
    const declared = (length: number) =>
      rawRequest(world.url, 'POST', path, { headers: { ...headers, 'Content-Length': String(length) } })
    const refused = await declared(6 * 1024 * 1024)
    assert.deepEqual([refused.status, JSON.parse(refused.body).code], [400, 600])
    const chunked = await fetch(world.url + path, {
      method: 'POST',
      headers,
      body: Readable.toWeb(
        Readable.from(Array.from({ length: 60 }, () => Buffer.alloc(100_000, ' '))),
      ) as ReadableStream,
      duplex: 'half',
    })
    assert.deepEqual([chunked.status, ((await chunked.json()) as { code: number }).code], [400, 600])
    await world.withParameters({ maxlocalattachment: 999 }, async () => {
      const beyond = await declared(64 * 1024 * 1024 + 1)
      assert.deepEqual([beyond.status, JSON.parse(beyond.body).code], [413, 32000])
      assert.match(JSON.parse(beyond.body).message, /67108864/)
    })
  })

  itOnce(world, 'takes a body that comes in pieces', async () => {
    const bug = await fileBug(world.rhea)
    const body = JSON.stringify(newFile({ data: base64(Buffer.alloc(300_000, 'pieces ')) }))
    const response = await fetch(`${world.url}/rest/bug/${bug}/attachment`, {
      method: 'POST',
      headers: { ...world.rhea.headers, 'Content-Type': 'application/json' },
      body: Readable.toWeb(Readable.from(body.match(/.{1,9999}/g) ?? [])) as ReadableStream,
      duplex: 'half',
    })
    const [id] = ((await response.json()) as BodyAt<'POST', '/rest/bug/1/attachment'>).ids
    assert.equal((await readAttachment(world.rhea, id)).size, 300_000)
  })

  itOnOneEngine(world, 'sets the content type of a patch to text/plain, whatever was sent', async () => {
    const bug = await fileBug(world.rhea)
    for (const content_type of [undefined, 'text/html', 'no type at all']) {
      const id = await attach(world.rhea, bug, { is_patch: true, content_type })
      const patch = await readAttachment(world.rhea, id)
      assert.deepEqual([patch.is_patch, patch.content_type], [true, 'text/plain'])
    }
  })

  itOnce(world, 'keeps one form of a content type', async () => {
    const bug = await fileBug(world.rhea)
    for (const [given, kept] of [
      ['TEXT/HTML', 'text/html'],
      [' text/html ', 'text/html'],
      ['image/svg+xml', 'image/svg+xml'],
      ['application/vnd.oasis.opendocument.text', 'application/vnd.oasis.opendocument.text'],
      ['text/plain;charset=utf-8', 'text/plain; charset=utf-8'],
      ['Text/Plain ; Charset="ISO-8859-1"', 'text/plain; charset=ISO-8859-1'],
    ]) {
      const id = await attach(world.rhea, bug, { content_type: given })
      assert.equal((await readAttachment(world.rhea, id)).content_type, kept)
    }
  })

  itOnce(world, 'keeps of a file name what is a name', async () => {
    const bug = await fileBug(world.rhea)
    for (const [given, kept] of [
      ['C:\\Users\\rhea\\screen shot.png', 'screen shot.png'],
      ['../../etc/passwd', 'passwd'],
      ['a\r\nX-Evil: 1.txt', 'a X-Evil: 1.txt'],
      ['a\u2028b.txt', 'a b.txt'],
      ['gpj\u202eexe.txt', 'gpjexe.txt'],
      [`${'😀'.repeat(300)}.png`, `${'😀'.repeat(251)}.png`],
      ['"quoted"; filename="x".txt', '"quoted"; filename="x".txt'],
      ['Ünïcode – “name”.txt', 'Ünïcode – “name”.txt'],
      ['<script>alert(1)</script>', 'script>'],
    ]) {
      const id = await attach(world.rhea, bug, { file_name: given })
      assert.equal((await readAttachment(world.rhea, id)).file_name, kept)
    }
  })

  itOnOneEngine(world, 'makes one line of a summary', async () => {
    const id = await attach(world.rhea, await fileBug(world.rhea), { summary: ' two\r\nlines\u2029here ' })
    assert.equal((await readAttachment(world.rhea, id)).summary, 'two lines here')
  })

  itOnOneEngine(world, 'is for those who are logged in, see the bug and may change bugs of its product', async () => {
    const bug = await fileBug(world.rhea)
    const hidden = await hiddenBug(world)
    const product = await newProduct(world)
    const readOnly = await fileBug(world.edna, { product: product.name, component: 'Core' })
    await setControl(world, product.name, 'security', { canedit: true })
    await unchangedBy(world, async () => {
      assertRefused(await world.nobody.post(`/rest/bug/${bug}/attachment`, newFile()), 401, 410)
      assertRefused(await world.edna.post(`/rest/bug/${hidden}/attachment`, newFile()), 401, 102)
      assertRefused(await world.edna.post('/rest/bug/999999/attachment', newFile()), 404, 101)
      assertRefused(await world.edna.post('/rest/bug/no-such-alias/attachment', newFile()), 400, 100)
      assertRefused(await world.edna.post(`/rest/bug/${readOnly}/attachment`, newFile()), 401, 109)
    })
    assert.ok(await attach(world.sven, readOnly))
    assert.ok(await attach(world.sven, hidden))
    assert.ok(await attach(world.stan, bug))
  })

  itOnOneEngine(world, 'takes something private from insiders only, and then the comment is private too', async () => {
    const bug = await fileBug(world.rhea)
    await unchangedBy(world, async () =>
      assertRefused(await world.edna.post(`/rest/bug/${bug}/attachment`, newFile({ is_private: true })), 401, 113),
    )
    const id = await attach(world.sven, bug, { is_private: true, comment: 'psst' })
    assert.equal((await comments(world.edna, bug)).length, 1)
    const [, comment] = await comments(world.sven, bug)
    assert.deepEqual([comment.is_private, comment.attachment_id], [true, id])
    const [event] = await outboxOf(world, bug)
    assert.equal(event?.facts.is_private, true)
  })

  itOnOneEngine(
    world,
    'sets flags with it, adds the requestees to the CC list, and records both in the history',
    async () => {
      const bug = await fileBug(world.rhea)
      const flag = await newType(world)
      const id = await attach(world.edna, bug, { flags: [{ name: flag, status: '?', requestee: cast.stan.login }] })
      const { flags } = await readAttachment(world.nobody, id)
      assert.equal(flags.length, 1)
      const { status, setter, requestee, name } = flags[0]
      assert.deepEqual([name, status, setter, requestee], [flag, '?', cast.edna.login, cast.stan.login])
      assert.deepEqual((await readBug(world.edna, bug)).cc, [cast.stan.login])
      assert.deepEqual((await readBug(world.edna, bug)).flags, [])
      const words = `${flag}?(${cast.stan.login})`
      assert.deepEqual((await world.edna.get(`/rest/bug/${bug}/history`)).body.bugs[0].history[0].changes, [
        { field_name: 'flagtypes.name', removed: '', added: words, attachment_id: id },
        { field_name: 'cc', removed: '', added: cast.stan.login },
      ])
      const [event] = await outboxOf(world, bug)
      assert.equal(event?.facts.flags[0].after, words)
    },
  )

  itOnOneEngine(world, 'attaches nothing when a flag is refused', async () => {
    const bug = await fileBug(world.rhea)
    const flag = await newType(world)
    await unchangedBy(world, async () => {
      const post = (more: Record<string, unknown>) => world.sven.post(`/rest/bug/${bug}/attachment`, newFile(more))
      assertRefused(await post({ flags: [{ name: flag, status: '!' }] }), 400, 129)
      const request = { name: flag, status: '?', requestee: cast.stan.login }
      assertRefused(await post({ flags: [request], is_private: true }), 400, 32000)
    })
  })

  itOnOneEngine(world, 'ignores what it does not know', async () => {
    const id = await attach(world.rhea, await fileBug(world.rhea), {
      creator: cast.ada.login,
      nonsense: 1,
      is_obsolete: 1,
    })
    const { creator, is_obsolete } = await readAttachment(world.rhea, id)
    assert.deepEqual([creator, is_obsolete], [cast.rhea.login, false])
  })

  itOnPostgres(world, 'keeps all of many concurrent attachments', async () => {
    const bug = await fileBug(world.rhea)
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, at) => attach(world.edna, bug, { data: base64(`file ${at % 5}`) })),
    )
    assert.equal(new Set(made).size, 10)
    assert.equal((await listed(world.edna, bug)).length, 10)
    assert.deepEqual(
      (await comments(world.edna, bug)).map(({ count }) => count),
      Array.from({ length: 11 }, (_, at) => at),
    )
  })
})

describeTogether('GET /rest/bug/(bug_id)/attachment and /rest/bug/attachment/(attachment_id)', (world) => {
  withInsiders(world)

  it('returns maps by bug and by attachment, of all that ids and attachment_ids name', async () => {
    const [one, two, none] = [await fileBug(world.rhea), await fileBug(world.rhea), await fileBug(world.rhea)]
    const [first, second, third] = [
      await attach(world.rhea, one),
      await attach(world.rhea, one),
      await attach(world.rhea, two),
    ]
    const { body } = await world.nobody.get(
      `/rest/bug/${one}/attachment?ids=${none}&attachment_ids=${third}&include_fields=id`,
    )
    assert.deepEqual(body, {
      bugs: { [one]: [{ id: first }, { id: second }], [none]: [] },
      attachments: { [third]: { id: third } },
    })
    const other = await world.nobody.get(
      `/rest/bug/attachment/${third}?ids=${one}&attachment_ids=${first}&attachment_ids=${second}&include_fields=id`,
    )
    assert.deepEqual(other.body, {
      bugs: { [one]: [{ id: first }, { id: second }] },
      attachments: { [first]: { id: first }, [second]: { id: second }, [third]: { id: third } },
    })
  })

  itOnOneEngine(world, 'finds the bug by its alias', async () => {
    const alias = world.unique('alias')
    const bug = await fileBug(world.edna, { alias: [alias] })
    await attach(world.edna, bug)
    const { body } = await world.edna.get(`/rest/bug/${alias}/attachment`)
    assert.deepEqual(Object.keys(body.bugs), [String(bug)])
  })

  itOnOneEngine(world, 'returns empty maps for an id that does not exist, and 52 for an invalid id', async () => {
    for (const id of ['999999', '0', '-1', '99999999999'])
      assert.deepEqual((await world.nobody.get(`/rest/bug/attachment/${id}`)).body, { bugs: {}, attachments: {} })
    for (const id of ['abc', '1.5', '0x10', '1e3'])
      assertRefused(await world.nobody.get(`/rest/bug/attachment/${id}`), 400, 52)
    assertRefused(await world.nobody.get('/rest/bug/attachment/1?attachment_ids=x'), 400, 52)
  })

  itOnOneEngine(world, 'refuses bugs that are unknown or hidden', async () => {
    assertRefused(await world.stan.get(`/rest/bug/${await hiddenBug(world)}/attachment`), 401, 102)
    assertRefused(await world.stan.get('/rest/bug/999999/attachment'), 404, 101)
    assertRefused(await world.stan.get('/rest/bug/no-such-alias/attachment'), 400, 100)
  })

  it('returns only the requested fields, and reads no content for others', async () => {
    const bug = await fileBug(world.rhea)
    const id = await attach(world.rhea, bug)
    await world.db.query((q) => q.updateTable('attachments').set({ content_digest: 'lost' }).where('id', '=', id))
    const { data, ...rest } = await readAttachment(world.rhea, id, '?exclude_fields=data')
    assert.equal(data, undefined)
    assert.equal(Object.keys(rest).length, 13)
    assert.deepEqual(await readAttachment(world.rhea, id, '?include_fields=id,size'), { id, size: 17 })
    const lost = await world.rhea.get(`/rest/bug/attachment/${id}`)
    assertRefused(lost, 503, 32000)
    assert.ok(!lost.text.includes('lost'))
    const [bugRead] = (await world.rhea.get(`/rest/bug/${bug}?include_fields=attachments`)).body.bugs
    assert.equal(bugRead.attachments[0].id, id)
  })

  itOnOneEngine(world, 'hides whole addresses from anonymous callers when webservice_email_filter is on', async () => {
    const flag = await newType(world)
    const id = await attach(world.edna, await fileBug(world.rhea), {
      flags: [{ name: flag, status: '?', requestee: cast.stan.login }],
    })
    await world.withParameters({ webservice_email_filter: true }, async () => {
      const { creator, flags } = await readAttachment(world.nobody, id)
      assert.deepEqual([creator, flags[0].setter, flags[0].requestee], ['edna', 'edna', 'stan'])
      assert.equal((await readAttachment(world.stan, id)).creator, cast.edna.login)
    })
  })

  itOnOneEngine(world, 'asks the database as often for many attachments as for one', async () => {
    const [one, many] = [await fileBug(world.rhea), await fileBug(world.rhea)]
    await attach(world.rhea, one)
    for (let at = 0; at < 8; at++) await attach(world.rhea, many)
    const ask = (bug: number) =>
      countQueries(world, () => world.rhea.get(`/rest/bug/${bug}/attachment?exclude_fields=data`))
    assert.equal(await ask(many), await ask(one))
  })

  itOnce(world, 'refuses contents that are too large for one response, and says what to do', async () => {
    const bug = await fileBug(world.rhea)
    const id = await attach(world.rhea, bug)
    await world.db.query((q) =>
      q
        .updateTable('attachments')
        .set({ size: 65 * 1024 * 1024 })
        .where('id', '=', id),
    )
    const refused = await world.rhea.get(`/rest/bug/${bug}/attachment`)
    assertRefused(refused, 400, 32000)
    assert.match(refused.body.message, /exclude_fields=data/)
    assert.equal((await listed(world.rhea, bug)).length, 1)
  })

  itOnOneEngine(world, 'is part of Get Bug as an extra field, without contents', async () => {
    const bug = await fileBug(world.rhea)
    const open = await attach(world.rhea, bug)
    const secret = await attach(world.sven, bug, { is_private: true })
    const attachmentsFor = async (who: Client, query: string) => (await readBug(who, bug, query)).attachments
    assert.equal(await attachmentsFor(world.rhea, ''), undefined)
    const [shown, ...more] = await attachmentsFor(world.rhea, '?include_fields=attachments')
    assert.deepEqual(more, [])
    assert.deepEqual(shown, await readAttachment(world.rhea, open, '?exclude_fields=data'))
    assert.deepEqual(await attachmentsFor(world.sven, '?include_fields=id,attachments.id'), [
      { id: open },
      { id: secret },
    ])
    assert.equal((await attachmentsFor(world.sven, '?include_fields=_extra')).length, 2)
    assert.deepEqual(
      (await attachmentsFor(world.sven, '?include_fields=attachments.data,attachments.id')).map(Object.keys),
      [['id'], ['id']],
    )
  })
})

describeTogether('a private attachment', (world) => {
  withInsiders(world)

  /** A bug with an open attachment of rhea's, a private one of sven's, and one that rhea attached when she was an insider. */
  async function someBug() {
    const bug = await fileBug(world.rhea)
    const open = await attach(world.rhea, bug)
    const svens = await attach(world.sven, bug, {
      is_private: true,
      summary: 'The secret summary',
      file_name: 'secret.txt',
    })
    const rheas = await attach(world.rhea, bug)
    assert.equal((await world.sven.put(`/rest/bug/attachment/${rheas}`, { is_private: true })).status, 200)
    return { bug, open, svens, rheas }
  }

  itOnOneEngine(
    world,
    'is left out of lists and refused by its id, but for insiders and the user who attached it',
    async () => {
      const { bug, open, svens, rheas } = await someBug()
      for (const [who, sees] of [
        ['sven', [open, svens, rheas]],
        ['rhea', [open, rheas]],
        ['edna', [open]],
        ['stan', [open]],
        ['nobody', [open]],
      ] as const) {
        const ids = (await listed(world[who], bug)).map(({ id }) => id)
        assert.deepEqual(ids, sees, who)
        const inBug = (await readBug(world[who], bug, '?include_fields=attachments')).attachments
        assert.deepEqual(
          inBug.map(({ id }) => id),
          sees,
          who,
        )
        for (const id of [open, svens, rheas]) {
          const paths = [
            `/rest/bug/attachment/${id}`,
            `/rest/bug/attachment/${open}?attachment_ids=${id}`,
            `/rest/bug/attachment/${id}/data`,
          ]
          for (const path of paths) {
            const reply = await world[who].get(path)
            if ((sees as readonly number[]).includes(id)) assert.equal(reply.status, 200, `${who} ${path}`)
            else {
              assertRefused(reply, 401, 304)
              assert.ok(!/secret/i.test(reply.text), reply.text)
            }
          }
        }
      }
    },
  )

  itOnOneEngine(world, 'cannot be changed by users who do not see it, and is not revealed to them', async () => {
    const { bug, svens } = await someBug()
    const before = await readAttachment(world.sven, svens)
    await unchangedBy(world, async () => {
      for (const who of ['rhea', 'edna', 'stan'] as const)
        for (const body of [{}, { is_obsolete: true }, { summary: 'Mine' }, { flags: [] }, { comment: 'hello' }]) {
          const reply = await world[who].put(`/rest/bug/attachment/${svens}`, body)
          assertRefused(reply, 401, 304)
          assert.ok(!/secret/i.test(reply.text), reply.text)
        }
      assertRefused(await world.nobody.put(`/rest/bug/attachment/${svens}`, { is_obsolete: true }), 401, 410)
    })
    assert.deepEqual(await readAttachment(world.sven, svens), before)
    assert.ok(!/secret/i.test(JSON.stringify(await comments(world.edna, bug))))
  })

  itOnOneEngine(world, 'on a hidden bug is as hidden as the bug, whose number is not revealed', async () => {
    const bug = await hiddenBug(world)
    const id = await attach(world.sven, bug, { summary: 'The secret summary' })
    for (const path of [`/rest/bug/attachment/${id}`, `/rest/bug/attachment/${id}/data`]) {
      for (const who of ['stan', 'edna', 'nobody'] as const) {
        const reply = await world[who].get(path)
        assertRefused(reply, 401, 102)
        assert.ok(!reply.body.message.includes(`bug ${bug}`) && !/secret/i.test(reply.text), reply.text)
      }
    }
    assertRefused(await world.edna.put(`/rest/bug/attachment/${id}`, { is_obsolete: true }), 401, 102)
  })

  itOnOneEngine(world, 'can be made so, and undone, by insiders only', async () => {
    const bug = await fileBug(world.rhea)
    const id = await attach(world.rhea, bug)
    assertRefused(await world.edna.put(`/rest/bug/attachment/${id}`, { is_private: true }), 401, 113)
    assertRefused(await world.rhea.put(`/rest/bug/attachment/${id}`, { is_private: 1 }), 401, 113)
    assert.equal((await world.rhea.put(`/rest/bug/attachment/${id}`, { is_private: false })).status, 200)
    const { body } = await world.sven.put(`/rest/bug/attachment/${id}`, { is_private: true })
    assert.deepEqual(body.attachments[0].changes, { is_private: { removed: '0', added: '1' } })
    assertRefused(await world.rhea.put(`/rest/bug/attachment/${id}`, { is_private: false }), 401, 113)
    assert.equal((await world.rhea.put(`/rest/bug/attachment/${id}`, { is_private: true })).status, 200)
  })

  itOnOneEngine(world, 'leaves the history of others, and its remarks are private', async () => {
    const { bug, svens } = await someBug()
    await world.sven.put(`/rest/bug/attachment/${svens}`, { summary: 'Another secret', comment: 'psst' })
    const historyFor = async (who: Client) => JSON.stringify((await who.get(`/rest/bug/${bug}/history`)).body)
    assert.match(await historyFor(world.sven), /Another secret/)
    assert.doesNotMatch(await historyFor(world.edna), /secret/i)
    assert.equal((await comments(world.edna, bug)).filter(({ text }) => /psst|secret/i.test(text)).length, 0)
    assert.equal((await comments(world.sven, bug)).at(-1).is_private, true)
  })

  itOnOneEngine(world, 'has another ETag than the response to others', async () => {
    const { bug } = await someBug()
    const tagFor = async (who: Client) => (await who.get(`/rest/bug/${bug}/attachment`)).headers.get('etag')
    assert.notEqual(await tagFor(world.sven), await tagFor(world.edna))
    const svens = (await tagFor(world.sven)) ?? ''
    const reply = await world.edna.get(`/rest/bug/${bug}/attachment`, { 'If-None-Match': svens })
    assert.equal(reply.status, 200)
    assert.match(reply.headers.get('cache-control') ?? '', /private/)
  })
})

describeTogether('PUT /rest/bug/attachment/(attachment_id)', (world) => {
  withInsiders(world)

  itOnOneEngine(world, 'changes the description of an attachment, with a line of history', async () => {
    const bug = await fileBug(world.rhea)
    const id = await attach(world.rhea, bug)
    await age(world, bug)
    const wanted = {
      summary: 'Renamed',
      file_name: '/tmp/b.png',
      content_type: 'Image/PNG',
      is_obsolete: true,
    }
    const { status, body } = await world.edna.put(`/rest/bug/attachment/${id}`, wanted)
    assert.equal(status, 200)
    const { last_change_time } = body.attachments[0]
    assert.deepEqual(body, {
      attachments: [
        {
          id,
          last_change_time,
          changes: {
            summary: { removed: 'A file', added: 'Renamed' },
            file_name: { removed: 'a.txt', added: 'b.png' },
            content_type: { removed: 'text/plain', added: 'image/png' },
            is_obsolete: { removed: '0', added: '1' },
          },
        },
      ],
    })
    const read = await readAttachment(world.rhea, id)
    assert.deepEqual(
      [read.summary, read.file_name, read.content_type, read.is_obsolete, read.last_change_time, read.creation_time],
      ['Renamed', 'b.png', 'image/png', true, last_change_time, LONG_AGO],
    )
    assert.equal((await readBug(world.rhea, bug)).last_change_time, last_change_time)
    const { history } = (await world.rhea.get(`/rest/bug/${bug}/history`)).body.bugs[0]
    assert.equal(history.length, 1)
    assert.deepEqual([history[0].when, history[0].who], [last_change_time, cast.edna.login])
    assert.deepEqual(
      history[0].changes.toSorted((a, b) => a.field_name.localeCompare(b.field_name)),
      [
        { field_name: 'attachments.description', removed: 'A file', added: 'Renamed', attachment_id: id },
        { field_name: 'attachments.filename', removed: 'a.txt', added: 'b.png', attachment_id: id },
        { field_name: 'attachments.isobsolete', removed: '0', added: '1', attachment_id: id },
        { field_name: 'attachments.mimetype', removed: 'text/plain', added: 'image/png', attachment_id: id },
      ],
    )
    const events = await outboxOf(world, bug)
    assert.deepEqual(events.at(-1), {
      kind: 'attachment.update',
      facts: {
        attachment_id: id,
        comment_id: null,
        is_private: false,
        fields: ['file_name', 'summary', 'content_type', 'is_obsolete'],
        history: ['attachments.filename', 'attachments.description', 'attachments.mimetype', 'attachments.isobsolete'],
        flags: [],
      },
    })
  })

  itOnOneEngine(world, 'comments on the attachment, and returns the time of this update', async () => {
    const bug = await fileBug(world.rhea)
    const id = await attach(world.rhea, bug)
    await age(world, bug)
    const { body } = await world.rhea.put(`/rest/bug/attachment/${id}`, { comment: 'it works for me' })
    const { last_change_time, changes } = body.attachments[0]
    assert.deepEqual(changes, {})
    assert.notEqual(last_change_time, LONG_AGO)
    const comment = (await comments(world.rhea, bug)).at(-1)
    assert.deepEqual([comment.attachment_id, comment.creation_time], [id, last_change_time])
    assert.match(comment.text, new RegExp(`attachment ${id}\nA file\n\nit works for me$`))
    assert.equal((await readAttachment(world.rhea, id)).last_change_time, last_change_time)
    assert.equal((await readBug(world.rhea, bug)).last_change_time, last_change_time)
    assert.deepEqual((await getBugRow(world, bug)).history, [])
  })

  itOnOneEngine(world, 'changes nothing, and returns the old time, when all is so already', async () => {
    const bug = await fileBug(world.rhea)
    const id = await attach(world.rhea, bug)
    await age(world, bug)
    await unchangedBy(world, async () => {
      for (const body of [
        {},
        { comment: ' \n' },
        { flags: [] },
        { summary: ' A file ', is_obsolete: 0, is_patch: 'false', is_private: null, content_type: 'TEXT/plain' },
      ]) {
        const reply = await world.rhea.put(`/rest/bug/attachment/${id}`, body)
        assert.deepEqual(reply.body, { attachments: [{ id, last_change_time: LONG_AGO, changes: {} }] })
      }
    })
    assert.equal((await readBug(world.rhea, bug)).last_change_time, LONG_AGO)
  })

  itOnOneEngine(world, 'makes a patch of it, which is plain text', async () => {
    const bug = await fileBug(world.rhea)
    const id = await attach(world.rhea, bug, { content_type: 'application/octet-stream' })
    const put = async (body: object) =>
      (await world.rhea.put(`/rest/bug/attachment/${id}`, body)).body.attachments[0].changes
    assert.deepEqual(await put({ is_patch: true }), {
      content_type: { removed: 'application/octet-stream', added: 'text/plain' },
      is_patch: { removed: '0', added: '1' },
    })
    assert.deepEqual(await put({ content_type: 'text/html' }), {})
    assert.deepEqual(await put({ is_patch: false, content_type: 'text/html' }), {
      content_type: { removed: 'text/plain', added: 'text/html' },
      is_patch: { removed: '1', added: '0' },
    })
  })

  itOnOneEngine(world, 'changes several alike, each once, or none', async () => {
    const [one, two] = [await fileBug(world.rhea), await fileBug(world.rhea)]
    const ids = [await attach(world.rhea, one), await attach(world.rhea, one), await attach(world.rhea, two)]
    const [first, ...others] = ids
    const { body } = await world.edna.put(`/rest/bug/attachment/${first}`, {
      ids: [...others, first],
      is_obsolete: true,
    })
    assert.deepEqual(
      body.attachments.map(({ id }) => id),
      ids,
    )
    const hidden = await attach(world.sven, await hiddenBug(world))
    const secret = await attach(world.sven, one, { is_private: true })
    await unchangedBy(world, async () => {
      for (const [other, status, code] of [
        [hidden, 401, 102],
        [secret, 401, 304],
        [999_999, 400, 32000],
        ['x', 400, 52],
      ] as const) {
        const reply = await world.edna.put(`/rest/bug/attachment/${first}`, { ids: [other], summary: 'All or none' })
        assertRefused(reply, status, code)
      }
    })
    assert.equal((await readAttachment(world.edna, first as number)).summary, 'A file')
  })

  for (const [what, body, status, code] of [
    ['an empty summary', { summary: '' }, 400, 604],
    ['a summary that is too long', { summary: 'x'.repeat(256) }, 400, 104],
    ['an empty file name', { file_name: ' / ' }, 400, 603],
    ['an empty content type', { content_type: '' }, 400, 601],
    ['a wrong content type', { content_type: 'html' }, 400, 601],
    ['a content type with a line break', { content_type: 'text/html\n' + 'x' }, 400, 601],
    ['new data', { data: 'aGVsbG8=' }, 400, 32601],
    ['another bug', { bug_id: 1 }, 400, 32601],
    ['another creator', { creator: 'ada@lacewing.test' }, 400, 32601],
    ['what it does not know', { nonsense: 1 }, 400, 32601],
    ['a comment that is too long', { comment: 'x'.repeat(65_536) }, 400, 114],
    ['neither yes nor no', { is_obsolete: 'perhaps' }, 400, 53],
    ['a list for a summary', { summary: ['a'] }, 400, 53],
    ['flags that are none', { flags: { name: 'review' } }, 400, 53],
    ['an unknown flag', { flags: [{ name: 'nosuchflag', status: '+' }] }, 404, 51],
  ] as const) {
    itOnce(world, `refuses ${what} with ${code}, and changes nothing`, async () => {
      const bug = await fileBug(world.rhea)
      const id = await attach(world.rhea, bug)
      const before = await readAttachment(world.rhea, id)
      await unchangedBy(world, async () =>
        assertRefused(await world.rhea.put(`/rest/bug/attachment/${id}`, { is_obsolete: true, ...body }), status, code),
      )
      assert.deepEqual(await readAttachment(world.rhea, id), before)
    })
  }

  itOnOneEngine(world, 'refuses an invalid id, and an id that does not exist', async () => {
    assertRefused(await world.edna.put('/rest/bug/attachment/abc', { summary: 'x' }), 400, 52)
    assertRefused(await world.edna.put('/rest/bug/attachment/999999', { summary: 'x' }), 400, 32000)
    assertRefused(await world.edna.put('/rest/bug/attachment/99999999999', { summary: 'x' }), 400, 32000)
  })

  itOnOneEngine(world, 'is for the user who attached it and for those who may edit bugs of the product', async () => {
    const product = await newProduct(world)
    const bug = await fileBug(world.edna, { product: product.name, component: 'Core' })
    const id = await attach(world.rhea, bug)
    const put = (who: Client) => who.put(`/rest/bug/attachment/${id}`, { summary: world.unique('Summary') })
    assertRefused(await world.nobody.put(`/rest/bug/attachment/${id}`, { summary: 'x' }), 401, 410)
    assertRefused(await put(world.stan), 400, 32000)
    assertRefused(await world.stan.put(`/rest/bug/attachment/${id}`), 400, 32000)
    assertRefused(await world.stan.put(`/rest/bug/attachment/${id}`, { comment: 'hello' }), 400, 32000)
    assert.equal((await put(world.rhea)).status, 200)
    assert.equal((await put(world.edna)).status, 200)
    const group = await world.newGroup()
    const member = await newMember(world, group.name)
    assertRefused(await put(member.client), 400, 32000)
    await setControl(world, product.name, group.name, { editbugs: true })
    assert.equal((await put(member.client)).status, 200)
    await setControl(world, product.name, 'security', { canedit: true })
    assertRefused(await put(world.edna), 401, 109)
    assertRefused(await put(world.rhea), 401, 109)
    assert.equal((await put(world.sven)).status, 200)
  })

  describe('with flags', () => {
    itOnOneEngine(world, 'sets, changes and clears them', async () => {
      const bug = await fileBug(world.rhea)
      const flag = await newType(world)
      const id = await attach(world.rhea, bug)
      const put = async (flags: object[]) => {
        const { status, body, text } = await world.edna.put(`/rest/bug/attachment/${id}`, { flags })
        assert.equal(status, 200, text)
        return body.attachments[0].changes
      }
      const flagText = `${flag}?(${cast.stan.login})`
      assert.deepEqual(await put([{ name: flag, status: '?', requestee: cast.stan.login }]), {
        'flagtypes.name': { removed: '', added: flagText },
      })
      assert.deepEqual(await put([{ name: flag, status: '+' }]), {
        'flagtypes.name': { removed: flagText, added: `${flag}+` },
      })
      assert.deepEqual(await put([{ name: flag, status: '+' }]), {})
      assert.deepEqual(await put([{ name: flag, status: 'X' }]), {
        'flagtypes.name': { removed: `${flag}+`, added: '' },
      })
      assert.deepEqual((await readAttachment(world.edna, id)).flags, [])
      const { history } = (await world.edna.get(`/rest/bug/${bug}/history`)).body.bugs[0]
      const lines = history.flatMap((entry) => entry.changes)
      assert.ok(lines.some(({ field_name, added }) => field_name === 'cc' && added === cast.stan.login))
      assert.ok(
        lines.filter(({ field_name }) => field_name === 'flagtypes.name').every((line) => line.attachment_id === id),
      )
    })

    itOnOneEngine(world, 'lets the requestee answer, and do nothing else', async () => {
      const bug = await fileBug(world.rhea)
      const [flag, other] = [await newType(world), await newType(world)]
      const id = await attach(world.edna, bug, { flags: [{ name: flag, status: '?', requestee: cast.stan.login }] })
      const put = (body: object) => world.stan.put(`/rest/bug/attachment/${id}`, body)
      const answer = { name: flag, status: '+' }
      await unchangedBy(world, async () => {
        assertRefused(await put({ flags: [answer], summary: 'Mine' }), 400, 32000)
        assertRefused(await put({ flags: [answer], is_obsolete: false }), 400, 32000)
        assertRefused(await put({ flags: [answer, { name: other, status: '?' }] }), 400, 32000)
        assertRefused(await put({ flags: [{ ...answer, new: true }] }), 400, 32000)
        assertRefused(await put({ flags: [] }), 400, 32000)
        assertRefused(await world.rhea.put(`/rest/bug/attachment/${id}`, { flags: [answer] }), 400, 32000)
      })
      const { status, body } = await put({ flags: [answer], comment: 'done' })
      assert.equal(status, 200)
      assert.deepEqual(body.attachments[0].changes['flagtypes.name']?.added, `${flag}+`)
      assert.deepEqual((await readAttachment(world.stan, id)).flags[0].setter, cast.stan.login)
    })

    itOnOneEngine(world, 'cancels only pending requests when the attachment becomes obsolete', async () => {
      const bug = await fileBug(world.rhea)
      const [asked, granted, answered] = [await newType(world), await newType(world), await newType(world)]
      const id = await attach(world.edna, bug, {
        flags: [
          { name: asked, status: '?', requestee: cast.stan.login },
          { name: granted, status: '+' },
          { name: answered, status: '?' },
        ],
      })
      const { body } = await world.edna.put(`/rest/bug/attachment/${id}`, {
        is_obsolete: true,
        flags: [{ name: answered, status: '-' }],
      })
      assert.deepEqual(body.attachments[0].changes, {
        is_obsolete: { removed: '0', added: '1' },
        'flagtypes.name': { removed: `${answered}?, ${asked}?(${cast.stan.login})`, added: `${answered}-` },
      })
      assert.deepEqual(
        (await readAttachment(world.edna, id)).flags.map(({ name, status }) => `${name}${status}`).sort(),
        [`${granted}+`, `${answered}-`].sort(),
      )
      const again = await world.edna.put(`/rest/bug/attachment/${id}`, { flags: [{ name: asked, status: '?' }] })
      assert.deepEqual(again.body.attachments[0].changes, { 'flagtypes.name': { removed: '', added: `${asked}?` } })
      const same = await world.edna.put(`/rest/bug/attachment/${id}`, { is_obsolete: true })
      assert.deepEqual(same.body.attachments[0].changes, {})
    })

    itOnOneEngine(world, 'refuses a requestee who is not an insider for a private attachment', async () => {
      const bug = await fileBug(world.rhea)
      const flag = await newType(world)
      const id = await attach(world.sven, bug, { is_private: true })
      await unchangedBy(world, async () => {
        const flags = [{ name: flag, status: '?', requestee: cast.stan.login }]
        assertRefused(await world.sven.put(`/rest/bug/attachment/${id}`, { flags }), 400, 32000)
      })
      assert.deepEqual((await readBug(world.sven, bug)).cc, [])
    })
  })

  itOnPostgres(world, 'keeps every one of thirty concurrent changes, in one order', async () => {
    const bug = await fileBug(world.rhea)
    const id = await attach(world.rhea, bug, { summary: 'Summary' })
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, at) => world.edna.put(`/rest/bug/attachment/${id}`, { summary: `Summary ${at}` })),
    )
    assert.ok(replies.every(({ status }) => status === 200))
    const { history } = await getBugRow(world, bug)
    const lines = history.filter(({ field }) => field === 'attachments.description')
    assert.equal(lines.length, 30)
    assert.deepEqual(
      lines.map(({ removed }) => removed),
      ['Summary', ...lines.slice(0, -1).map(({ added }) => added)],
    )
    assert.equal((await readAttachment(world.rhea, id)).summary, lines.at(-1)?.added)
  })
})
