import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newFile } from '../support/attach.ts'
import { cast } from '../support/cast.ts'
import { changeBug } from '../support/change-bug.ts'
import { countQueries } from '../support/count-queries.ts'
import { fileBug, newBug } from '../support/file-bug.ts'
import { newMember } from '../support/new-member.ts'
import { newHiddenProduct } from '../support/new-product.ts'
import { inOneWorld } from '../support/one-world.ts'
import {
  accept,
  accepted,
  listed,
  newKey,
  newProposer,
  type Proposal,
  proposeChange,
  proposedBy,
  proposeNew,
  rowsOf,
} from '../support/proposals.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, itOnce, itOnOneEngine } from '../support/world.ts'

const describeTogether = inOneWorld()

describeTogether('A proposal shows nothing that its reader may not see', (world) => {
  /** Everything that a user can try with a proposal is answered as if there were none. */
  async function assertUnknown(who: Client, { id, digest }: Proposal, of: string) {
    assertRefused(await who.get(`/rest/proposal/${id}`), 404, 51)
    assertRefused(await who.get(`/rest/proposal/${id}/content`), 404, 51)
    assertRefused(await who.delete(`/rest/proposal/${id}`), 404, 51)
    const missing = { id: 2_000_000, digest }
    for (const call of ['accept', 'decline'] as const) {
      const send = (number: number) => who.post(`/rest/proposal/${number}/${call}`, call === 'accept' ? { digest } : {})
      const [hidden, none] = [await send(id), await send(missing.id)]
      assertRefused(hidden, 404, 51)
      const named = (number: number) => new RegExp(`[“"]${number}[”"]`, 'g')
      assert.equal(hidden.text.replaceAll(named(id), 'n'), none.text.replaceAll(named(missing.id), 'n'))
    }
    const { body } = await who.post('/rest/proposal/decide', {
      decision: 'accept',
      proposals: [{ id, digest }, missing],
    })
    assert.deepEqual(
      body.refused.map(({ reason }) => reason),
      ['no_such_object', 'no_such_object'],
    )
    for (const query of ['', `&user=${of}`, '&kind=change', '&for_me=1'])
      assert.ok(!(await listed(who, `status=all&limit=50${query}`)).includes(id), query)
  }

  it('of a hidden bug', async () => {
    const { name: product } = await newHiddenProduct(world)
    const { robot, login } = await newProposer(world, 'editbugs', 'security')
    const bug = await fileBug(world.sven, { product, component: 'Core', version: '1.0', summary: 'Secret' })
    const proposals = [
      await proposeChange(robot, bug, { priority: 'High' }),
      await proposeNew(robot, `/rest/bug/${bug}/comment`, { comment: 'Secret' }),
      await proposeNew(robot, '/rest/bug', { product, component: 'Core', version: '1.0', summary: 'Secret' }),
    ]
    for (const proposal of proposals) await assertUnknown(world.edna, proposal, login)
    assertRefused(await world.edna.get(`/rest/bug/${bug}/proposal`), 401, 102)
    assert.deepEqual(await listed(world.edna, `product=${product}&status=all`), [])
    assert.equal((await listed(world.sven, `product=${product}`)).length, 3)
    for (const proposal of proposals) await accepted(world.sven, proposal)
    for (const path of ['/rest/proposal', `/rest/bug/${bug}/proposal`, `/rest/proposal/${proposals[0]?.id}`] as const)
      assertRefused(await world.nobody.get(path), 401, 410)
  })

  itOnOneEngine(
    world,
    'of a new bug that only a group would see, or with a group that is mandatory since',
    async () => {
      const group = await world.newGroup()
      const controls = { membercontrol: 'Shown', othercontrol: 'Shown' }
      await world.ada.put(`/rest/product/TestProduct/group_control/${group.name}`, controls)
      const { robot, client, login } = await newProposer(world, group.name)
      const insider = await newMember(world, group.name, 'editbugs')
      const proposal = await proposeNew(robot, '/rest/bug', newBug({ groups: [group.name] }))
      await assertUnknown(world.edna, proposal, login)
      await assertUnknown(world.sven, proposal, login)
      assert.equal((await client.get(`/rest/proposal/${proposal.id}`)).status, 200)
      await world.withParameters({ or_groups: 1 }, () => assertUnknown(world.edna, proposal, login))
      await accepted(insider.client, proposal)
      const { name: product } = await newHiddenProduct(world)
      const open = { entry: false, membercontrol: 'NA', othercontrol: 'NA' }
      const set = (to: object) => world.ada.put(`/rest/product/${product}/group_control/security`, to)
      await set(open)
      const early = await proposeNew(robot, '/rest/bug', {
        product,
        component: 'Core',
        version: '1.0',
        summary: 'Early',
      })
      assert.equal((await world.edna.get(`/rest/proposal/${early.id}`)).status, 200)
      await set({ entry: true, membercontrol: 'Mandatory', othercontrol: 'Mandatory' })
      await assertUnknown(world.edna, early, login)
    },
  )

  itOnOneEngine(world, 'of what is private: a comment, a file, the privacy of either', async () => {
    await world.withParameters({ insidergroup: 'security' }, async () => {
      const { robot, login } = await newProposer(world, 'editbugs', 'security')
      const bug = await fileBug(world.edna)
      const { body } = await world.sven.post(`/rest/bug/${bug}/attachment`, newFile({ is_private: true }))
      const file = body.ids[0]
      const comments = (await world.sven.get(`/rest/bug/${bug}/comment`)).body.bugs[`${bug}`]?.comments
      const hidden = [
        await proposeNew(robot, `/rest/bug/${bug}/comment`, { comment: 'Psst', is_private: true }),
        await proposeNew(robot, `/rest/bug/${bug}/attachment`, newFile({ is_private: true })),
        proposedBy(await robot.put(`/rest/bug/attachment/${file}`, { summary: 'Psst' }))[0] as Proposal,
        await proposeChange(robot, bug, { comment_is_private: { [String(comments?.[0]?.id)]: true } }),
        await proposeNew(robot, '/rest/bug', newBug({ description: 'Psst', comment_is_private: true })),
      ]
      for (const proposal of hidden) await assertUnknown(world.edna, proposal, login)
      const both = await proposeChange(robot, bug, { priority: 'High', comment: { body: 'Psst', is_private: true } })
      const seen = (await world.edna.get(`/rest/proposal/${both.id}`)).body.proposal
      assert.deepEqual(rowsOf(seen), [['priority', 'priority: --- → High']])
      assert.notEqual(seen.digest, both.digest)
      assertRefused(await accept(world.edna, both), 412, 32000)
      assertRefused(await accept(world.edna, seen, { rows: ['comment'] }), 400, 53)
      const done = await accepted(world.edna, seen)
      // The row that is left does not show either.
      assert.deepEqual(
        [done.proposal.status, done.proposal.can_accept, done.proposal.can_decline],
        ['accepted', false, false],
      )
      const left = (await world.sven.get(`/rest/proposal/${both.id}`)).body.proposal
      assert.equal(left.status, 'open')
      await accepted(world.sven, left, { rows: ['comment'] })
    })
  })

  itOnOneEngine(world, 'of what is hidden after it was accepted: the new bug, a text, a file', async () => {
    await world.withParameters({ insidergroup: 'security' }, async () => {
      const controls = { membercontrol: 'Shown', othercontrol: 'Shown' }
      await world.ada.put('/rest/product/TestProduct/group_control/security', controls)
      const { robot, login } = await newProposer(world, 'editbugs')
      const filed = await proposeNew(robot, '/rest/bug', newBug({ summary: 'Too much', description: 'Psst' }))
      const { bug_id: bug = 0 } = await accepted(world.sven, filed)
      assert.equal((await world.edna.get(`/rest/proposal/${filed.id}`)).body.proposal.bug_id, bug)
      const written = [
        filed,
        await proposeChange(robot, bug, { priority: 'High', comment: { body: 'Psst' } }),
        await proposeNew(robot, `/rest/bug/${bug}/comment`, { comment: 'Psst' }),
        await proposeNew(robot, `/rest/bug/${bug}/attachment`, newFile({ summary: 'A file', comment: 'Psst' })),
      ]
      for (const proposal of written) {
        if (proposal !== filed) await accepted(world.sven, proposal)
        // The bug has the text now, under its own rules.
        const { text, body } = await world.edna.get(`/rest/proposal/${proposal.id}`)
        assert.ok(!text.includes('Psst'), text)
        const line = body.proposal.rows.flatMap(({ changes }) => changes).find((it) => it.field_name === 'comment')
        assert.equal(typeof line?.comment_number, 'number')
      }
      const file = written[3] as Proposal
      const seen = (await world.edna.get(`/rest/proposal/${file.id}`)).body.proposal
      await world.sven.put(`/rest/bug/attachment/${seen.attachment_id}`, { is_private: true })
      await assertUnknown(world.edna, file, login)
      await changeBug(world.sven, bug, { groups: { add: ['security'] } })
      for (const proposal of written) await assertUnknown(world.edna, proposal, login)
    })
  })

  itOnOneEngine(world, 'of rows that they do not see: whether they are decided, when, by whom and why', async () => {
    await world.withParameters({ insidergroup: 'security' }, async () => {
      const { robot } = await newProposer(world, 'editbugs', 'security')
      const bug = await fileBug(world.edna)
      const propose = (whiteboard: string) =>
        proposeChange(robot, bug, { whiteboard, comment: { body: 'Psst', is_private: true } })
      const seenBy = async (who: Client, { id }: Proposal) => (await who.get(`/rest/proposal/${id}`)).body.proposal
      const first = await propose('declined')
      await world.edna.post(`/rest/proposal/${first.id}/decline`, { rows: ['whiteboard'] })
      const before = await seenBy(world.edna, first)
      assert.deepEqual([before.status, before.closed_by], ['declined', cast.edna.login])
      await accepted(world.sven, first, { rows: ['comment'] })
      assert.deepEqual(await seenBy(world.edna, first), before)
      assert.equal((await seenBy(world.sven, first)).status, 'accepted')
      const second = await propose('accepted')
      const listedAs = async (status: string) =>
        (await listed(world.edna, `status=${status}&limit=50`)).includes(second.id)
      await accepted(world.edna, await seenBy(world.edna, second))
      const taken = await seenBy(world.edna, second)
      assert.deepEqual([await listedAs('open'), await listedAs('accepted')], [false, true])
      await world.sven.post(`/rest/proposal/${second.id}/decline`, { rows: ['comment'], note: 'Psst' })
      assert.deepEqual(await seenBy(world.edna, second), taken)
      assert.equal((await seenBy(world.sven, second)).note, 'Psst')
      const third = await propose('withdrawn')
      await accepted(world.edna, await seenBy(world.edna, third))
      const alone = await seenBy(world.edna, third)
      await robot.delete(`/rest/proposal/${third.id}`)
      assert.deepEqual(await seenBy(world.edna, third), alone)
      assert.equal((await seenBy(world.sven, third)).status, 'withdrawn')
    })
  })

  it('of other bugs of the same call', async () => {
    const { name: product } = await newHiddenProduct(world)
    const { robot } = await newProposer(world, 'editbugs', 'security')
    const hidden = await fileBug(world.sven, { product, component: 'Core', version: '1.0' })
    const ids = [hidden, await fileBug(world.edna), await fileBug(world.edna)]
    const [first, second, third] = proposedBy(await robot.put(`/rest/bug/${hidden}`, { ids, priority: 'High' }))
    assert.deepEqual([first?.batch, third?.batch], [first?.id, first?.id])
    const { body } = await world.edna.get(`/rest/proposal/${second?.id}`)
    assert.equal(body.proposal.batch, undefined)
    assert.deepEqual(await listed(world.edna, `batch=${first?.id}`), [])
    assert.equal((await listed(world.sven, `batch=${first?.id}`)).length, 3)
  })

  it('of a bug, to a key that may not read', async () => {
    const user = await newProposer(world, 'editbugs')
    const { client } = await newKey(world, user, ['propose'])
    const bug = await fileBug(world.edna, { summary: 'Not for keys' })
    const reply = await client.put(`/rest/bug/${bug}`, { priority: 'High' })
    assert.ok(reply.status === 202 && !reply.text.includes('Not for keys'), reply.text)
  })

  it('of hours, also as a consequence', async () => {
    await world.withParameters({ timetrackinggroup: 'security' }, async () => {
      const { robot, login } = await newProposer(world, 'editbugs', 'security')
      const bug = await fileBug(world.edna)
      await changeBug(world.sven, bug, { estimated_time: 5, remaining_time: 5 })
      const hours = await proposeChange(robot, bug, { estimated_time: 8 })
      await assertUnknown(world.edna, hours, login)
      const worked = await proposeNew(robot, `/rest/bug/${bug}/comment`, { comment: 'Done', work_time: 3 })
      const seen = (await world.edna.get(`/rest/proposal/${worked.id}`)).body.proposal
      assert.deepEqual(rowsOf(seen), [['comment', 'comment:  → Done']])
      const closed = await proposeChange(robot, bug, { status: 'RESOLVED', resolution: 'FIXED' })
      assert.equal(rowsOf(closed)[0]?.length, 4)
      const shown = (await world.edna.get(`/rest/proposal/${closed.id}`)).body.proposal
      assert.deepEqual(rowsOf(shown), [['status', 'status: CONFIRMED → RESOLVED', 'resolution:  → FIXED']])
      // It happens all the same, as with every change of hers.
      await accepted(world.edna, shown)
      const { body } = await world.sven.get(`/rest/bug/${bug}?include_fields=remaining_time`)
      assert.equal(body.bugs[0].remaining_time, 0)
    })
  })

  itOnOneEngine(world, 'of bugs that a row names, also where a value has changed to one', async () => {
    const { name: product } = await newHiddenProduct(world)
    const secret = await fileBug(world.sven, { product, component: 'Core', version: '1.0', summary: 'Secret' })
    const { robot, login } = await newProposer(world, 'editbugs', 'security')
    const [bug, other] = [await fileBug(world.edna), await fileBug(world.edna)]
    for (const change of [
      { depends_on: { add: [secret] } },
      { blocks: { add: [other, secret] } },
      { dupe_of: secret },
      { see_also: { add: [`${world.url}/show_bug.cgi?id=${secret}`] } },
    ])
      await assertUnknown(world.edna, await proposeChange(robot, bug, change), login)
    const both = await proposeChange(robot, bug, { priority: 'High', depends_on: { add: [secret] } })
    const seen = (await world.edna.get(`/rest/proposal/${both.id}`)).body.proposal
    assert.deepEqual(rowsOf(seen), [['priority', 'priority: --- → High']])
    const list = await proposeChange(robot, bug, { depends_on: { add: [other] } })
    await changeBug(world.sven, bug, { depends_on: { add: [secret] } })
    assert.ok(!(await world.edna.get(`/rest/proposal/${list.id}`)).text.includes(String(secret)))
    await changeBug(world.sven, bug, { depends_on: { add: [other] } })
    const outdated = (await world.edna.get(`/rest/proposal/${list.id}`)).body.proposal
    assert.deepEqual([outdated.status, outdated.rows[0]?.changes[0]?.now], ['outdated', String(other)])
  })

  it('of a key: its name is for its owner and administrators, and so is a list of what it has proposed', async () => {
    const { robot, client, key } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const { id } = await proposeChange(robot, bug, { priority: 'High' })
    const sourceFor = async (who: Client) => (await who.get(`/rest/proposal/${id}`)).body.proposal.source
    assert.deepEqual(await sourceFor(world.edna), { kind: 'key' })
    for (const who of [client, world.ada])
      assert.deepEqual(await sourceFor(who), { kind: 'key', id: key.id, name: 'The robot' })
    for (const number of [key.id, 999_999])
      assertRefused(await world.edna.get(`/rest/proposal?key_id=${number}`), 404, 51)
    assert.deepEqual(await listed(world.ada, `key_id=${key.id}`), [id])
  })
})

describeTogether('Lists of proposals', (world) => {
  it('find those of a user, a kind, a product, a status, and for those who work on the bugs', async () => {
    const { robot, login, client } = await newProposer(world, 'editbugs')
    const assignee = await newMember(world, 'editbugs')
    const triager = await newMember(world, 'editbugs')
    const bug = await fileBug(world.edna, { assigned_to: assignee.login })
    const change = await proposeChange(robot, bug, { priority: 'High' })
    const filed = await proposeNew(robot, '/rest/bug', newBug())
    const own = `user=${login}`
    assert.deepEqual(await listed(world.edna, own), [filed.id, change.id])
    assert.deepEqual(await listed(world.edna, `${own}&kind=bug`), [filed.id])
    assert.deepEqual(await listed(world.edna, `${own}&product=testproduct`), [filed.id, change.id])
    assert.deepEqual(await listed(world.edna, `${own}&product=Nothing`), [])
    assert.deepEqual(await listed(assignee.client, 'for_me=1'), [change.id])
    assert.deepEqual(await listed(triager.client, 'for_me=1'), [])
    const triage = (triage_owner: string) =>
      world.ada.put('/rest/component/TestProduct/TestComponent', { triage_owner })
    assert.equal((await triage(triager.login)).status, 200)
    const forTriager = await listed(triager.client, `for_me=1&${own}`)
    await triage('')
    assert.deepEqual(forTriager, [filed.id, change.id])
    await accepted(world.edna, change)
    await client.delete(`/rest/proposal/${filed.id}`)
    assert.deepEqual(await listed(world.edna, own), [])
    assert.deepEqual(await listed(world.edna, `${own}&status=accepted`), [change.id])
    assert.deepEqual(await listed(world.edna, `${own}&status=withdrawn`), [filed.id])
    assert.deepEqual(await listed(world.edna, `${own}&status=all`), [filed.id, change.id])
    for (const wrong of ['status=outdated', 'status=x', 'kind=x', 'limit=0', 'limit=51', 'before=x'])
      assert.equal((await world.edna.get(`/rest/proposal?${wrong}`)).status, 400, wrong)
    assertRefused(await world.edna.get('/rest/proposal?user=nobody@at.all'), 404, 51)
  })

  it('come in pages', async () => {
    const { robot, login } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const ids: number[] = []
    for (const word of ['a', 'b', 'c']) ids.unshift((await proposeChange(robot, bug, { whiteboard: word })).id)
    const first = (await world.edna.get(`/rest/proposal?user=${login}&limit=2`)).body
    assert.deepEqual([first.proposals.map(({ id }) => id), first.total, first.next], [ids.slice(0, 2), 3, ids[1]])
    const rest = (await world.edna.get(`/rest/proposal?user=${login}&limit=2&before=${first.next}`)).body
    assert.deepEqual([rest.proposals.map(({ id }) => id), rest.total, rest.next], [ids.slice(2), 3, null])
    const whole = (await world.edna.get(`/rest/proposal?user=${login}&limit=4`)).body
    assert.deepEqual([whole.proposals.map(({ id }) => id), whole.total, whole.next], [ids, 3, null])
  })

  itOnce(world, 'cost the same number of queries for many as for one', async () => {
    const { robot, ...user } = await newProposer(world, 'editbugs')
    const other = await newKey(world, user, ['read', 'propose'])
    const bugs = [await fileBug(world.edna), await fileBug(world.edna), await fileBug(world.edna)]
    const { body } = await world.edna.post(`/rest/bug/${bugs[0]}/attachment`, newFile())
    const change = { priority: 'High', cc: { add: [cast.stan.login] }, comment: { body: 'x' } }
    await proposeChange(robot, bugs[0] as number, change)
    proposedBy(await robot.put(`/rest/bug/attachment/${body.ids[0]}`, { summary: 'x' }))
    await proposeNew(robot, '/rest/bug', newBug())
    for (const bug of bugs) await proposeChange(other.client, bug, change)
    proposedBy(await other.client.put(`/rest/bug/attachment/${body.ids[0]}`, { summary: 'x' }))
    await proposeNew(other.client, '/rest/bug', newBug())
    const read = (limit: number) =>
      countQueries(world, () => user.client.get(`/rest/proposal?user=${user.login}&limit=${limit}`))
    assert.equal(await read(8), await read(3))
  })
})
