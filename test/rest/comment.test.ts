import assert from 'node:assert/strict'
import { it } from 'node:test'
import { COMMENT_KIND } from '../../src/bugs/comments/comment.ts'
import { insertBug } from '../support/bug-rows.ts'
import { cast } from '../support/cast.ts'
import { countQueries } from '../support/count-queries.ts'
import { insertAttachment, readComments, say, silentBug, tell, withInsiders } from '../support/discussion.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { setControl } from '../support/new-member.ts'
import { newProduct } from '../support/new-product.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused } from '../support/refusal.ts'
import { sure } from '../support/sure.ts'
import { type Client, itOnOneEngine, type World } from '../support/world.ts'

const describeTogether = inOneWorld()

const texts = (comments: readonly { text: string }[]) => comments.map(({ text }) => text)
const counts = (comments: readonly { count: number }[]) => comments.map(({ count }) => count)

/** As if the comment had been written at that time. */
async function backdate(world: World, id: number, at: string) {
  await world.db.query((q) => q.updateTable('comments').set({ at }).where('id', '=', id))
}

describeTogether('GET /rest/bug/(id)/comment', (world) => {
  it('returns the comments of a bug, oldest first, to users who see the bug', async () => {
    const bug = await fileBug(world.rhea, { description: 'It crashes.' })
    const id = await say(world.edna, bug, 'So it does.')
    const { status, body } = await world.nobody.get(`/rest/bug/${bug}/comment`)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body.bugs), [String(bug)])
    assert.deepEqual(body.comments, {})
    const [description, comment] = sure(body.bugs[bug]).comments
    assert.deepEqual(description.text, 'It crashes.')
    assert.equal(description.count, 0)
    const { time, ...rest } = comment
    assert.deepEqual(rest, {
      id,
      bug_id: bug,
      attachment_id: null,
      count: 1,
      text: 'So it does.',
      creator: cast.edna.login,
      creation_time: time,
      is_private: false,
      tags: [],
    })
  })

  it('returns the names of authors when they are requested', async () => {
    const bug = await fileBug(world.rhea)
    await say(world.edna, bug, 'So it does.')
    const detailsOf = async (who: Client, fields: string) => {
      const { body } = await who.get(`/rest/bug/${bug}/comment?include_fields=${fields}`)
      return sure(body.bugs[bug]).comments.map((comment) => comment.creator_detail)
    }
    const { id } = (await world.edna.get('/rest/whoami')).body
    const { login, realName } = cast.edna
    const edna = { id, real_name: realName, nick: 'edna', name: login, email: login }
    assert.deepEqual((await detailsOf(world.stan, '_default,creator_detail'))[1], edna)
    assert.deepEqual((await detailsOf(world.stan, '_extra'))[1], edna)
    assert.deepEqual((await detailsOf(world.stan, 'creator_detail.real_name'))[1], { real_name: realName })
    assert.deepEqual(await detailsOf(world.stan, '_default'), [undefined, undefined])
    const whole = 'comments._default,comments.creator_detail'
    assert.deepEqual((await readBug(world.stan, bug, `?include_fields=${whole}`)).comments[1].creator_detail, edna)
    assert.equal((await readBug(world.stan, bug, '?include_fields=comments')).comments[1].creator_detail, undefined)
    await world.withParameters({ webservice_email_filter: true }, async () => {
      assert.deepEqual((await detailsOf(world.nobody, 'creator_detail'))[1], { ...edna, name: 'edna', email: 'edna' })
    })
  })

  itOnOneEngine(world, 'finds bugs by alias, and returns several, each once and under its number', async () => {
    const alias = world.unique('alias')
    const one = await fileBug(world.edna, { description: 'one', alias })
    const other = await fileBug(world.edna, { description: 'other' })
    const { body } = await world.nobody.get(`/rest/bug/${alias}/comment?ids=${other}&ids=${one}&ids=${other}`)
    assert.deepEqual(Object.keys(body.bugs), [String(one), String(other)])
    assert.deepEqual(texts(sure(body.bugs[other]).comments), ['other'])
  })

  itOnOneEngine(world, 'returns an empty list for a bug without comments', async () => {
    assert.deepEqual(await readComments(world.nobody, await silentBug(world)), [])
  })

  itOnOneEngine(world, 'returns only comments of bugs later than new_since, and all single comments', async () => {
    const bug = await silentBug(world)
    const ids = []
    for (const [place, word] of ['a', 'b', 'c'].entries()) {
      ids.push(await say(world.edna, bug, word))
      await backdate(world, ids[place] as number, `2026-01-0${place + 1}T12:00:00Z`)
    }
    const since = async (time: string) => texts(await readComments(world.nobody, bug, `?new_since=${time}`))
    assert.deepEqual(await since('2026-01-02T12:00:00Z'), ['c'])
    assert.deepEqual(await since('2026-01-02T11:59:59Z'), ['b', 'c'])
    assert.deepEqual(await since('2026-01-02'), ['b', 'c'])
    assert.deepEqual(await since('2099-01-01'), [])
    const { body } = await world.nobody.get(`/rest/bug/${bug}/comment?new_since=2099-01-01&comment_ids=${ids[0]}`)
    assert.deepEqual(body.comments[ids[0] as number]?.text, 'a')
    for (const wrong of ['yesterday', '2026-13-01', '1'])
      assertRefused(await world.nobody.get(`/rest/bug/${bug}/comment?new_since=${wrong}`), 400, 56)
  })

  it('returns only the oldest, the newest or a range of the comments that the caller may read, if requested', async () => {
    const bug = await fileBug(world.edna, { description: 'first' })
    const silent = await silentBug(world)
    await withInsiders(world, async () => {
      for (const word of ['second', 'third']) await say(world.edna, bug, word)
      await say(world.sven, bug, 'hush', { is_private: true })
      const newest = async (who: typeof world.sven, most: number) =>
        texts(await readComments(who, bug, `?newest=${most}&ids=${silent}`))
      assert.deepEqual(await newest(world.nobody, 2), ['second', 'third'])
      assert.deepEqual(await newest(world.sven, 2), ['third', 'hush'])
      assert.deepEqual(await newest(world.sven, 9), ['first', 'second', 'third', 'hush'])
      // One bug alone is read in another way than several.
      for (const more of ['', `&ids=${silent}`]) {
        const part = async (who: typeof world.sven, query: string) =>
          texts(await readComments(who, bug, `?${query}${more}`))
        assert.deepEqual(await part(world.nobody, 'oldest=2'), ['first', 'second'])
        assert.deepEqual(await part(world.sven, 'newest=1'), ['hush'])
        assert.deepEqual(await part(world.nobody, 'oldest=1&newest=1'), ['first', 'third'])
        assert.deepEqual(await part(world.sven, 'oldest=1&newest=1'), ['first', 'hush'])
        for (const ends of ['oldest=2&newest=3', 'oldest=3&newest=3', 'oldest=9&newest=1', 'oldest=1&newest=9'])
          assert.deepEqual(await part(world.sven, ends), ['first', 'second', 'third', 'hush'], ends)
        assert.deepEqual(await part(world.sven, 'from=1&to=2'), ['second', 'third'])
        assert.deepEqual(await part(world.nobody, 'from=2'), ['third'])
        assert.deepEqual(await part(world.sven, 'to=2&oldest=1&newest=1'), ['first', 'third'])
        assert.deepEqual(await part(world.sven, 'from=9&newest=1'), [])
      }
      const { body } = await world.nobody.get(`/rest/bug/${bug}/comment?newest=1&ids=${silent}`)
      assert.deepEqual(body.bugs[silent]?.comments, [])
    })
    for (const wrong of ['newest=0', 'oldest=0', 'newest=many', 'from=x'])
      assert.equal((await world.nobody.get(`/rest/bug/${bug}/comment?${wrong}`)).status, 400)
    const quiet = await world.nobody.get(`/rest/bug/${silent}/comment?oldest=1&newest=1`)
    assert.deepEqual(quiet.body.bugs[silent]?.comments, [])
  })

  it('leaves private comments out for those who are not insiders; the others keep their numbers', async () => {
    const bug = await fileBug(world.edna, { description: 'public' })
    await withInsiders(world, async () => {
      await say(world.sven, bug, 'hush', { is_private: true })
      await say(world.sven, bug, 'aloud')
      assert.deepEqual(texts(await readComments(world.sven, bug)), ['public', 'hush', 'aloud'])
      for (const who of [world.nobody, world.rhea, world.edna])
        assert.deepEqual(counts(await readComments(who, bug)), [0, 2])
      const [, hush] = await readComments(world.sven, bug)
      assert.equal(hush.is_private, true)
    })
    assert.deepEqual(counts(await readComments(world.sven, bug)), [0, 2], 'without an insider group nobody is one')
  })

  it('returns nothing of a bug whose only comment is a private description', async () => {
    const bug = await silentBug(world)
    await withInsiders(world, () => say(world.sven, bug, 'hush', { is_private: true }))
    assert.deepEqual(await readComments(world.nobody, bug), [])
  })

  it('is refused for a bug that is not there for the caller', async () => {
    const hidden = await silentBug(world, 'security')
    assertRefused(await world.stan.get(`/rest/bug/${hidden}/comment`), 401, 102)
    assertRefused(await world.nobody.get('/rest/bug/99999999/comment'), 404, 101)
    assertRefused(await world.nobody.get('/rest/bug/99999999999999999999/comment'), 404, 101)
    assertRefused(await world.nobody.get('/rest/bug/nonsense/comment'), 400, 100)
    const seen = await silentBug(world)
    assertRefused(await world.stan.get(`/rest/bug/${seen}/comment?ids=${hidden}`), 401, 102)
    assert.equal((await world.sven.get(`/rest/bug/${hidden}/comment`)).status, 200)
  })

  itOnOneEngine(world, 'returns the requested fields', async () => {
    const bug = await fileBug(world.edna, { description: 'text' })
    assert.deepEqual(await readComments(world.nobody, bug, '?include_fields=text,count,nonsense'), [
      { count: 0, text: 'text' },
    ])
    const [rest] = await readComments(world.nobody, bug, '?exclude_fields=text,tags,creator,time,creation_time,id')
    assert.deepEqual(rest, { bug_id: bug, attachment_id: null, count: 0, is_private: false })
  })

  itOnOneEngine(world, 'has no tags where comments cannot be tagged', async () => {
    const bug = await fileBug(world.edna, { description: 'text' })
    await world.withParameters({ comment_taggers_group: '' }, async () => {
      const [comment] = await readComments(world.edna, bug)
      assert.equal('tags' in comment, false)
    })
  })

  itOnOneEngine(world, 'cuts addresses for anonymous callers when webservice_email_filter is on', async () => {
    const bug = await fileBug(world.edna, { description: 'text' })
    await world.withParameters({ webservice_email_filter: true }, async () => {
      assert.equal((await readComments(world.nobody, bug))[0].creator, 'edna')
      assert.equal((await readComments(world.stan, bug))[0].creator, cast.edna.login)
    })
  })

  itOnOneEngine(world, 'asks the database as often for many bugs and comments as for one', async () => {
    const one = await fileBug(world.edna, { description: 'text' })
    const more: number[] = []
    for (let place = 0; place < 5; place++) more.push(await fileBug(world.edna, { description: 'text' }))
    for (const bug of more) await say(world.edna, bug, 'more')
    const few = await countQueries(world, () => world.nobody.get(`/rest/bug/${one}/comment`))
    const many = await countQueries(world, () => world.nobody.get(`/rest/bug/${one}/comment?ids=${more.join('&ids=')}`))
    assert.equal(many, few)
  })
})

describeTogether.onOneEngine('what the tracker says in comments', (world) => {
  const textOf = async (who = world.nobody, id = 0) => {
    const { body, text } = await who.get(`/rest/bug/comment/${id}`)
    assert.ok(body.comments?.[id], text)
    return body.comments[id].text
  }

  it('names the bug that this one is a duplicate of, after what a user wrote', async () => {
    const [bug, other] = [await silentBug(world), await silentBug(world)]
    const kind = COMMENT_KIND.duplicateOf
    const plain = await tell(world, { bugId: bug, kind, aboutId: other })
    const said = await tell(world, { bugId: bug, kind, aboutId: other, text: 'The same.' })
    assert.equal(await textOf(world.nobody, plain), `Duplicate of bug ${other}.`)
    assert.equal(await textOf(world.nobody, said), `The same.\n\nDuplicate of bug ${other}.`)
  })

  it('does not name a bug that the reader may not see', async () => {
    const [bug, hidden] = [await silentBug(world), await silentBug(world, 'security')]
    const id = await tell(world, { bugId: bug, kind: COMMENT_KIND.duplicateOf, aboutId: hidden, text: 'The same.' })
    assert.equal(await textOf(world.stan, id), 'The same.\n\nDuplicate of another bug.')
    assert.equal(await textOf(world.sven, id), `The same.\n\nDuplicate of bug ${hidden}.`)
  })

  it('names a duplicate of this bug, but only to those who may see it', async () => {
    const [bug, hidden] = [await silentBug(world), await silentBug(world, 'security')]
    const id = await tell(world, { bugId: bug, kind: COMMENT_KIND.hasDuplicate, aboutId: hidden })
    assert.equal(await textOf(world.sven, id), `Bug ${hidden} is a duplicate of this bug.`)
    assert.deepEqual(await readComments(world.stan, bug), [])
    assertRefused(await world.stan.get(`/rest/bug/comment/${id}`), 400, 111)
    assert.deepEqual((await world.edna.put(`/rest/bug/comment/${id}/tags`, { add: ['spam'] })).body, [])
  })

  it('names the attachment and its summary before what a user wrote', async () => {
    const bug = await silentBug(world)
    const attachment = await insertAttachment(world, bug)
    const about = { bugId: bug, aboutId: attachment }
    const made = await tell(world, { ...about, kind: COMMENT_KIND.attachmentCreated })
    const later = await tell(world, { ...about, kind: COMMENT_KIND.aboutAttachment, text: 'Old.' })
    assert.equal(await textOf(world.nobody, made), `New attachment ${attachment}\nA log`)
    assert.equal(await textOf(world.nobody, later), `About attachment ${attachment}\nA log\n\nOld.`)
    for (const comment of await readComments(world.nobody, bug)) assert.equal(comment.attachment_id, attachment)
  })

  it('keeps the summary of a private attachment to insiders', async () => {
    const bug = await silentBug(world)
    const attachment = await insertAttachment(world, bug, { is_private: 1, summary: 'Secret plan' })
    const id = await tell(world, { bugId: bug, kind: COMMENT_KIND.attachmentCreated, aboutId: attachment, text: 'x' })
    await withInsiders(world, async () => {
      assert.equal(await textOf(world.edna, id), `New attachment ${attachment}\n\nx`)
      assert.equal(await textOf(world.sven, id), `New attachment ${attachment}\nSecret plan\n\nx`)
    })
  })
})

describeTogether('GET /rest/bug/comment/(id)', (world) => {
  itOnOneEngine(world, 'returns one comment, or several, and bugs that are named as well', async () => {
    const bug = await fileBug(world.edna, { description: 'first' })
    const id = await say(world.edna, bug, 'second')
    const alone = await world.nobody.get(`/rest/bug/comment/${id}?include_fields=count,text`)
    assert.deepEqual(alone.body, { bugs: {}, comments: { [id]: { count: 1, text: 'second' } } })
    const [first] = await readComments(world.nobody, bug)
    const { body } = await world.nobody.get(
      `/rest/bug/comment/${id}?comment_ids=${first.id}&comment_ids=${id}&ids=${bug}`,
    )
    assert.deepEqual(Object.keys(body.comments), [String(first.id), String(id)])
    assert.equal(body.bugs[bug]?.comments.length, 2)
  })

  itOnOneEngine(world, 'is refused for a missing comment, and for one that the caller may not read', async () => {
    const bug = await silentBug(world)
    const hidden = await silentBug(world, 'security')
    const unseen = await say(world.sven, hidden, 'hidden')
    const read = (id: unknown, who = world.stan) => who.get(`/rest/bug/comment/${id}`)
    for (const id of [99_999_999, 99_999_999_999, 0, -1]) assertRefused(await read(id), 400, 111)
    for (const id of ['abc', '1x', '1.5', '%20']) assertRefused(await read(id), 400, 52)
    assertRefused(await read(unseen), 401, 102)
    assert.ok(!(await read(unseen)).body.message.includes(`bug ${hidden}`))
    assert.equal((await read(unseen, world.sven)).status, 200)
    await withInsiders(world, async () => {
      const id = await say(world.sven, bug, 'hush', { is_private: true })
      assertRefused(await read(id), 401, 110)
      assertRefused(await read(id, world.nobody), 401, 110)
      assertRefused(await world.stan.get(`/rest/bug/${bug}/comment?comment_ids=${id}`), 401, 110)
      assert.equal((await read(id, world.sven)).body.comments[id]?.text, 'hush')
    })
    assertRefused(await world.nobody.get(`/rest/bug/${bug}/comment?comment_ids=abc`), 400, 52)
  })
})

describeTogether('POST /rest/bug/(id)/comment', (world) => {
  itOnOneEngine(
    world,
    'adds a comment for every user who is logged in and sees the bug, and returns its id',
    async () => {
      const alias = world.unique('alias')
      const bug = await fileBug(world.edna, { alias })
      const { status, body } = await world.stan.post(`/rest/bug/${alias}/comment`, {
        comment: 'Me too.',
        colour: 'red',
      })
      assert.equal(status, 201)
      assert.deepEqual(Object.keys(body), ['id'])
      const [, comment] = await readComments(world.nobody, bug)
      assert.equal(comment.id, body.id)
      assert.equal(comment.creator, cast.stan.login)
    },
  )

  itOnOneEngine(world, 'keeps the text with line feeds and without spaces at its end', async () => {
    const bug = await silentBug(world)
    for (const [given, kept] of [
      ['  a\r\nb\rc \n\t', '  a\nb\nc'],
      ['\n\nlater', '\n\nlater'],
      ['🦗 <b>&amp;</b> ‮', '🦗 <b>&amp;</b> ‮'],
    ] as const) {
      await say(world.edna, bug, given)
      assert.equal((await readComments(world.nobody, bug)).at(-1).text, kept)
    }
  })

  it('moves the time of the last change and leaves word of it', async () => {
    const long_ago = '2020-01-01T00:00:00Z'
    const bug = await insertBug(world, { product: 'TestProduct', component: 'TestComponent', changed_at: long_ago })
    const id = await say(world.edna, bug, 'Hello')
    const [comment] = await readComments(world.nobody, bug)
    assert.equal((await readBug(world.nobody, bug)).last_change_time, comment.time)
    const events = await world.db.query((q) =>
      q.selectFrom('outbox').selectAll().where('bug_id', '=', bug).orderBy('id'),
    )
    assert.deepEqual(
      events.map((event) => [event.kind, event.at, JSON.parse(event.facts).comment_id]),
      [['comment.create', comment.time, id]],
    )
  })

  itOnOneEngine(world, 'is refused without a text', async () => {
    const bug = await silentBug(world)
    for (const body of [{}, { comment: '' }, { comment: ' \n\t ' }, { comment: null }, { comment: '', work_time: 1 }])
      assertRefused(await world.edna.post(`/rest/bug/${bug}/comment`, body), 400, 50)
    for (const comment of [['a'], { body: 'a' }])
      assertRefused(await world.edna.post(`/rest/bug/${bug}/comment`, { comment }), 400, 53)
    assert.deepEqual(await readComments(world.edna, bug), [])
  })

  itOnOneEngine(world, 'takes 65535 characters and refuses one more', async () => {
    const bug = await silentBug(world)
    await say(world.edna, bug, 'x'.repeat(65_535))
    assertRefused(await world.edna.post(`/rest/bug/${bug}/comment`, { comment: 'x'.repeat(65_536) }), 400, 114)
    assert.equal((await readComments(world.edna, bug)).length, 1)
  })

  it('is refused to anonymous callers, and for a bug that is not there for the caller', async () => {
    const bug = await silentBug(world)
    const hidden = await silentBug(world, 'security')
    const post = (who: typeof world.stan, ref: unknown) => who.post(`/rest/bug/${ref}/comment`, { comment: 'x' })
    assertRefused(await post(world.nobody, bug), 401, 410)
    assertRefused(await post(world.stan, hidden), 401, 102)
    assertRefused(await post(world.stan, 99_999_999), 404, 101)
    assertRefused(await post(world.stan, 'nonsense'), 400, 100)
    assert.deepEqual(await readComments(world.sven, hidden), [])
  })

  itOnOneEngine(world, 'is refused in a product that is read-only for the caller', async () => {
    const { name } = await newProduct(world)
    const bug = await insertBug(world, { product: name, component: 'Core' })
    await setControl(world, name, 'security', { canedit: true })
    assertRefused(await world.edna.post(`/rest/bug/${bug}/comment`, { comment: 'x' }), 401, 109)
    await say(world.sven, bug, 'I may.')
    assert.equal((await readComments(world.edna, bug)).length, 1)
  })

  it('makes a private comment for insiders alone', async () => {
    const bug = await silentBug(world)
    await withInsiders(world, async () => {
      for (const name of ['is_private', 'private']) {
        assertRefused(await world.edna.post(`/rest/bug/${bug}/comment`, { comment: 'x', [name]: true }), 401, 113)
        await say(world.sven, bug, 'hush', { [name]: true })
      }
      await say(world.edna, bug, 'aloud', { is_private: false })
      assert.deepEqual(
        (await readComments(world.sven, bug)).map((comment) => comment.is_private),
        [true, true, false],
      )
    })
    assertRefused(await world.sven.post(`/rest/bug/${bug}/comment`, { comment: 'x', is_private: true }), 401, 113)
    assertRefused(await world.sven.post(`/rest/bug/${bug}/comment`, { comment: 'x', is_private: 'maybe' }), 400, 53)
  })

  itOnOneEngine(world, 'ignores work_time of those who track no time, whatever it is', async () => {
    const bug = await silentBug(world)
    for (const work_time of [2, 'many', -1, [1]]) await say(world.rhea, bug, 'x', { work_time })
    assert.equal((await readBug(world.edna, bug)).actual_time, 0)
    assert.deepEqual((await world.edna.get(`/rest/bug/${bug}/history`)).body.bugs[0].history, [])
  })

  it('adds work_time to the hours worked and takes it off those that remain', async () => {
    const bug = await silentBug(world)
    await world.db.query((q) => q.updateTable('bugs').set({ remaining_hundredths: 200 }).where('id', '=', bug))
    const after = async (work_time: unknown) => {
      await say(world.edna, bug, 'Worked.', { work_time })
      const { actual_time, remaining_time } = await readBug(world.edna, bug)
      return [actual_time, remaining_time]
    }
    assert.deepEqual(await after('1.5'), [1.5, 0.5])
    assert.deepEqual(await after(0.75), [2.25, 0])
    assert.deepEqual(await after(-0.25), [2, 0.25])
    assert.deepEqual(await after(0), [2, 0.25])
    assert.deepEqual(await after(null), [2, 0.25])
    const { history } = (await world.edna.get(`/rest/bug/${bug}/history`)).body.bugs[0]
    assert.deepEqual(
      history.flatMap(({ changes }) => changes),
      [
        { field_name: 'remaining_time', removed: '2.00', added: '0.5' },
        { field_name: 'work_time', removed: '', added: '1.50' },
        { field_name: 'remaining_time', removed: '0.50', added: '0' },
        { field_name: 'work_time', removed: '', added: '0.75' },
        { field_name: 'remaining_time', removed: '0.00', added: '0.25' },
        { field_name: 'work_time', removed: '', added: '-0.25' },
      ],
    )
  })

  itOnOneEngine(world, 'is refused with invalid hours', async () => {
    const bug = await silentBug(world)
    const post = (work_time: unknown) => world.edna.post(`/rest/bug/${bug}/comment`, { comment: 'x', work_time })
    assertRefused(await post('many'), 400, 52)
    assertRefused(await post('1e3'), 400, 52)
    assertRefused(await post(100_000), 400, 54)
    assertRefused(await post(-100_000), 400, 55)
    assertRefused(await post([1]), 400, 53)
    assert.deepEqual(await readComments(world.edna, bug), [])
  })

  it('gives every comment its own number, however many come at once', async () => {
    const bug = await silentBug(world)
    await Promise.all(
      Array.from({ length: 16 }, (_, place) => say(place % 2 ? world.edna : world.stan, bug, `${place}`)),
    )
    const comments = await readComments(world.nobody, bug)
    assert.deepEqual(counts(comments), [...Array(16).keys()])
    assert.equal(new Set(texts(comments)).size, 16)
  })
})
