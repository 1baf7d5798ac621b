import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cast } from '../support/cast.ts'
import { readComments, say, tell, withInsiders } from '../support/discussion.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { newHiddenProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres } from '../support/sample.ts'
import { type Client, describeOnEachEngine, itOnOneEngine } from '../support/world.ts'

const REASON = 'It named a customer.'
const LEFT = `The text of this comment was deleted: ${REASON}`

function remove(who: Client, id: number, reason = REASON) {
  return who.delete(`/rest/bug/comment/${id}?reason=${encodeURIComponent(reason)}`)
}

async function historyOf(who: Client, bug: number) {
  const { body } = await who.get(`/rest/bug/${bug}/history`)
  return body.bugs[0].history.flatMap(({ who, changes }) => changes.map((change) => ({ who, ...change })))
}

describeOnEachEngine('DELETE /rest/bug/comment/(id)', (world) => {
  it('deletes the text, and keeps number, author, time and the rest of the discussion', async () => {
    const bug = await fileBug(world.rhea, { description: 'The description' })
    const [, secret] = [await say(world.edna, bug, 'First'), await say(world.edna, bug, 'Customer X')]
    await say(world.rhea, bug, 'Last')
    const before = await readComments(world.rhea, bug)
    const { status, body } = await remove(world.ada, secret, ` ${REASON} `)
    assert.deepEqual([status, body], [200, { id: secret, name: `comment 2 of bug ${bug}` }])
    const after = await readComments(world.rhea, bug)
    assert.deepEqual(
      after,
      before.map((comment) => (comment.id === secret ? { ...comment, text: LEFT } : comment)),
    )
  })

  it('deletes the text of a description too', async () => {
    const bug = await fileBug(world.rhea, { description: 'Customer X' })
    const [description] = await readComments(world.rhea, bug)
    await remove(world.ada, description.id)
    assert.equal((await readBug(world.rhea, bug, '?include_fields=description')).description, LEFT)
  })

  itOnOneEngine(world, 'leaves what the tracker itself says in a comment', async () => {
    const [bug, other] = [await fileBug(world.rhea), await fileBug(world.rhea)]
    const id = await tell(world, { bugId: bug, kind: 1, aboutId: other, text: 'Customer X' })
    await remove(world.ada, id)
    assert.equal((await readComments(world.rhea, bug)).at(-1).text, `${LEFT}\n\nDuplicate of bug ${other}.`)
  })

  it('says who did it in the history and the audit log, and why in the latter', async () => {
    const bug = await fileBug(world.rhea)
    const id = await say(world.rhea, bug, 'Customer X')
    const { update_token } = await readBug(world.rhea, bug)
    await remove(world.ada, id)
    assert.deepEqual(await historyOf(world.rhea, bug), [
      { who: cast.ada.login, field_name: 'longdescs.deleted', removed: 'comment 1', added: '' },
    ])
    const { audit } = (await world.ada.get(`/rest/audit?class=Tracker::Comment&id=${id}`)).body
    assert.deepEqual([audit[0].who, audit[0].field, audit[0].removed], [cast.ada.login, '__remove__', REASON])
    assert.notEqual((await readBug(world.rhea, bug)).update_token, update_token)
    const seen = await readBug(world.rhea, `${bug}?as_of=2099-01-01`)
    assert.equal(seen.id, bug)
  })

  it('leaves nothing to be found by', async () => {
    const [word, other] = [world.unique('needle'), world.unique('thread')]
    const bug = await fileBug(world.rhea, { description: `The ${other} stays` })
    const id = await say(world.rhea, bug, `There is a ${word} here`)
    const questions = (text: string) => [
      `f1=longdesc&o1=substring&v1=${text}`,
      `f1=longdesc&o1=regexp&v1=${text}`,
      `f1=longdesc&o1=anywords&v1=${text}`,
      `f1=content&o1=matches&v1=${text}`,
      `quicksearch=content:${text}`,
    ]
    const find = async (text: string) => {
      const found = []
      for (const question of questions(text)) {
        const { body } = await world.rhea.get(`/rest/bug?${question}&include_fields=id`)
        found.push(body.bugs.some((it) => it.id === bug))
      }
      return [...new Set(found)]
    }
    assert.deepEqual(await find(word), [true])
    await remove(world.ada, id)
    assert.deepEqual(await find(word), [false])
    assert.deepEqual(await find(other), [true])
    // What waits for the index, as on SQLite, is written into it after some more text.
    const more = world.engine === 'sqlite' ? 70 : 1
    await Promise.all(Array.from({ length: more }, (_, times) => say(world.rhea, bug, `More text ${times}`)))
    assert.deepEqual(await find(word), [false])
    assert.deepEqual(await find('customer'), [true])
  })

  it('does not reveal a private comment to others', async () => {
    await withInsiders(world, async () => {
      const bug = await fileBug(world.rhea)
      const word = world.unique('needle')
      const id = await say(world.sven, bug, `A private ${word}`, { is_private: true })
      await remove(world.ada, id)
      assert.deepEqual(await historyOf(world.rhea, bug), [])
      assert.equal((await historyOf(world.sven, bug)).length, 1)
      assert.equal((await readComments(world.sven, bug)).at(-1).text, LEFT)
      assert.equal((await readComments(world.rhea, bug)).length, 1)
      const { body } = await world.sven.get(`/rest/bug?f1=content&o1=matches&v1=${word}`)
      assert.deepEqual(body.bugs, [])
    })
  })

  itOnOneEngine(world, 'is an event for those who follow the bug', async () => {
    const bug = await fileBug(world.rhea)
    const id = await say(world.rhea, bug, 'Customer X')
    const { next_cursor } = (await world.rhea.get('/rest/event?after=0&limit=1000')).body
    await remove(world.ada, id)
    const { events } = (await world.rhea.get(`/rest/event?after=${next_cursor}&wait=10`)).body
    assert.deepEqual(
      events.map(({ type, bug_id, changes }) => [type, bug_id, changes[0].field_name]),
      [['bug.update', bug, 'longdescs.deleted']],
    )
  })

  itOnOneEngine(world, 'is for administrators, with a reason', async () => {
    const bug = await fileBug(world.rhea)
    const id = await say(world.rhea, bug, 'Mine')
    for (const who of ['rhea', 'edna', 'uma'] as const)
      for (const ref of [id, 4711]) assertRefused(await remove(world[who], ref), 401, 304)
    assertRefused(await remove(world.nobody, id), 401, 410)
    const key = await world.ada.post('/rest/user/1/api_key', { scopes: ['read', 'write'] })
    assertRefused(await remove(world.as({ 'X-TRACKER-API-KEY': key.body.api_key }), id), 401, 304)
    assertRefused(await world.ada.delete(`/rest/bug/comment/${id}`), 400, 50)
    assertRefused(await remove(world.ada, id, 'x'.repeat(1001)), 400, 104)
    assertRefused(await remove(world.ada, 999_999), 400, 111)
    assertRefused(await world.ada.delete('/rest/bug/comment/x?reason=y'), 400, 57)
    assert.equal((await readComments(world.rhea, bug)).at(-1).text, 'Mine')
  })

  it('works on bugs that others may not see, and says nothing of them', async () => {
    const { name } = await newHiddenProduct(world)
    const bug = await fileBug(world.sven, { product: name, component: 'Core', version: '1.0' })
    const id = await say(world.sven, bug, 'Customer X')
    assertRefused(await remove(world.rhea, id), 401, 304)
    assert.equal((await remove(world.ada, id)).status, 200)
    assertRefused(await world.rhea.get(`/rest/bug/comment/${id}`), 401, 102)
  })

  itOnPostgres(world, 'keeps both when a user comments at the same moment', async () => {
    const bug = await fileBug(world.rhea)
    const id = await say(world.rhea, bug, 'Customer X')
    await Promise.all([remove(world.ada, id), say(world.edna, bug, 'Meanwhile'), remove(world.ada, id, 'Again.')])
    const comments = await readComments(world.rhea, bug)
    assert.match(comments[1].text, /^The text of this comment was deleted: /)
    assert.equal(comments[2].text, 'Meanwhile')
  })
})
