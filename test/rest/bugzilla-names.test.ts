import assert from 'node:assert/strict'
import { it } from 'node:test'
import { changeBug } from '../support/change-bug.ts'
import { readComments } from '../support/discussion.ts'
import { fileBug, newBug, readBug } from '../support/file-bug.ts'
import { newMember, setControl } from '../support/new-member.ts'
import { newProduct } from '../support/new-product.ts'
import { describeOnOneEngine, itOnce } from '../support/world.ts'

describeOnOneEngine("Bugzilla's own names of fields", (world) => {
  const TEXTS = {
    short_desc: ['summary', 'Under another name'],
    status_whiteboard: ['whiteboard', '[seen]'],
    bug_severity: ['severity', 'major'],
    bug_status: ['status', 'IN_PROGRESS'],
    rep_platform: ['platform', 'PC'],
    bug_file_loc: ['url', 'http://example.com/'],
    cclist_accessible: ['is_cc_accessible', false],
    reporter_accessible: ['is_creator_accessible', false],
  } as const

  for (const [name, [apiName, value]] of Object.entries(TEXTS))
    itOnce(world, `are understood in POST and PUT: ${name}`, async () => {
      const { summary: _, ...rest } = newBug()
      const wanted = { ...rest, ...(name !== 'short_desc' && { summary: 'Something' }), [name]: value }
      const { status, body, text } = await world.edna.post('/rest/bug', wanted)
      assert.equal(status, 200, text)
      assert.equal((await readBug(world.edna, body.id))[apiName], value)
      const id = await fileBug(world.edna)
      const reply = await world.edna.put(`/rest/bug/${id}`, { [name]: value })
      assert.equal(reply.body.ignored, undefined, reply.text)
      assert.ok(Object.keys(reply.body.bugs[0].changes).includes(apiName))
      assert.equal((await readBug(world.edna, id))[apiName], value)
    })

  it('are understood where they name other bugs', async () => {
    const [one, two, first] = [await fileBug(world.edna), await fileBug(world.edna), await fileBug(world.edna)]
    const filed = await fileBug(world.edna, { dependson: [one], blocked: [two] })
    assert.deepEqual((await readBug(world.edna, filed)).depends_on, [one])
    assert.deepEqual((await readBug(world.edna, filed)).blocks, [two])
    await changeBug(world.edna, first, { dependson: { add: [one] }, blocked: { set: [two] } })
    assert.deepEqual((await readBug(world.edna, first)).depends_on, [one])
    assert.deepEqual((await readBug(world.edna, first)).blocks, [two])
    await changeBug(world.edna, two, { dup_id: one })
    assert.equal((await readBug(world.edna, two)).dupe_of, one)
  })

  it('are understood for groups', async () => {
    const product = await newProduct(world)
    await setControl(world, product.name, 'security', { membercontrol: 'Shown' })
    const member = await newMember(world, 'security', 'editbugs')
    const more = { product: product.name, component: 'Core' }
    const id = await fileBug(member.client, { ...more, bug_group: ['security'] })
    assert.deepEqual((await readBug(member.client, id)).groups, ['security'])
    const other = await fileBug(member.client, more)
    await changeBug(member.client, other, { bug_group: { add: ['security'] } })
    assert.deepEqual((await readBug(member.client, other)).groups, ['security'])
  })

  it('are understood for the description and for a comment', async () => {
    const id = await fileBug(world.edna, { longdesc: 'What is wrong' })
    await changeBug(world.edna, id, { longdesc: 'More of it' })
    assert.deepEqual(
      (await readComments(world.edna, id)).map(({ text }) => text),
      ['What is wrong', 'More of it'],
    )
  })

  it('lose against the names of the REST API', async () => {
    const both = { short_desc: 'no', whiteboard: 'yes', status_whiteboard: 'no', longdesc: 'no', description: 'yes' }
    const id = await fileBug(world.edna, { ...both, summary: 'yes' })
    assert.equal((await readBug(world.edna, id)).summary, 'yes')
    assert.equal((await readBug(world.edna, id)).whiteboard, 'yes')
    assert.equal((await readComments(world.edna, id))[0].text, 'yes')
    await changeBug(world.edna, id, { short_desc: 'no', summary: 'still', longdesc: 'no', comment: { body: 'still' } })
    assert.equal((await readBug(world.edna, id)).summary, 'still')
    assert.equal((await readComments(world.edna, id))[1].text, 'still')
  })

  it('stand in the error when the value is of a wrong kind', async () => {
    const id = await fileBug(world.edna)
    const { status, body } = await world.edna.put(`/rest/bug/${id}`, { status_whiteboard: { a: 1 } })
    assert.deepEqual([status, body.code], [400, 53])
    assert.match(body.message, /status_whiteboard/)
  })

  it('are not reported as ignored, others are', async () => {
    const id = await fileBug(world.edna)
    const { body } = await world.edna.put(`/rest/bug/${id}`, { bug_severity: 'major', bug_sevrity: 'major' })
    assert.deepEqual(body.ignored, ['bug_sevrity'])
  })
})
