import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { noteCatalogueChanged } from '../../src/access/installation.ts'
import { setBugsChangedAt } from '../../src/changes/record-bug-changes.ts'
import type { BugTransaction, ConfigurationTransaction, Db } from '../../src/platform/database/db.ts'
import { newFile } from '../support/attach.ts'
import { fileBug, newBug, readBug } from '../support/file-bug.ts'
import { newType } from '../support/flags.ts'
import { beforeCommit, changedMeanwhile } from '../support/interleave.ts'
import { newMember, setControl } from '../support/new-member.ts'
import { newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres } from '../support/sample.ts'
import { ServerProcess, stopAll } from '../support/server-process.ts'
import { describeOnEachEngine, type Reply, World } from '../support/world.ts'

const MANDATORY = { membercontrol: 'Mandatory', othercontrol: 'Mandatory' }

after(stopAll)

/** A bug in one product, and another product with a part of everything that a bug can be moved to. */
async function newMove(world: World) {
  const [from, to] = [await newProduct(world), await newProduct(world, ['Core', 'Other'])]
  for (const [part, name] of [
    ['milestone', 'M2'],
    ['version', '2.0'],
  ])
    assert.equal((await world.ada.post(`/rest/product/${to.name}/${part}`, { name })).status, 201)
  const id = await fileBug(world.edna, { product: from.name, component: 'Core', version: '1.0' })
  const move = { product: to.name, component: 'Other', version: '2.0', target_milestone: 'M2' }
  return { id, from, to, move: () => world.edna.put(`/rest/bug/${id}`, move) }
}

const PARTS: readonly [what: string, pathOf: (product: string) => string][] = [
  ['product', (product) => `/rest/product/${product}`],
  ['component', (product) => `/rest/component/${product}/Other`],
  ['version', (product) => `/rest/product/${product}/version/2.0`],
  ['milestone', (product) => `/rest/product/${product}/milestone/M2`],
]

/** Neither anonymous callers nor users outside of the group read it, and a search does not find it. */
async function assertHidden(world: World, id: number) {
  for (const client of [world.nobody, world.stan]) {
    assert.equal((await client.get(`/rest/bug/${id}`)).body.code, 102)
    assert.deepEqual((await client.get(`/rest/bug?id=${id}`)).body.bugs, [])
  }
}

function assertNoFault(...replies: Reply[]) {
  for (const { status, text } of replies) assert.ok(status < 500, text)
}

describeOnEachEngine('A change of the configuration before a bug write commits', (world) => {
  it('restricts a bug that is being moved to the group that becomes mandatory', async () => {
    const { id, to, move } = await newMove(world)
    const control = `/rest/product/${to.name}/group_control/security`
    const replies = await beforeCommit(world, 'bug_changes', move, () => world.ada.put(control, MANDATORY))
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200],
    )
    await assertHidden(world, id)
    assert.deepEqual((await readBug(world.sven, id)).groups, ['security'])
  })

  itOnPostgres(world, 'restricts a bug that is being filed', async () => {
    for (const headers of [undefined, { 'Idempotency-Key': world.unique('key') }]) {
      const { name: product } = await newProduct(world)
      const control = `/rest/product/${product}/group_control/security`
      const [filed] = await beforeCommit(
        world,
        'comments',
        () => world.edna.post('/rest/bug', newBug({ product, component: 'Core' }), headers),
        () => world.ada.put(control, MANDATORY),
      )
      assert.equal(filed.status, 200, filed.text)
      await assertHidden(world, filed.body.id)
    }
  })

  itOnPostgres(world, 'restricts a bug that is being moved when its mandatory group becomes active again', async () => {
    const { id, to, move } = await newMove(world)
    const group = await world.newGroup()
    await setControl(world, to.name, group.name, MANDATORY)
    await world.ada.put(`/rest/group/${group.name}`, { is_active: false })
    const replies = await beforeCommit(world, 'bug_changes', move, () =>
      world.ada.put(`/rest/group/${group.name}`, { is_active: true }),
    )
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200],
    )
    await assertHidden(world, id)
  })

  for (const [what, pathOf] of PARTS)
    itOnPostgres(world, `deletes a ${what} only if no bug is being moved there`, async () => {
      const { id, to, move } = await newMove(world)
      const [moved, removed] = await beforeCommit(world, 'bug_changes', move, () => world.ada.delete(pathOf(to.name)))
      assertNoFault(moved, removed)
      const bug = await readBug(world.ada, id)
      assert.equal(bug.product === to.name, moved.status === 200)
      // A milestone that is deleted leaves its bugs with the default one.
      assert.equal(removed.status === 200, what === 'milestone' || moved.status !== 200, removed.text)
    })

  itOnPostgres(world, 'deletes a flag type with the flags that are being set, or the flag is refused', async () => {
    const { id } = await newMove(world)
    const type = await newType(world)
    const [set, removed] = await beforeCommit(
      world,
      'flags',
      () => world.edna.put(`/rest/bug/${id}`, { flags: [{ type_id: type.id, status: '+', new: true }] }),
      () => world.ada.delete(`/rest/flag_type/${type.id}`),
    )
    assertNoFault(set, removed)
    assert.equal((await readBug(world.ada, id)).flags.length, removed.status === 200 ? 0 : 1)
  })

  itOnPostgres(world, 'leaves nothing of a comment, a flag, a tag or a visit on a bug that is deleted', async () => {
    await world.withParameters({ allowbugdeletion: true }, async () => {
      const type = await newType(world, { target_type: 'attachment' })
      const writes: ((id: number) => Promise<Reply>)[] = [
        (id) => world.edna.post(`/rest/bug/${id}/comment`, { comment: 'Hello' }),
        (id) => world.edna.post(`/rest/bug/${id}/attachment`, newFile({ flags: [{ type_id: type.id, status: '?' }] })),
        (id) => world.edna.put(`/rest/bug/${id}`, { comment: { body: 'Hello' } }),
      ]
      for (const write of writes) {
        const { id, from } = await newMove(world)
        const [written, removed] = await beforeCommit(
          world,
          'comments',
          () => write(id),
          () => world.ada.delete(`/rest/product/${from.name}`),
        )
        assertNoFault(written, removed)
        assert.equal(removed.status, 200, removed.text)
        assertRefused(await world.ada.get(`/rest/bug/${id}`), 404, 101)
      }
    })
  })
})

describeOnEachEngine('A bug write before a change of the configuration commits', (world) => {
  for (const [what, pathOf] of PARTS)
    itOnPostgres(world, `does not find the ${what} that is being deleted`, async () => {
      const { id, to, move } = await newMove(world)
      const remove = () => world.ada.delete(pathOf(to.name))
      const [removed, moved] = await beforeCommit(world, 'audit_log', remove, move)
      assertNoFault(removed, moved)
      if (removed.status === 200 && what !== 'milestone') assert.notEqual(moved.status, 200)
      assert.equal((await readBug(world.ada, id)).product === to.name, moved.status === 200)
    })

  itOnPostgres(world, 'restricts the bug to the group that is becoming mandatory', async () => {
    const { id, to, move } = await newMove(world)
    const control = `/rest/product/${to.name}/group_control/security`
    const [changed, moved] = await beforeCommit(world, 'audit_log', () => world.ada.put(control, MANDATORY), move)
    assert.deepEqual([changed.status, moved.status], [200, 200])
    await assertHidden(world, id)
  })

  it('runs in no other kind of transaction', async () => {
    const id = await fileBug(world.edna)
    const write = (tx: Db) => setBugsChangedAt(tx as BugTransaction, [id], '2001-01-01T00:00:00Z')
    await assert.rejects(() => write(world.db), /must run in a transaction of the kind bugs/)
    for (const kind of [undefined, 'accounts', 'links'] as const)
      await assert.rejects(() => world.db.transaction(write, kind), /must run in a transaction of the kind bugs/)
    await world.db.transaction(write, 'configuration')
    const change = (tx: Db) => noteCatalogueChanged(tx as ConfigurationTransaction)
    for (const kind of [undefined, 'accounts', 'bugs'] as const)
      await assert.rejects(() => world.db.transaction(change, kind), /of the kind configuration/)
  })
})

describeOnEachEngine('A bug write whose basis changed after authentication', (world) => {
  itOnPostgres(world, 'restricts the bug to a group that has become mandatory', async () => {
    const { id, to, move } = await newMove(world)
    const moved = await changedMeanwhile(world, move, () => setControl(world, to.name, 'security', MANDATORY))
    assert.equal(moved.status, 200, moved.text)
    await assertHidden(world, id)
    const { name: product } = await newProduct(world)
    const filed = await changedMeanwhile(
      world,
      () => world.edna.post('/rest/bug', newBug({ product, component: 'Core' })),
      () => setControl(world, product, 'security', MANDATORY),
    )
    assert.equal(filed.status, 200, filed.text)
    await assertHidden(world, filed.body.id)
  })

  itOnPostgres(world, 'keeps no other write waiting if it is refused before its transaction', async () => {
    const { id } = await newMove(world)
    const refused = await changedMeanwhile(
      world,
      () => world.nobody.put(`/rest/bug/${id}`, { summary: 'Refused' }),
      async () => assert.equal((await world.edna.put(`/rest/bug/${id}`, { summary: 'Changed' })).status, 200),
    )
    assertRefused(refused, 401, 410)
    assert.equal((await readBug(world.edna, id)).summary, 'Changed')
  })

  itOnPostgres(world, 'is refused where what it names was deleted', async () => {
    const add = async (path: string, body: object) => assert.equal((await world.ada.post(path, body)).status, 201)
    const cases: [make: (name: string) => Promise<string>, change: (name: string) => object][] = [
      [
        async (name) => {
          await add('/rest/field/bug/priority/values', { name })
          return `/rest/field/bug/priority/values/${name}`
        },
        (name) => ({ priority: name }),
      ],
      [
        async (name) => {
          await add('/rest/keyword', { name, description: 'For a test' })
          return `/rest/keyword/${name}`
        },
        (name) => ({ keywords: { add: [name] } }),
      ],
      [
        async (name) => `/rest/flag_type/${(await newType(world, { name })).id}`,
        (name) => ({ flags: [{ name, status: '+', new: true }] }),
      ],
    ]
    for (const [make, change] of cases) {
      const { id } = await newMove(world)
      const name = world.unique('gone')
      const path = await make(name)
      const reply = await changedMeanwhile(
        world,
        () => world.edna.put(`/rest/bug/${id}`, change(name)),
        async () => assert.equal((await world.ada.delete(path)).status, 200),
      )
      assertRefused(reply, 404, 51)
    }
  })

  itOnPostgres(world, 'names a custom field that is gone as one that it does not know', async () => {
    const { id } = await newMove(world)
    const name = `cf_${world.unique('gone')}`
    const made = await world.ada.post('/rest/field/bug', { name, display_name: name, type: 1, is_on_bug_entry: true })
    assert.equal(made.status, 201, made.text)
    const reply = await changedMeanwhile(
      world,
      () => world.edna.put(`/rest/bug/${id}`, { [name]: 'text' }),
      async () => {
        assert.equal((await world.ada.put(`/rest/field/bug/${name}`, { is_obsolete: true })).status, 200)
        assert.equal((await world.ada.delete(`/rest/field/bug/${name}`)).status, 200)
      },
    )
    assert.deepEqual([reply.status, reply.body.ignored], [200, [name]], reply.text)
  })

  it('needs the rights that the caller still has', async () => {
    const { id } = await newMove(world)
    const editor = await newMember(world, 'editbugs')
    const change = () => editor.client.put(`/rest/bug/${id}`, { summary: 'Changed' })
    const leave = { groups: { remove: ['editbugs'] } }
    const reply = await changedMeanwhile(world, change, async () => {
      assert.equal((await world.ada.put(`/rest/user/${editor.id}`, leave)).status, 200)
    })
    assertRefused(reply, 401, 115)
    const other = await newMember(world, 'editbugs')
    const refused = await changedMeanwhile(
      world,
      () => other.client.put(`/rest/bug/${id}`, { summary: 'Changed' }),
      async () => {
        assert.equal((await world.ada.put(`/rest/user/${other.id}`, { login_denied_text: 'Gone' })).status, 200)
      },
    )
    assertRefused(refused, 401, 301)
    assert.equal((await readBug(world.ada, id)).summary, 'Something is wrong')
  })

  itOnPostgres(world, 'hides nothing for a user who has left the insiders', async () => {
    const group = await world.newGroup()
    await world.withParameters({ insidergroup: group.name }, async () => {
      const { id } = await newMove(world)
      const writes: ((client: World['edna']) => Promise<Reply>)[] = [
        (client) => client.post(`/rest/bug/${id}/comment`, { comment: 'Hello', is_private: true }),
        (client) => client.post(`/rest/bug/${id}/attachment`, newFile({ is_private: true })),
      ]
      for (const write of writes) {
        const insider = await newMember(world, group.name)
        const reply = await changedMeanwhile(
          world,
          () => write(insider.client),
          async () => {
            const leave = { groups: { remove: [group.name] } }
            assert.equal((await world.ada.put(`/rest/user/${insider.id}`, leave)).status, 200)
          },
        )
        assertRefused(reply, 401, 113)
      }
    })
  })

  itOnPostgres(world, 'obeys the parameters of now', async () => {
    const { id } = await newMove(world)
    await world.withParameters({ commentonchange_resolution: false }, async () => {
      const reply = await changedMeanwhile(
        world,
        () => world.edna.put(`/rest/bug/${id}`, { status: 'RESOLVED', resolution: 'FIXED' }),
        () => world.ada.put('/rest/parameters', { commentonchange_resolution: true }),
      )
      assertRefused(reply, 400, 32000)
    })
  })
})

describe('Two servers on one database', () => {
  const world = new World('postgres')
  before(() => world.open())
  after(() => world.close())

  it('leave no bug without a group that becomes mandatory while it moves', async () => {
    const server = new ServerProcess({ LACEWING_DATA: world.dataFolder, LACEWING_DATABASE_URL: world.databaseUrl })
    const other = Object.assign(new World('postgres'), { url: (await server.listening()).url })
    const { id, to, move } = await newMove(world)
    const control = `/rest/product/${to.name}/group_control/security`
    const restrict = () => other.ada.put(control, MANDATORY)
    const replies = await beforeCommit(world, 'bug_changes', move, restrict)
    await server.stop()
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200],
    )
    await assertHidden(world, id)
  })
})
