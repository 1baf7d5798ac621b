import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeOnSqlite } from '../support/world.ts'

const bug = { product: 'TestProduct', component: 'TestComponent', summary: 'x', version: 'unspecified' }
const LONGEST = 'x'.repeat(65_535)

describeOnSqlite('a text', (world) => {
  for (const name of ['url', 'whiteboard', 'cf_report'])
    it(`has at most 65,535 characters: ${name}`, async () => {
      if (name === 'cf_report') {
        const field = { name, display_name: 'Report', type: 'large text', is_on_bug_entry: true }
        const made = await world.ada.post('/rest/field/bug', field)
        assert.equal(made.status, 201, made.text)
      }
      const filed = await world.edna.post('/rest/bug', { ...bug, [name]: LONGEST })
      assert.equal(filed.status, 200, filed.text)
      const { id } = filed.body
      for (const refused of [
        await world.edna.post('/rest/bug', { ...bug, [name]: `${LONGEST}x` }),
        await world.edna.put(`/rest/bug/${id}`, { [name]: `${LONGEST}x` }),
      ])
        assert.deepEqual([refused.status, refused.body.code], [400, 104], refused.text)
    })

  it('has less than a megabyte wherever it stands, unless it is a file', async () => {
    const long = 'x'.repeat(1024 * 1024)
    const { id } = (await world.edna.post('/rest/bug', bug)).body
    for (const body of [
      { ...bug, description: long },
      { ...bug, cc: [long] },
      { ...bug, [long]: 1 },
    ]) {
      const refused = await world.edna.post('/rest/bug', body)
      assert.deepEqual([refused.status, refused.body.code], [400, 32000], refused.text)
      assert.match(refused.body.message, /longer than 1048576 bytes/)
    }
    const file = { file_name: 'x', summary: 'x', content_type: 'text/plain', data: 'eHh4'.repeat(300_000) }
    assert.equal((await world.edna.post(`/rest/bug/${id}/attachment`, file)).status, 201)
    const refused = await world.edna.post(`/rest/bug/${id}/attachment`, { ...file, data: 'eA==', file_name: long })
    assert.deepEqual([refused.status, refused.body.code], [400, 32000], refused.text)
  })

  it('that is written to many bugs is limited in all of them together', async () => {
    const ids: number[] = []
    for (let count = 0; count < 31; count++) ids.push((await world.edna.post('/rest/bug', bug)).body.id)
    for (const change of [{ comment: { body: LONGEST } }, { longdesc: LONGEST }, { whiteboard: LONGEST }]) {
      const refused = await world.edna.put('/rest/bug/update', { ids, ...change })
      assert.deepEqual([refused.status, refused.body.code], [400, 53], refused.text)
      assert.match(refused.body.message, /the characters of its texts must be at most 2000000/)
    }
    const allowed = await world.edna.put('/rest/bug/update', { ids: ids.slice(1), comment: { body: LONGEST } })
    assert.equal(allowed.status, 200, allowed.text)
    const file = { file_name: 'x', summary: 'x', content_type: 'text/plain', data: 'eHh4'.repeat(150_000) }
    const attached = await world.edna.post(`/rest/bug/${ids[0]}/attachment`, { ids: ids.slice(1, 24), ...file })
    assert.deepEqual([attached.status, attached.body.code], [400, 53], attached.text)
    assert.match(attached.body.message, /the characters of its texts must be at most 10000000/)
  })

  it('of words holds no more words than a list may have items', async () => {
    const many = 'a@lacewing.test,'.repeat(201)
    const type = { name: 'words', description: 'x', target_type: 'bug', inclusions: [], cc_list: many }
    const refused = await world.ada.post('/rest/flag_type', type)
    assert.deepEqual([refused.status, refused.body.code], [400, 1103], refused.text)
    const body = { ids: [1], include_fields: 'a,'.repeat(16_001) }
    const visit = await world.edna.post('/rest/bug_user_last_visit', body)
    assert.deepEqual([visit.status, visit.body.code], [400, 53], visit.text)
  })
})
