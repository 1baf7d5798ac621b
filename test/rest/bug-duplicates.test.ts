import assert from 'node:assert/strict'
import { it } from 'node:test'
import { insertBug } from '../support/bug-rows.ts'
import { cast } from '../support/cast.ts'
import { changeBug, historyOf } from '../support/change-bug.ts'
import { readComments } from '../support/discussion.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnOneEngine } from '../support/world.ts'

describeOnOneEngine('A duplicate', (world) => {
  const file = (more: Record<string, unknown> = {}) => fileBug(world.edna, more)
  /** A bug that only members of security see. */
  const hide = (more: object = {}) =>
    insertBug(world, {
      product: 'TestProduct',
      component: 'TestComponent',
      groups: ['security'],
      creator: cast.sven.login,
      assigned_to: cast.sven.login,
      ...more,
    })

  it('is closed with the status and resolution that duplicates have', async () => {
    const [id, target] = [await file(), await file()]
    assert.deepEqual(await changeBug(world.edna, id, { dupe_of: target }), {
      status: { removed: 'CONFIRMED', added: 'RESOLVED' },
      resolution: { removed: '', added: 'DUPLICATE' },
      dupe_of: { removed: '', added: String(target) },
    })
    const bug = await readBug(world.edna, id)
    assert.deepEqual([bug.status, bug.resolution, bug.dupe_of], ['RESOLVED', 'DUPLICATE', target])
    assert.deepEqual(await historyOf(world.edna, id), [
      'edna: status CONFIRMED → RESOLVED',
      'edna: resolution  → DUPLICATE',
    ])
  })

  it('says in a comment what it duplicates, and the other bug that it has one', async () => {
    const [silent, spoken, target] = [await file(), await file(), await file()]
    await changeBug(world.edna, silent, { dupe_of: target })
    await changeBug(world.edna, spoken, { dupe_of: target, comment: { body: 'The same.' }, work_time: 1 })
    const [, mark] = await readComments(world.edna, silent)
    const [, own, ...more] = await readComments(world.edna, spoken)
    assert.match(mark.text, new RegExp(`bug ${target}\\b`))
    assert.match(own.text, new RegExp(`^The same\\.\\n\\n.*bug ${target}\\b`))
    assert.deepEqual(more, [])
    const returned = await readComments(world.edna, target)
    assert.deepEqual(
      returned.slice(1).map((comment) => [comment.creator, comment.text.match(/\d+/)?.[0]]),
      [
        [cast.edna.login, String(silent)],
        [cast.edna.login, String(spoken)],
      ],
    )
    assert.equal((await readBug(world.edna, spoken)).actual_time, 1)
  })

  it('updates the last change of the other bug, and adds the reporter of the duplicate to its CC list', async () => {
    const id = await fileBug(world.rhea)
    const target = await file()
    await world.db.query((q) =>
      q.updateTable('bugs').set({ changed_at: '2001-01-01T00:00:00Z' }).where('id', '=', target),
    )
    await changeBug(world.edna, id, { dupe_of: target })
    const other = await readBug(world.edna, target)
    assert.deepEqual(other.cc, [cast.rhea.login])
    assert.notEqual(other.last_change_time, '2001-01-01T00:00:00Z')
    assert.deepEqual(await historyOf(world.edna, target), [`edna: cc  → ${cast.rhea.login}`])
    const events = await world.db.query((q) =>
      q.selectFrom('outbox').select('kind').where('bug_id', '=', target).orderBy('id'),
    )
    assert.equal(events.length, 2)
  })

  it('does not add a reporter who also reported the other bug or is already on its CC list', async () => {
    const [id, own, copied] = [
      await fileBug(world.rhea),
      await fileBug(world.rhea),
      await file({ cc: [cast.rhea.login] }),
    ]
    await changeBug(world.edna, id, { dupe_of: own })
    await changeBug(world.edna, id, { dupe_of: copied })
    assert.deepEqual((await readBug(world.edna, own)).cc, [])
    assert.deepEqual(await historyOf(world.edna, copied), [])
  })

  it('of a bug that its reporter cannot see changes no CC list, and does not reveal its number', async () => {
    const id = await fileBug(world.rhea)
    const target = await hide()
    assertRefused(await world.rhea.put(`/rest/bug/${id}`, { dupe_of: target }), 401, 102)
    await changeBug(world.sven, id, { dupe_of: target })
    assert.deepEqual((await readBug(world.sven, target)).cc, [])
    const bug = await readBug(world.rhea, id)
    assert.deepEqual([bug.resolution, bug.dupe_of], ['DUPLICATE', null])
    const [, mark] = await readComments(world.rhea, id)
    assert.ok(!mark.text.includes(String(target)), mark.text)
    const changes = await changeBug(world.rhea, id, { status: 'CONFIRMED' }).catch(() => undefined)
    assert.equal(changes?.dupe_of, undefined)
    await changeBug(world.sven, id, { dupe_of: target })
    const visible = await file()
    assert.deepEqual((await changeBug(world.edna, id, { dupe_of: visible })).dupe_of, {
      removed: '',
      added: String(visible),
    })
  })

  it('of a bug that the editor cannot see keeps its target, whatever else changes', async () => {
    const [id, target, other] = [await file(), await hide(), await hide()]
    await changeBug(world.sven, id, { dupe_of: target })
    assert.deepEqual(await changeBug(world.edna, id, { dupe_of: target }), {})
    assertRefused(await world.edna.put(`/rest/bug/${id}`, { dupe_of: other }), 401, 102)
    assert.deepEqual(Object.keys(await changeBug(world.edna, id, { status: 'VERIFIED' })), ['status'])
    assert.equal((await readBug(world.sven, id)).dupe_of, target)
    assert.deepEqual(Object.keys(await changeBug(world.edna, id, { resolution: 'INVALID' })), ['resolution'])
    await changeBug(world.sven, id, { dupe_of: target })
    assert.deepEqual((await changeBug(world.sven, id, { resolution: 'INVALID' })).dupe_of, {
      removed: String(target),
      added: '',
    })
  })

  it('is found by alias', async () => {
    const alias = world.unique('target')
    const [id, target] = [await file(), await file({ alias })]
    assert.equal((await changeBug(world.edna, id, { dupe_of: alias })).dupe_of?.added, String(target))
  })

  it('of another bug than before only changes that', async () => {
    const [id, one, two] = [await file(), await file(), await file()]
    await changeBug(world.edna, id, { dupe_of: one })
    assert.deepEqual(await changeBug(world.edna, id, { dupe_of: one }), {})
    assert.equal((await readComments(world.edna, one)).length, 2)
    assert.deepEqual(await changeBug(world.edna, id, { dupe_of: two }), {
      dupe_of: { removed: String(one), added: String(two) },
    })
    assert.equal((await readComments(world.edna, id)).length, 3)
    assert.deepEqual((await readBug(world.edna, two, '?include_fields=duplicates')).duplicates, [id])
  })

  it('is one no more when it is opened, or gets another resolution', async () => {
    const [id, target] = [await file(), await file()]
    for (const change of [{ status: 'CONFIRMED' }, { resolution: 'INVALID' }]) {
      await changeBug(world.edna, id, { dupe_of: target })
      const changes = await changeBug(world.edna, id, change)
      assert.deepEqual(changes.dupe_of, { removed: String(target), added: '' })
      assert.equal((await readBug(world.edna, id)).dupe_of, null)
    }
    assert.equal((await readComments(world.edna, target)).length, 3)
  })

  it('that was VERIFIED goes back to RESOLVED, unless status, resolution and target come together', async () => {
    const [one, two, target] = [await file(), await file(), await file()]
    for (const id of [one, two]) {
      await changeBug(world.edna, id, { status: 'RESOLVED', resolution: 'FIXED' })
      await changeBug(world.edna, id, { status: 'VERIFIED' })
    }
    await changeBug(world.edna, one, { dupe_of: target })
    await changeBug(world.edna, two, { dupe_of: target, status: 'VERIFIED', resolution: 'DUPLICATE' })
    assert.equal((await readBug(world.edna, one)).status, 'RESOLVED')
    const bug = await readBug(world.edna, two)
    assert.deepEqual([bug.status, bug.resolution, bug.dupe_of], ['VERIFIED', 'DUPLICATE', target])
    await changeBug(world.edna, one, { status: 'VERIFIED' })
    assert.equal((await readBug(world.edna, one)).dupe_of, target)
  })

  it('keeps another status with resolution DUPLICATE where one is closed with both', async () => {
    const [id, target] = [await file(), await file()]
    await changeBug(world.edna, id, { status: 'RESOLVED', resolution: 'DUPLICATE', dupe_of: target })
    assert.equal((await readBug(world.edna, id)).dupe_of, target)
    assert.deepEqual(await changeBug(world.edna, id, { resolution: 'DUPLICATE' }), {})
  })

  it('wins over an open status or another resolution in the same change', async () => {
    const [one, two, three, target] = [await file(), await file(), await file(), await file()]
    await changeBug(world.edna, one, { dupe_of: target, status: 'IN_PROGRESS' })
    await changeBug(world.edna, two, { dupe_of: target, resolution: 'FIXED', status: 'RESOLVED' })
    await changeBug(world.edna, three, { dupe_of: ` ${target} `, resolution: 'DUPLICATE' })
    for (const id of [one, two, three]) {
      const bug = await readBug(world.edna, id)
      assert.deepEqual([bug.status, bug.resolution, bug.dupe_of], ['RESOLVED', 'DUPLICATE', target])
    }
  })

  it('needs no more work', async () => {
    const [id, target] = [await file({ estimated_time: 5 }), await file()]
    assert.deepEqual((await changeBug(world.edna, id, { dupe_of: target })).remaining_time, {
      removed: '5.00',
      added: '0',
    })
  })

  it('is never one of itself, nor through others', async () => {
    const [one, two, three] = [await file(), await file(), await file()]
    assertRefused(await world.edna.put(`/rest/bug/${one}`, { dupe_of: one }), 400, 118)
    await changeBug(world.edna, one, { dupe_of: two })
    await changeBug(world.edna, two, { dupe_of: three })
    assertRefused(await world.edna.put(`/rest/bug/${three}`, { dupe_of: one }), 400, 118)
    assert.equal((await readBug(world.edna, three)).status, 'CONFIRMED')
  })

  it('is marked one at a time', async () => {
    const [one, two, target] = [await file(), await file(), await file()]
    assertRefused(await world.edna.put(`/rest/bug/${one}`, { ids: [two], dupe_of: target }), 400, 32_000)
  })

  it('is marked by those who take part in the bug', async () => {
    const target = await file()
    assertRefused(await world.stan.put(`/rest/bug/${await file()}`, { dupe_of: target }), 401, 115)
    await changeBug(world.rhea, await fileBug(world.rhea), { dupe_of: target })
  })

  it('needs a comment with commentonduplicate', async () => {
    const [id, target] = [await file(), await file()]
    await world.withParameters({ commentonduplicate: 1 }, async () => {
      assertRefused(await world.edna.put(`/rest/bug/${id}`, { dupe_of: target }), 400, 32_000)
      await changeBug(world.edna, id, { dupe_of: target, comment: { body: 'Seen before' } })
    })
  })

  it('gets the status that the parameter names', async () => {
    const [id, target] = [await file(), await file()]
    await world.withParameters({ duplicate_or_move_bug_status: 'VERIFIED' }, async () => {
      await changeBug(world.edna, id, { dupe_of: target })
      assert.equal((await readBug(world.edna, id)).status, 'VERIFIED')
    })
  })
})
