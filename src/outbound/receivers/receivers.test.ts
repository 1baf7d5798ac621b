import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { cast } from '../../../test/support/cast.ts'
import { fileBug } from '../../../test/support/file-bug.ts'
import { describeOnEachEngine } from '../../../test/support/world.ts'
import { EVERY_SCOPE } from '../../access/caller.ts'
import { Installation, readStateVersions } from '../../access/installation.ts'
import { readConfig } from '../../platform/config/config.ts'
import { Contents } from '../../platform/contents/contents.ts'
import { actAsUsers } from './act-as.ts'
import { contentReceivers } from './content-receivers.ts'
import { deletedBugReceivers } from './deleted-bug-receivers.ts'
import { receiversIn } from './receivers.ts'

describeOnEachEngine('what is sent or received for a user', (world) => {
  const contextFor = () => ({
    db: world.db,
    installation: new Installation(world.db),
    config: readConfig({ LACEWING_DATA: world.dataFolder }),
    log: { info: () => {}, error: () => {}, flush: async () => {} },
    baseUrl: () => 'https://bugs.example.com',
  })

  it('has the rights that the user has now, also by inheritance, and those of no other', async () => {
    const { name, id } = await world.newGroup()
    const [inner, user, other] = [await world.newGroup(), await world.newUser(), await world.newUser()]
    await world.ada.put(`/rest/group/${id}`, { member_groups: { add: [inner.name] } })
    await world.ada.put(`/rest/user/${user.id}`, { groups: { add: [inner.name] } })
    const acting = await actAsUsers(contextFor(), [user.id, other.id, user.id])
    assert.deepEqual([...acting.keys()].sort(), [user.id, other.id].sort())
    const groupsOf = (userId: number) => [...(acting.get(userId)?.caller.groups.names ?? [])]
    assert.deepEqual(groupsOf(user.id).filter((it) => [name, inner.name].includes(it)).length, 2)
    assert.deepEqual(groupsOf(other.id).filter((it) => [name, inner.name].includes(it)).length, 0)
    const { caller, baseUrl } = acting.get(user.id) ?? {}
    assert.equal(baseUrl, 'https://bugs.example.com')
    assert.deepEqual([caller?.login, caller?.scopes, caller?.mustAddFactor], [user.login, EVERY_SCOPE, false])
  })

  it('ends when the account is disabled or gone', async () => {
    const user = await world.newUser()
    await world.ada.put(`/rest/user/${user.id}`, { login_denied_text: 'Left us.' })
    assert.deepEqual([...(await actAsUsers(contextFor(), [user.id, 999_999]))], [])
  })

  it('is limited while the account is new', async () => {
    const user = await world.newUser()
    const joinedAt = '2026-03-20T12:00:00Z'
    await world.db.query((q) => q.updateTable('users').set({ joined_at: joinedAt }).where('id', '=', user.id))
    const acting = await actAsUsers(contextFor(), [user.id, 1])
    assert.deepEqual([acting.get(user.id)?.caller.joinedAt, acting.get(1)?.caller.joinedAt], [joinedAt, null])
  })

  it('has a queue for each kind of job, and consumers of events', () => {
    const { consumers, queues } = receiversIn(contextFor())
    assert.ok(consumers.every(({ name }) => typeof name === 'string'))
    assert.equal(new Set(queues.map(({ name }) => name)).size, queues.length)
    for (const name of ['mail', 'account mail', 'deleted_bugs', 'contents'])
      assert.ok(
        queues.some((queue) => queue.name === name),
        name,
      )
    assert.deepEqual(deletedBugReceivers(contextFor()).consumers, [])
  })

  it('includes the deletion of a content that no attachment uses any more', async () => {
    const context = contextFor()
    const settings = await context.installation.settingsAt(await readStateVersions(world.db))
    const contents = new Contents(join(world.dataFolder, 'attachments'))
    const [key, kept] = ['a'.repeat(64), 'b'.repeat(64)]
    for (const it of [key, kept]) await contents.put(settings, { key: it, digest: it, bytes: Buffer.from('hello') })
    const [queue] = contentReceivers(context).queues
    const job = { id: 1, queue: '', lane: '', payload: { key }, createdAt: '', attempts: 1 }
    assert.deepEqual(await queue?.perform(job, new AbortController().signal), { done: true })
    const files = readdirSync(join(world.dataFolder, 'attachments'), { recursive: true }).join()
    assert.deepEqual([files.includes(key), files.includes(kept)], [false, true])
    assert.deepEqual(contentReceivers(context).consumers, [])
  })

  const forget = async (...bugIds: number[]) => {
    const [queue] = deletedBugReceivers(contextFor()).queues
    const job = { id: 1, queue: '', lane: '', payload: { bugIds }, createdAt: '', attempts: 1 }
    return queue?.perform(job, new AbortController().signal)
  }

  it('forgets undelivered mail about deleted bugs, however much there is, and no other', async () => {
    const payloads = [
      ...Array.from({ length: 502 }, (_, index) => JSON.stringify({ bugId: index % 2 === 0 ? 7001 : 7002 })),
      JSON.stringify({ bugId: 7003 }),
      JSON.stringify({ notice: {} }),
      'not JSON',
    ]
    const dead = { lane: 'x', created_at: '2026-01-01T00:00:00Z', attempts: 1, last_fault: '', died_at: '2026-01-01' }
    const rows = payloads.map((payload) => ({ ...dead, queue: 'mail', payload }))
    await world.db.query((q) => q.insertInto('jobs').values(rows))
    const left = async () => {
      const jobs = await world.db.query((q) => q.selectFrom('jobs').select('payload').where('lane', '=', 'x'))
      return Object.groupBy(jobs, ({ payload }) => payload)
    }
    await forget(7001, 7003)
    const kept = await left()
    assert.deepEqual(Object.keys(kept).sort(), ['not JSON', '{"bugId":7002}', '{"notice":{}}'])
    assert.equal(kept['{"bugId":7002}']?.length, 251)
  })

  it('forgets the content of the events of deleted bugs, also of the last one', async () => {
    const [kept, gone, last] = [await fileBug(world.edna), await fileBug(world.edna), await fileBug(world.edna)]
    const emptied = async () => {
      const rows = await world.db.query((q) =>
        q.selectFrom('outbox').select(['bug_id', 'facts']).where('bug_id', 'in', [kept, gone, last]).orderBy('id'),
      )
      return rows.map(({ facts }) => facts === '{}')
    }
    assert.deepEqual(await emptied(), [false, false, false])
    const [{ id = 0 } = {}] = await world.db.query((q) =>
      q.selectFrom('outbox').select('id').where('bug_id', '=', last),
    )
    // What is scanned in one step ends just before the last event.
    await world.db.query((q) =>
      q
        .updateTable('outbox')
        .set({ id: id - 5000 })
        .where('bug_id', '=', kept),
    )
    await world.db.query((q) => q.deleteFrom('outbox').where('id', '<', id - 5000))
    await forget(gone, last)
    assert.deepEqual(await emptied(), [false, true, true])
  })

  it('leaves an installation without events and deliveries as it is', async () => {
    await world.db.query((q) => q.deleteFrom('outbox'))
    assert.deepEqual(await forget(1), { done: true })
    assert.equal((await world.edna.get('/rest/whoami')).body.name, cast.edna.login)
  })
})
