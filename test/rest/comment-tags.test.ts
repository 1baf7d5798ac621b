import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readComments, say, silentBug, withInsiders } from '../support/discussion.ts'
import { fileBug, newBug } from '../support/file-bug.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnOneEngine, type World } from '../support/world.ts'

const describeTogether = inOneWorld()

/** A comment on a bug that every user sees. */
async function newComment(world: World) {
  const bug = await silentBug(world)
  return { bug, id: await say(world.stan, bug, 'Buy now!') }
}

describeTogether.onOneEngine('PUT /rest/bug/comment/(id)/tags', (world) => {
  const put = (id: unknown, body: object, who = world.edna) => who.put(`/rest/bug/comment/${id}/tags`, body)

  it('adds and removes tags, and returns those that the comment has then', async () => {
    const { bug, id } = await newComment(world)
    const added = await put(id, { comment_id: id, add: ['spam', 'Advert', 'zoo'] })
    assert.equal(added.status, 200)
    assert.deepEqual(added.body, ['Advert', 'spam', 'zoo'])
    assert.deepEqual((await put(id, { remove: ['ZOO'], add: ['_x-1.0'] })).body, ['_x-1.0', 'Advert', 'spam'])
    assert.deepEqual((await readComments(world.nobody, bug))[0].tags, ['_x-1.0', 'Advert', 'spam'])
    assert.deepEqual((await put(id, {})).body, ['_x-1.0', 'Advert', 'spam'])
    assert.deepEqual((await put(id, { remove: 'spam' })).body, ['_x-1.0', 'Advert'])
  })

  it('makes what was read of the bug with its comments out of date, but not if nothing changes', async () => {
    const { bug, id } = await newComment(world)
    // Long responses have only this part, which stands for the bug and its discussion.
    const etag = async () => (await world.edna.get(`/rest/bug/${bug}`)).headers.get('etag')?.split('.')[0]
    const before = await etag()
    assert.ok(before)
    await put(id, { add: ['new'] })
    const after = await etag()
    assert.notEqual(after, before)
    await put(id, { add: ['NEW'], remove: ['never'] })
    assert.equal(await etag(), after)
  })

  it('keeps a tag as it was typed first, once in any letter case', async () => {
    const { id } = await newComment(world)
    assert.deepEqual((await put(id, { add: ['Spam', 'SPAM', 'Ärger'] })).body, ['Spam', 'Ärger'])
    assert.deepEqual((await put(id, { add: ['spam', ' ärger '] })).body, ['Spam', 'Ärger'])
    assert.deepEqual((await put(id, { remove: ['äRGER', 'never', ''] })).body, ['Spam'])
  })

  it('takes away what is both added and removed', async () => {
    const { id } = await newComment(world)
    assert.deepEqual((await put(id, { add: ['one', 'two'], remove: ['One'] })).body, ['two'])
  })

  it('leaves the bug as it was', async () => {
    const { bug, id } = await newComment(world)
    const before = (await world.nobody.get(`/rest/bug/${bug}`)).body
    await put(id, { add: ['spam'] })
    assert.deepEqual((await world.nobody.get(`/rest/bug/${bug}`)).body, before)
    assert.deepEqual((await world.nobody.get(`/rest/bug/${bug}/history`)).body.bugs[0].history, [])
  })

  it('is refused with an invalid tag, and then adds none', async () => {
    const { id } = await newComment(world)
    for (const [tag, code] of [
      ['ab', 128],
      ['', 128],
      ['  a ', 128],
      ['x'.repeat(25), 127],
      ['has,comma', 126],
      ['two words', 126],
      ['<b>bold', 126],
      ['new\nline', 126],
    ] as const)
      assertRefused(await put(id, { add: ['fine', tag] }), 400, code)
    assertRefused(await put(id, { add: [{ name: 'spam' }] }), 400, 58)
    assert.deepEqual((await put(id, { add: ['x'.repeat(24), 'abc'] })).body, ['abc', 'x'.repeat(24)])
  })

  it('is for members of comment_taggers_group, where there is one', async () => {
    const { id } = await newComment(world)
    assertRefused(await put(id, { add: ['spam'] }, world.nobody), 401, 410)
    assertRefused(await put(id, { add: ['spam'] }, world.stan), 401, 304)
    await world.withParameters({ comment_taggers_group: 'security' }, async () => {
      assertRefused(await put(id, { add: ['spam'] }), 401, 304)
      assert.deepEqual((await put(id, { add: ['spam'] }, world.sven)).body, ['spam'])
    })
    await world.withParameters({ comment_taggers_group: '' }, async () => {
      assertRefused(await put(id, { add: ['spam'] }, world.ada), 400, 125)
      assertRefused(await put(id, { add: ['spam'] }, world.nobody), 401, 410)
    })
  })

  it('returns no tags for a comment that does not exist, and refuses an invalid number', async () => {
    for (const id of [99_999_999, 99_999_999_999, 0]) {
      const { status, body } = await put(id, { add: ['spam'] })
      assert.deepEqual([status, body], [200, []])
    }
    for (const id of ['abc', '1.5', '-1']) assertRefused(await put(id, { add: ['spam'] }), 400, 57)
  })

  it('is refused for a comment that the caller may not read', async () => {
    const { bug } = await newComment(world)
    const unseen = await say(world.sven, await silentBug(world, 'security'), 'hidden')
    assertRefused(await put(unseen, { add: ['spam'] }), 401, 102)
    await withInsiders(world, async () => {
      const id = await say(world.sven, bug, 'hush', { is_private: true })
      assertRefused(await put(id, { add: ['spam'] }), 401, 110)
      assert.deepEqual((await put(id, { add: ['spam'] }, world.sven)).body, ['spam'])
    })
  })
})

describeTogether.onOneEngine('comment_tags', (world) => {
  const tagsOn = async (bug: number) => (await readComments(world.nobody, bug)).map(({ tags }) => tags)

  itOnOneEngine(world, 'tag the description of a new bug', async () => {
    const bug = await fileBug(world.edna, { description: 'Buy now!', comment_tags: ['spam', 'Advert', 'SPAM'] })
    assert.deepEqual(await tagsOn(bug), [['Advert', 'spam']])
    assert.deepEqual(await tagsOn(await fileBug(world.edna, { comment_tags: 'alone' })), [['alone']])
  })

  itOnOneEngine(world, 'tag the comment of a change, on each of the bugs', async () => {
    const bugs = [await fileBug(world.edna), await fileBug(world.edna)] as const
    const change = { ids: bugs, comment: { comment: 'Done' }, comment_tags: ['later', 'done'] }
    const { status, body, text } = await world.edna.put(`/rest/bug/${bugs[0]}`, change)
    assert.equal(status, 200, text)
    assert.equal(body.ignored, undefined)
    for (const bug of bugs) assert.deepEqual(await tagsOn(bug), [[], ['done', 'later']])
  })

  itOnOneEngine(world, 'tag the comment of the mark of a duplicate', async () => {
    const [one, other] = [await fileBug(world.edna), await fileBug(world.edna)]
    const change = { dupe_of: other, comment: { body: 'Again' }, comment_tags: ['again'] }
    assert.equal((await world.edna.put(`/rest/bug/${one}`, change)).status, 200)
    assert.deepEqual(await tagsOn(one), [[], ['again']])
    assert.deepEqual(await tagsOn(other), [[], []])
  })

  itOnOneEngine(world, 'tag a comment that is made by itself', async () => {
    const bug = await silentBug(world)
    await say(world.edna, bug, 'Buy now!', { comment_tags: ['spam'] })
    assert.deepEqual(await tagsOn(bug), [['spam']])
  })

  itOnOneEngine(world, 'are ignored where no comment is made', async () => {
    const bug = await fileBug(world.edna)
    const { body } = await world.edna.put(`/rest/bug/${bug}`, { whiteboard: 'x', comment_tags: ['spam'] })
    assert.deepEqual(body.ignored, ['comment_tags'])
    assert.deepEqual(await tagsOn(bug), [[]])
  })

  it('are for members of comment_taggers_group, and nothing is written for others', async () => {
    const bug = await fileBug(world.stan)
    const attempts = (tags: unknown) => [
      world.stan.post('/rest/bug', newBug({ comment_tags: tags })),
      world.stan.put(`/rest/bug/${bug}`, { comment: { body: 'x' }, comment_tags: tags }),
      world.stan.post(`/rest/bug/${bug}/comment`, { comment: 'x', comment_tags: tags }),
    ]
    for (const reply of await Promise.all(attempts(['spam']))) assertRefused(reply, 401, 304)
    assert.equal((await readComments(world.nobody, bug)).length, 1)
    await world.withParameters({ comment_taggers_group: '' }, async () => {
      for (const reply of await Promise.all(attempts(['spam']))) assertRefused(reply, 400, 125)
    })
    for (const reply of await Promise.all(attempts([]))) assert.ok(reply.status < 300, reply.text)
  })

  itOnOneEngine(world, 'are refused with an invalid tag, and then nothing is written', async () => {
    const bug = await fileBug(world.edna)
    assertRefused(await world.edna.post('/rest/bug', newBug({ comment_tags: ['x'] })), 400, 128)
    const change = { comment: { body: 'x' }, comment_tags: ['two words'] }
    assertRefused(await world.edna.put(`/rest/bug/${bug}`, change), 400, 126)
    assert.equal((await readComments(world.nobody, bug)).length, 1)
  })
})

describeTogether.onOneEngine('GET /rest/bug/comment/tags/(query)', (world) => {
  const find = (query: string, who = world.edna) => who.get(`/rest/bug/comment/tags/${query}`)
  const tag = (id: number, ...add: string[]) => world.ada.put(`/rest/bug/comment/${id}/tags`, { add })

  it('returns the tags that hold the word, by name, in any letter case', async () => {
    const [one, two] = [await newComment(world), await newComment(world)]
    await tag(one.id, 'obsolete', 'SOLE', 'percent')
    await tag(two.id, 'sole', 'a_b', 'axb')
    const { status, body } = await find('sOl')
    assert.equal(status, 200)
    assert.deepEqual(body, ['obsolete', 'SOLE'])
    assert.deepEqual((await find('a_b')).body, ['a_b'])
    assert.deepEqual((await find('%25')).body, [])
    assert.deepEqual((await find('nothing')).body, [])
  })

  it('returns ten by default', async () => {
    const { id } = await newComment(world)
    const many = Array.from({ length: 12 }, (_, place) => `many${String(place).padStart(2, '0')}`)
    await tag(id, ...many)
    assert.deepEqual((await find('many')).body, many.slice(0, 10))
    assert.deepEqual((await find('many?limit=11')).body, many.slice(0, 11))
    assert.deepEqual((await find('many?limit=0')).body, [])
    assertRefused(await find('many?limit=few'), 400, 52)
    assertRefused(await find('many?limit=-1'), 400, 53)
  })

  it('is for members of comment_taggers_group, where there is one', async () => {
    assertRefused(await find('spam', world.nobody), 401, 410)
    assertRefused(await find('spam', world.stan), 401, 304)
    await world.withParameters({ comment_taggers_group: '' }, async () =>
      assertRefused(await find('spam', world.ada), 400, 125),
    )
  })

  it('knows no tags of comments that the caller may not read', async () => {
    const bug = await silentBug(world)
    await withInsiders(world, async () => {
      const unseen = await say(world.sven, await silentBug(world, 'security'), 'hidden')
      const secret = await say(world.sven, bug, 'hush', { is_private: true })
      for (const [id, word] of [
        [unseen, 'unseen-one'],
        [secret, 'unseen-two'],
      ] as const)
        await world.sven.put(`/rest/bug/comment/${id}/tags`, { add: [word] })
      assert.deepEqual((await find('unseen', world.sven)).body, ['unseen-one', 'unseen-two'])
      assert.deepEqual((await find('unseen')).body, [])
    })
  })
})
