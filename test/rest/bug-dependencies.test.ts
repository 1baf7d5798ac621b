import assert from 'node:assert/strict'
import { insertBug } from '../support/bug-rows.ts'
import { cast } from '../support/cast.ts'
import { changeBug, historyOf } from '../support/change-bug.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { beforeCommit } from '../support/interleave.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres } from '../support/sample.ts'
import { describeOnEachEngine, itOnOneEngine } from '../support/world.ts'

describeOnEachEngine('What a bug depends on and blocks', (world) => {
  const file = () => fileBug(world.edna)
  const files = (count: number) => Promise.all(Array.from({ length: count }, file))
  const dependsOn = async (id: number, who = world.edna) => (await readBug(who, id)).depends_on
  const blocks = async (id: number, who = world.edna) => (await readBug(who, id)).blocks
  /** A bug that only members of security see. */
  const hide = () =>
    insertBug(world, {
      product: 'TestProduct',
      component: 'TestComponent',
      groups: ['security'],
      creator: cast.sven.login,
      assigned_to: cast.sven.login,
    })

  itOnOneEngine(world, 'is added, removed and set, on both ends', async () => {
    const [id, a, b, c] = (await files(4)).sort((x, y) => x - y) as [number, number, number, number]
    assert.deepEqual(await changeBug(world.edna, id, { depends_on: { add: [b, String(a), b] } }), {
      depends_on: { removed: '', added: `${a}, ${b}` },
    })
    assert.deepEqual([await dependsOn(id), await blocks(a), await blocks(b)], [[a, b], [id], [id]])
    assert.deepEqual(
      await changeBug(world.edna, id, { depends_on: { add: [c], remove: [a, c, 99999999, 'nothing'] } }),
      {
        depends_on: { removed: String(a), added: '' },
      },
    )
    assert.deepEqual(await changeBug(world.edna, id, { depends_on: { set: [c, a], add: [b], remove: [a] } }), {
      depends_on: { removed: String(b), added: `${a}, ${c}` },
    })
    assert.deepEqual(await changeBug(world.edna, id, { depends_on: { set: [a, c] } }), {})
    assert.deepEqual(await changeBug(world.edna, a, { blocks: { remove: [id], add: [b] } }), {
      blocks: { removed: String(id), added: String(b) },
    })
    assert.deepEqual([await dependsOn(id), await dependsOn(b)], [[c], [a]])
    await changeBug(world.edna, id, { depends_on: { set: [] } })
    assert.deepEqual([await dependsOn(id), await blocks(c)], [[], []])
  })

  itOnOneEngine(world, 'is in the history of both bugs, and moves the last change of both', async () => {
    const [id, other] = (await files(2)) as [number, number]
    await world.db.query((q) =>
      q.updateTable('bugs').set({ changed_at: '2001-01-01T00:00:00Z' }).where('id', '=', other),
    )
    await changeBug(world.edna, id, { depends_on: { add: [other] } })
    assert.deepEqual(await historyOf(world.edna, id), [`edna: depends_on  → ${other}`])
    assert.deepEqual(await historyOf(world.edna, other), [`edna: blocks  → ${id}`])
    const [mine, its] = [await readBug(world.edna, id), await readBug(world.edna, other)]
    assert.equal(mine.last_change_time, its.last_change_time)
    // Changes of a user within one second are one history entry, so they could not be distinguished.
    await world.db.query((q) =>
      q.updateTable('bug_changes').set({ at: '2001-01-01T00:00:00Z' }).where('bug_id', '=', other),
    )
    await changeBug(world.edna, id, { depends_on: { remove: [other] } })
    assert.deepEqual(await historyOf(world.edna, other), [`edna: blocks  → ${id}`, `edna: blocks ${id} → `])
  })

  itOnOneEngine(world, 'is one line for each bug when several bugs are tied at once', async () => {
    const [one, two, other, more] = (await files(4)).sort((x, y) => x - y) as [number, number, number, number]
    await world.edna.put('/rest/bug/update', { ids: [two, one], depends_on: { add: [more, other] } })
    assert.deepEqual(await historyOf(world.edna, other), [`edna: blocks  → ${one}, ${two}`])
    assert.deepEqual(await historyOf(world.edna, one), [`edna: depends_on  → ${other}, ${more}`])
  })

  itOnOneEngine(world, 'is returned for all bugs that change, also those between the changed ones', async () => {
    const [one, two] = (await files(2)) as [number, number]
    await changeBug(world.edna, one, { depends_on: { add: [two] } })
    const { body } = await world.edna.put('/rest/bug/update', { ids: [one, two], depends_on: { remove: [two] } })
    assert.deepEqual(
      body.bugs.map((bug: { changes: object }) => bug.changes),
      [{ depends_on: { removed: String(two), added: '' } }, { blocks: { removed: String(one), added: '' } }],
    )
  })

  itOnOneEngine(world, 'may be named by alias', async () => {
    const alias = world.unique('needed')
    const [id, other] = [await file(), await fileBug(world.edna, { alias })]
    await changeBug(world.edna, id, { depends_on: { add: [alias] } })
    assert.deepEqual(await dependsOn(id), [other])
    await changeBug(world.edna, id, { depends_on: { remove: [alias.toUpperCase()] } })
    assert.deepEqual(await dependsOn(id), [])
  })

  itOnOneEngine(world, 'has no circles: not of one, not of two, not of many', async () => {
    const [a, b, c, d] = (await files(4)) as [number, number, number, number]
    const refuse = async (id: number, change: object) =>
      assertRefused(await world.edna.put(`/rest/bug/${id}`, change), 400, 116)
    await refuse(a, { depends_on: { add: [a] } })
    await refuse(a, { blocks: { set: [a] } })
    await refuse(a, { depends_on: { add: [b] }, blocks: { add: [b] } })
    await changeBug(world.edna, a, { depends_on: { add: [b] } })
    await refuse(b, { depends_on: { add: [a] } })
    await refuse(a, { blocks: { add: [b] } })
    await changeBug(world.edna, b, { depends_on: { add: [c] } })
    await changeBug(world.edna, c, { depends_on: { add: [d] } })
    await refuse(d, { depends_on: { add: [a] } })
    await refuse(d, { depends_on: { add: [b] } })
    assert.deepEqual(await dependsOn(d), [])
    await changeBug(world.edna, a, { depends_on: { add: [c, d] } })
    await refuse(c, { ids: [b], depends_on: { add: [b] } })
  })

  itOnOneEngine(world, 'can be turned round in one change', async () => {
    const [a, b] = (await files(2)) as [number, number]
    await changeBug(world.edna, a, { depends_on: { add: [b] } })
    await changeBug(world.edna, a, { depends_on: { remove: [b] }, blocks: { add: [b] } })
    assert.deepEqual([await dependsOn(a), await dependsOn(b)], [[], [a]])
  })

  itOnOneEngine(
    world,
    'has no circles through bugs that the caller cannot see, and says no more than it must',
    async () => {
      const [a, hidden, b] = [await file(), await hide(), await file()]
      await changeBug(world.sven, a, { depends_on: { add: [hidden] } })
      await changeBug(world.sven, hidden, { depends_on: { add: [b] } })
      const reply = await world.edna.put(`/rest/bug/${b}`, { depends_on: { add: [a] } })
      assertRefused(reply, 400, 116)
      assert.ok(!reply.body.message.split(/\D+/).includes(String(hidden)), reply.body.message)
    },
  )

  itOnOneEngine(world, 'keeps bugs that the caller cannot see, whatever is set', async () => {
    const [id, hidden, seen, other] = [await file(), await hide(), await file(), await file()]
    await changeBug(world.sven, id, { depends_on: { add: [hidden, seen] } })
    assert.deepEqual(await dependsOn(id), [seen])
    assertRefused(await world.edna.put(`/rest/bug/${id}`, { depends_on: { remove: [hidden] } }), 401, 102)
    assertRefused(await world.edna.put(`/rest/bug/${id}`, { depends_on: { add: [hidden] } }), 401, 102)
    assertRefused(await world.edna.put(`/rest/bug/${id}`, { depends_on: { set: [hidden] } }), 401, 102)
    assert.deepEqual(await changeBug(world.edna, id, { depends_on: { set: [other] } }), {
      depends_on: { removed: String(seen), added: String(other) },
    })
    assert.deepEqual(
      await dependsOn(id, world.sven),
      [hidden, other].sort((x, y) => x - y),
    )
  })

  itOnPostgres(world, 'has no circle of two ties that are made at the same time, far from each other', async () => {
    const [one, two, three, four] = (await files(4)) as [number, number, number, number]
    await changeBug(world.edna, two, { depends_on: { add: [three] } })
    await changeBug(world.edna, four, { depends_on: { add: [one] } })
    const replies = await beforeCommit(
      world,
      'bug_changes',
      () => world.edna.put(`/rest/bug/${one}`, { depends_on: { add: [two] } }),
      () => world.edna.put(`/rest/bug/${four}`, { blocks: { add: [three] } }),
    )
    assert.deepEqual(replies.map(({ status, body }) => body.code ?? status).sort(), [116, 200])
  })

  itOnPostgres(world, 'has no circles even when many tie bugs at the same time', async () => {
    const ring = await files(6)
    const replies = await Promise.all(
      ring.map((id, place) => world.edna.put(`/rest/bug/${id}`, { depends_on: { add: [ring[(place + 1) % 6]] } })),
    )
    const refused = replies.filter((reply) => reply.status !== 200)
    assert.equal(refused.length, 1, refused.map((reply) => reply.text).join('\n'))
    assert.equal(refused[0]?.body.code, 116)
  })
})
