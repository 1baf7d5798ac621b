import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { newFile } from '../support/attach.ts'
import { fileBug, newBug, readBug } from '../support/file-bug.ts'
import { newType } from '../support/flags.ts'
import { beforeCommit, changedMeanwhile } from '../support/interleave.ts'
import { assertRefused } from '../support/refusal.ts'
import { sampled } from '../support/sample.ts'
import { describeOnEachEngine, type Reply, type World } from '../support/world.ts'

type Write = (world: World, bug: number, other: number) => Promise<Reply>

/** Everything that writes to the bug, or links another bug to it. */
const WRITES: Readonly<Record<string, Write>> = {
  'a change': ({ edna }, bug) =>
    edna.put(`/rest/bug/${bug}`, {
      priority: 'High',
      comment: { body: 'Said' },
      flags: [{ name: 'raced', status: '?' }],
    }),
  'a change of both': ({ edna }, bug, other) => edna.put(`/rest/bug/${other}`, { ids: [bug], whiteboard: 'changed' }),
  'a comment': ({ edna }, bug) => edna.post(`/rest/bug/${bug}/comment`, { comment: 'Said' }),
  'an attachment': ({ edna }, bug) => edna.post(`/rest/bug/${bug}/attachment`, newFile()),
  'a new dependency': ({ edna }, bug, other) => edna.put(`/rest/bug/${other}`, { depends_on: { add: [bug] } }),
  'a new blocked bug': ({ edna }, bug, other) => edna.put(`/rest/bug/${other}`, { blocks: { add: [bug] } }),
  'a duplicate': ({ edna }, bug, other) => edna.put(`/rest/bug/${other}`, { dupe_of: bug }),
  'a link in See Also': ({ edna }, bug, other) => edna.put(`/rest/bug/${other}`, { see_also: { add: [String(bug)] } }),
  'a link in a custom field': ({ edna }, bug, other) => edna.put(`/rest/bug/${other}`, { cf_raced: bug }),
  'a new bug that is linked to it': ({ edna }, bug) =>
    edna.post('/rest/bug', { ...newBug(), blocks: [bug], see_also: [String(bug)], cf_raced: bug }),
  'a tag': ({ edna }, bug) => edna.put(`/rest/bug/${bug}/tags`, { add: ['mine'] }),
  'a visit': ({ edna }, bug) => edna.post(`/rest/bug_user_last_visit/${bug}`),
}

function remove({ ada }: World, bug: number) {
  return ada.delete(`/rest/bug/${bug}?reason=Mistake`)
}

describeOnEachEngine('a bug that is deleted while it is written', (world) => {
  before(async () => {
    await world.ada.put('/rest/parameters', { allowbugdeletion: true })
    await newType(world, { name: 'raced' })
    const field = { name: 'cf_raced', type: 6, display_name: 'Raced', is_on_bug_entry: true }
    assert.equal((await world.ada.post('/rest/field/bug', field)).status, 201)
  })

  // PostgreSQL meets them all: there more transactions can meet than on SQLite, which has one writer.
  const writes = Object.entries(WRITES)
  for (const [title, write] of world.engine === 'postgres' ? writes : sampled(writes, 6))
    describe(`by ${title}`, () => {
      it('is not there for a write that begins before and goes on afterwards', async () => {
        const [bug, other] = [await fileBug(world.edna), await fileBug(world.edna)]
        const meanwhile = async () => assert.equal((await remove(world, bug)).status, 200)
        const reply = await changedMeanwhile(world, () => write(world, bug, other), meanwhile)
        await assertGone(bug, other, reply)
      })

      it('is deleted with what was written, when the write commits first', async () => {
        const [bug, other] = [await fileBug(world.edna), await fileBug(world.edna)]
        const [reply, deletion] = await beforeCommit(
          world,
          'bug_changes',
          () => write(world, bug, other),
          () => remove(world, bug),
        )
        assert.ok([200, 404].includes(deletion.status), deletion.text)
        await assertGone(bug, other, reply)
      })

      it('is not there for a write that waits for the deletion', async () => {
        const [bug, other] = [await fileBug(world.edna), await fileBug(world.edna)]
        const [deletion, reply] = await beforeCommit(
          world,
          'audit_log',
          () => remove(world, bug),
          () => write(world, bug, other),
        )
        assert.ok([200, 404].includes(deletion.status), deletion.text)
        await assertGone(bug, other, reply)
      })
    })

  it('is deleted once', async () => {
    const bug = await fileBug(world.edna)
    const replies = await beforeCommit(
      world,
      'audit_log',
      () => remove(world, bug),
      () => remove(world, bug),
    )
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 404],
    )
  })

  async function assertGone(bug: number, other: number, reply: Reply) {
    assert.ok(reply.status < 500, reply.text)
    assertRefused(await world.edna.get(`/rest/bug/${bug}`), 404, 101)
    const { depends_on, blocks, dupe_of, see_also, cf_raced } = await readBug(world.edna, other)
    assert.deepEqual([depends_on, blocks, dupe_of, see_also, cf_raced], [[], [], null, [], null])
    for (const table of ['comments', 'attachments', 'bug_changes', 'flags', 'bug_tags', 'last_visits'] as const) {
      const rows = await world.db.query((q) => q.selectFrom(table).select('bug_id').where('bug_id', '=', bug))
      assert.deepEqual(rows, [], table)
    }
  }
})
