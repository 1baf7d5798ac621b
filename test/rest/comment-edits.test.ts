import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cast } from '../support/cast.ts'
import { readComments, say, tell, withInsiders } from '../support/discussion.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { beforeCommit, changedMeanwhile } from '../support/interleave.ts'
import { newMember } from '../support/new-member.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres } from '../support/sample.ts'
import { type Client, itOnOneEngine, type World } from '../support/world.ts'

const describeTogether = inOneWorld()

const edit = (who: Client, id: number, text: string, more: object = {}) =>
  who.put(`/rest/editcomments/comment/${id}`, { new_comment: text, ...more })

async function versionsOf(who: Client, id: number) {
  const { status, body, text } = await who.get(`/rest/bug/comment/${id}/versions`)
  assert.equal(status, 200, text)
  return body.versions
}

async function found(who: Client, word: string) {
  const { body } = await who.get(`/rest/bug?longdesc=${word}&longdesc_type=allwords&include_fields=id`)
  return body.bugs.map(({ id }) => id)
}

async function edited(world: World, ...texts: string[]) {
  const bug = await fileBug(world.rhea)
  const id = await say(world.rhea, bug, texts[0] ?? 'One')
  for (const text of texts.slice(1)) assert.equal((await edit(world.rhea, id, text)).status, 200)
  return { bug, id }
}

describeTogether('PUT /rest/editcomments/comment', (world) => {
  itOnOneEngine(
    world,
    'replaces the text and keeps number, author, time, the time of the bug and every version',
    async () => {
      const bug = await fileBug(world.rhea)
      const id = await say(world.rhea, bug, 'The kettlex leaks')
      const [, before] = await readComments(world.rhea, bug)
      const { last_change_time, update_token: _ } = await readBug(world.rhea, bug)
      const tag = (await world.rhea.get(`/rest/bug/${bug}?include_fields=comments`)).headers.get('etag') ?? ''
      const { body } = await edit(world.rhea, id, 'The **pot** leaks\r\n')
      assert.deepEqual(body, { text: 'The **pot** leaks', html: 'The **pot** leaks', count: 1 })
      const [, after] = await readComments(world.rhea, bug)
      const { edit_count, last_change_time: editedAt, ...rest } = after ?? {}
      assert.deepEqual(rest, { ...before, text: 'The **pot** leaks' })
      assert.equal(edit_count, 1)
      assert.match(String(editedAt), /^\d{4}-/)
      assert.equal((await readBug(world.rhea, bug)).last_change_time, last_change_time)
      const again = await world.rhea.get(`/rest/bug/${bug}?include_fields=comments`, { 'If-None-Match': tag })
      assert.equal(again.status, 200)
      const versions = await versionsOf(world.nobody, id)
      assert.deepEqual(
        versions.map(({ version, text, creator }) => [version, text, creator]),
        [
          [0, 'The kettlex leaks', cast.rhea.login],
          [1, 'The **pot** leaks', cast.rhea.login],
        ],
      )
      assert.deepEqual([await found(world.rhea, 'kettlex'), (await found(world.rhea, 'pot')).includes(bug)], [[], true])
      const texts = await world.rhea.get(`/rest/editcomments/comment?comment_ids=${id}`)
      assert.deepEqual(texts.body.comments, { [id]: 'The **pot** leaks' })
      assert.deepEqual((await world.rhea.get(`/rest/editcomments/comment/${id}`)).body, texts.body)
    },
  )

  itOnOneEngine(world, 'is for the author, administrators of comments and, of a description, for editors', async () => {
    const { bug, id } = await edited(world, 'One')
    const [description] = await readComments(world.rhea, bug)
    for (const who of [world.edna, world.stan]) assertRefused(await edit(who, id, 'Mine'), 401, 304)
    assertRefused(await edit(world.nobody, id, 'Mine'), 401, 410)
    assertRefused(await edit(world.stan, description?.id ?? 0, 'Mine'), 401, 304)
    assert.equal((await edit(world.edna, description?.id ?? 0, 'Clearer')).status, 200)
    assert.equal((await edit(world.ada, id, 'Two')).status, 200)
    assert.deepEqual(
      (await versionsOf(world.edna, id)).map(({ creator }) => creator),
      [cast.rhea.login, cast.ada.login],
    )
    await world.withParameters(
      { allow_global_initial_comment_editing: 0, edit_comments_group: 'editbugs' },
      async () => {
        assertRefused(await edit(world.edna, description?.id ?? 0, 'Clearer still'), 401, 304)
        assertRefused(await edit(world.rhea, id, 'Three'), 401, 304)
      },
    )
    await world.withParameters({ edit_comments_minutes: 1 }, async () => {
      await world.db.transaction(
        (tx) => tx.query((q) => q.updateTable('comments').set({ at: '2020-01-01T00:00:00Z' }).where('id', '=', id)),
        'configuration',
      )
      const refused = await edit(world.rhea, id, 'Three')
      assertRefused(refused, 400, 32000)
      assert.match(refused.text, /comment_too_old/)
      assert.equal((await edit(world.ada, id, 'Three')).status, 200)
    })
  })

  itOnOneEngine(world, 'refuses what is wrong and changes nothing', async () => {
    const { bug, id } = await edited(world, 'One')
    const other = await fileBug(world.rhea)
    const written = await tell(world, { bugId: bug, kind: 2, aboutId: other })
    const deleted = await say(world.rhea, bug, 'Secret')
    await world.ada.delete(`/rest/bug/comment/${deleted}?reason=Secret`)
    const cases: [who: Client, id: number | string, body: object, status: number, code: number][] = [
      [world.rhea, id, {}, 400, 50],
      [world.rhea, id, { new_comment: ' \n' }, 400, 50],
      [world.rhea, id, { new_comment: 'x'.repeat(65_536) }, 400, 114],
      [world.rhea, id, { new_comment: ['x'] }, 400, 53],
      [world.rhea, id, { new_comment: 'One \n' }, 400, 32000],
      [world.rhea, id, { new_comment: 'Two', is_markdown: true }, 400, 140],
      [world.rhea, id, { new_comment: 'Two', edit_count: 1 }, 412, 32000],
      [world.rhea, id, { new_comment: 'Two', is_hidden: true }, 401, 304],
      [world.ada, written, { new_comment: 'Two' }, 400, 32000],
      [world.rhea, deleted, { new_comment: 'Secret' }, 400, 32000],
      [world.rhea, 'x', { new_comment: 'Two' }, 400, 57],
      [world.rhea, 999_999, { new_comment: 'Two' }, 400, 111],
    ]
    for (const [who, ref, body, status, code] of cases) {
      const reply = await who.put(`/rest/editcomments/comment/${ref}`, body)
      assert.deepEqual([reply.status, reply.body.code], [status, code], `${JSON.stringify(body)}: ${reply.text}`)
    }
    assert.equal((await versionsOf(world.rhea, id)).length, 1)
    assertRefused(await world.rhea.get('/rest/editcomments/comment'), 400, 50)
  })

  it('lets one of two edits win when both name the version that they have seen', async () => {
    const { id } = await edited(world, 'One')
    const write = (text: string) => () => edit(world.rhea, id, text, { edit_count: 0 })
    const replies = await beforeCommit(world, 'comment_versions', write('Two'), write('Three'))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412])
    assert.equal((await versionsOf(world.rhea, id)).length, 2)
  })

  it('refuses a member who has lost the right meanwhile, and a comment that has become private', async () => {
    await withInsiders(world, async () => {
      const member = await newMember(world, 'editbugs')
      const bug = await fileBug(world.rhea)
      const [description] = await readComments(world.rhea, bug)
      const lost = await changedMeanwhile(
        world,
        () => edit(member.client, description?.id ?? 0, 'Mine'),
        () => world.ada.put(`/rest/user/${member.id}`, { groups: { remove: ['editbugs'] } }),
      )
      assertRefused(lost, 401, 304)
      const { bug: secret, id } = await edited(world, 'One', 'Two')
      const hidden = await changedMeanwhile(
        world,
        () => edit(world.rhea, id, 'Three'),
        () => world.sven.put(`/rest/bug/${secret}`, { comment_is_private: { [id]: true } }),
      )
      assertRefused(hidden, 401, 110)
      for (const path of [`/rest/bug/comment/${id}/versions`, `/rest/editcomments/comment/${id}`] as const)
        assertRefused(await world.rhea.get(path), 401, 110)
      assert.equal((await versionsOf(world.sven, id)).length, 2)
      // What was said before it becomes public may be what had to be taken out.
      await world.sven.put(`/rest/bug/${secret}`, { comment_is_private: { [id]: false } })
      assert.equal((await world.rhea.get(`/rest/bug/comment/${id}/versions`)).text.includes('One'), false)
    })
  })

  it('has a limit of edits and of the size of versions', async () => {
    const { id } = await edited(world, 'One')
    const user = await newMember(world, 'admin')
    const texts = Array.from({ length: 20 }, (_, number) => `${number}${'x'.repeat(65_000)}`)
    const replies = await Promise.all(texts.map((text) => edit(user.client, id, text)))
    const refused = replies.filter(({ status }) => status !== 200)
    assert.equal(refused.length, 4)
    for (const { text } of refused) assert.match(text, /too_many_versions/)
    assert.equal((await versionsOf(world.rhea, id)).length, 17)
  })
})

describeTogether('hidden versions', (world) => {
  itOnOneEngine(world, 'show their text to nobody but administrators of comments, in no channel', async () => {
    const { bug, id } = await edited(world, 'My password is zyxwordfish', 'My password was here')
    const [first] = await versionsOf(world.ada, id)
    const [, replacedAt] = (await versionsOf(world.ada, id)).map(({ time }) => time)
    const when = String(replacedAt).replace('T', ' ').replace('Z', '')
    assertRefused(
      await world.edna.put('/rest/editcomments/revision', { comment_id: id, change_when: when, is_hidden: 1 }),
      401,
      304,
    )
    assertRefused(await world.ada.put('/rest/editcomments/revision', { comment_id: id, change_when: 'never' }), 404, 51)
    const { body } = await world.ada.put('/rest/editcomments/revision', {
      comment_id: id,
      change_when: when,
      is_hidden: 1,
    })
    assert.deepEqual(body, { change_when: when, is_hidden: true })
    assert.equal(first?.text, 'My password is zyxwordfish')
    const [shown] = await versionsOf(world.rhea, id)
    assert.deepEqual([shown?.text, shown?.is_hidden], [null, true])
    assert.equal((await versionsOf(world.ada, id))[0]?.text, first?.text)
    assert.deepEqual(await found(world.ada, 'zyxwordfish'), [])
    for (const path of [
      `/rest/bug/${bug}/comment`,
      `/rest/bug/${bug}?include_fields=_all`,
      `/rest/bug/${bug}/history`,
      `/rest/bug/${bug}?as_of=2100-01-01`,
      `/rest/bug/comment/${id}/versions`,
      '/rest/event',
      `/rest/bug/possible_duplicates?summary=zyxwordfish`,
    ])
      assert.equal((await world.edna.get(path)).text.includes('zyxwordfish'), false, path)
    const { body: log } = await world.ada.get(`/rest/audit?class=Tracker::Comment&id=${id}`)
    assert.deepEqual(
      log.audit.map(({ field, added }) => [field, added]),
      [['hidden_version', 'version 0']],
    )
    await world.ada.put('/rest/editcomments/revision', { comment_id: id, version: 0, is_hidden: false })
    assert.equal((await versionsOf(world.rhea, id))[0]?.text, first?.text)
  })

  itOnOneEngine(world, 'are gone with the text of a comment that is deleted', async () => {
    const { id } = await edited(world, 'Customer X', 'A customer')
    await world.ada.delete(`/rest/bug/comment/${id}?reason=Privacy`)
    const versions = await versionsOf(world.ada, id)
    assert.deepEqual(
      versions.map(({ text }) => text),
      ['The text of this comment was deleted: Privacy'],
    )
  })
})

describeTogether('reactions', (world) => {
  const react = (who: Client, id: number, add: string[], remove: string[] = []) =>
    who.put(`/rest/bug/comment/${id}/reactions`, { add, remove })

  it('count each user once for each name, in the order of users, without a change of the bug', async () => {
    const { bug, id } = await edited(world, 'It is broken')
    const before = await readBug(world.rhea, bug)
    await react(world.edna, id, ['+1', '+1', 'heart'])
    await react(world.rhea, id, ['+1'])
    const { body } = await react(world.edna, id, ['+1'], ['heart'])
    const names = Object.entries(body).map(([name, people]) => [name, people.map((it: { name: string }) => it.name)])
    assert.deepEqual(names, [['+1', [cast.edna.login, cast.rhea.login]]])
    const [description, comment] = await readComments(world.nobody, bug)
    assert.deepEqual([description?.reactions, comment?.reactions], [undefined, { '+1': 2 }])
    await world.withParameters({ webservice_email_filter: 1 }, async () => {
      for (const part of ['reactions', 'versions'])
        assert.equal((await world.nobody.get(`/rest/bug/comment/${id}/${part}`)).text.includes('@'), false)
    })
    assert.deepEqual((await readComments(world.edna, bug))[1]?.own_reactions, ['+1'])
    assert.equal((await readBug(world.rhea, bug)).last_change_time, before.last_change_time)
    await react(world.edna, id, [], ['+1'])
    await react(world.rhea, id, [], ['+1'])
    assert.equal((await readComments(world.nobody, bug))[1]?.reactions, undefined)
  })

  itOnOneEngine(world, 'are refused with the numbers of BMO', async () => {
    const { bug, id } = await edited(world, 'It is broken')
    assertRefused(await react(world.rhea, id, ['tada']), 400, 137)
    assertRefused(await react(world.nobody, id, ['+1']), 401, 410)
    assert.deepEqual((await react(world.rhea, 999_999, ['+1'])).body, [])
    await world.withParameters({ use_comment_reactions: 0 }, async () => {
      assertRefused(await react(world.rhea, id, ['+1']), 400, 136)
    })
    await withInsiders(world, async () => {
      await react(world.sven, id, ['smile'])
      await world.sven.put(`/rest/bug/${bug}`, { comment_is_private: { [id]: true } })
      assertRefused(await react(world.edna, id, ['+1']), 401, 110)
      assertRefused(await world.edna.get(`/rest/bug/comment/${id}/reactions`), 401, 110)
    })
    const closed = await edited(world, 'Done')
    await world.edna.put(`/rest/bug/${closed.bug}`, { status: 'RESOLVED', resolution: 'FIXED' })
    assert.equal((await react(world.rhea, closed.id, ['heart'])).status, 200)
    await world.db.transaction(
      (tx) =>
        tx.query((q) =>
          q.updateTable('bug_changes').set({ at: '2020-01-01T00:00:00Z' }).where('bug_id', '=', closed.bug),
        ),
      'configuration',
    )
    assertRefused(await react(world.stan, closed.id, ['heart']), 400, 138)
    assert.equal((await react(world.rhea, closed.id, [], ['heart'])).status, 200)
  })

  itOnOneEngine(world, 'of one user are at most 300 calls in an hour, because each is an event', async () => {
    const [{ id }, user] = [await edited(world, 'It is broken'), await world.newUser()]
    const toggle = (call: number) =>
      call % 2 === 0 ? react(user.client, id, ['+1']) : react(user.client, id, [], ['+1'])
    for (let call = 0; call < 300; call += 20) {
      const replies = await Promise.all(Array.from({ length: 20 }, (_, more) => toggle(call + more)))
      assert.ok(replies.every(({ status }) => status === 200))
    }
    const refused = await toggle(0)
    assert.deepEqual([refused.status, Number(refused.headers.get('retry-after')) > 3000], [429, true])
    assert.equal((await react(world.edna, id, ['+1'])).status, 200)
  })

  itOnPostgres(world, 'of two calls at once are one', async () => {
    const { bug, id } = await edited(world, 'It is broken')
    const add = () => react(world.edna, id, ['+1'])
    await beforeCommit(world, 'comment_reactions', add, add)
    assert.deepEqual((await readComments(world.nobody, bug))[1]?.reactions, { '+1': 1 })
  })
})

describeTogether('answers', (world) => {
  it('are marked by editors, with a line in the history, and hidden with a private comment', async () => {
    const { bug, id } = await edited(world, 'We do it so')
    assertRefused(await world.rhea.put(`/rest/bug/comment/${id}/answer`, { is_answer: true }), 401, 304)
    assertRefused(await world.edna.put(`/rest/bug/comment/${id}/answer`, {}), 400, 50)
    const { body } = await world.edna.put(`/rest/bug/comment/${id}/answer`, { is_answer: true })
    assert.deepEqual(body, { is_answer: true })
    assert.equal((await readComments(world.nobody, bug))[1]?.is_answer, true)
    const historyOf = async (who: Client) => (await who.get(`/rest/bug/${bug}/history`)).text
    assert.match(await historyOf(world.rhea), /"longdescs.isanswer","removed":"","added":"comment 1"/)
    await withInsiders(world, async () => {
      await world.sven.put(`/rest/bug/${bug}`, { comment_is_private: { [id]: true } })
      assert.equal((await historyOf(world.rhea)).includes('isanswer'), false)
      assertRefused(await world.edna.put(`/rest/bug/comment/${id}/answer`, { is_answer: false }), 401, 110)
      assert.equal((await world.sven.put(`/rest/bug/comment/${id}/answer`, { is_answer: false })).status, 200)
    })
  })
})

describeTogether('restrict_comments', (world) => {
  it('keeps users without editbugs from commenting, editing and reacting, and from nothing else', async () => {
    const { bug, id } = await edited(world, 'First')
    assertRefused(await world.rhea.put(`/rest/bug/${bug}`, { restrict_comments: true }), 401, 115)
    assert.equal((await world.edna.put(`/rest/bug/${bug}`, { restrict_comments: true })).status, 200)
    const file = { data: 'aGk=', file_name: 'a.txt', content_type: 'text/plain', summary: 'A log', comment: 'Words' }
    for (const reply of [
      await world.rhea.post(`/rest/bug/${bug}/comment`, { comment: 'Second' }),
      await world.rhea.put(`/rest/bug/${bug}`, { comment: { body: 'Second' } }),
      await world.rhea.post(`/rest/bug/${bug}/attachment`, file),
      await world.rhea.put(`/rest/bug/comment/${id}/reactions`, { add: ['+1'] }),
      await edit(world.rhea, id, 'Second'),
    ])
      assertRefused(reply, 400, 139)
    assert.equal((await readComments(world.rhea, bug)).length, 2)
    assert.equal((await world.rhea.put(`/rest/bug/${bug}`, { summary: 'Other words' })).status, 200)
    assert.equal((await world.rhea.post(`/rest/bug/${bug}/attachment`, { ...file, comment: '' })).status, 201)
    await say(world.edna, bug, 'From an editor')
    assert.equal((await world.rhea.get(`/rest/bug/${bug}/access`)).body.fields.comment?.allowed, false)
    const { restrict_comments } = await readBug(world.nobody, bug, '?include_fields=restrict_comments')
    assert.equal(restrict_comments, true)
    const isFound = async (query: `${string}=${string}`) => {
      const { body, text } = await world.rhea.get(`/rest/bug?include_fields=id&bug_id=${bug}&${query}`)
      assert.ok(body.bugs, text)
      return body.bugs.length === 1
    }
    for (const name of ['f1=restrict_comments&o1=equals&v1=', 'restrict_comments='] as const)
      assert.deepEqual([await isFound(`${name}1`), await isFound(`${name}0`)], [true, false], name)
    assert.match(
      (await world.rhea.get(`/rest/bug/${bug}/history`)).text,
      /"restrict_comments","removed":"0","added":"1"/,
    )
  })
})
