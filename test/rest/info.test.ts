import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeOnEachEngine } from '../support/world.ts'

describeOnEachEngine('GET /rest/version', (world) => {
  it('answers the release to anybody', async () => {
    const { status, body, headers } = await world.nobody.get('/rest/version')
    assert.equal(status, 200)
    assert.match(body.version, /^[6-9]\.\d+\.\d+\+?$/)
    assert.equal(headers.get('vary'), 'Accept')
  })
})
