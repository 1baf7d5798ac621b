import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sure } from '../support/sure.ts'
import { describeOnOneEngine, type World } from '../support/world.ts'

const LACEWING_BASE_URL = 'https://bugs.example.com/tracker'

describeOnOneEngine(
  'the parameter urlbase',
  (world) => {
    it('is the address of the server while it is not set', async () => {
      assert.equal(await urlbaseIn(world), `${LACEWING_BASE_URL}/`)
    })

    it('is what an administrator has set', async () => {
      await world.withParameters({ urlbase: 'https://elsewhere.example.com/' }, async () =>
        assert.equal(await urlbaseIn(world), 'https://elsewhere.example.com/'),
      )
      assert.equal(await urlbaseIn(world), `${LACEWING_BASE_URL}/`)
    })
  },
  { LACEWING_BASE_URL },
)

async function urlbaseIn(world: World): Promise<string> {
  return sure((await world.stan.get('/rest/parameters?include_fields=urlbase')).body.parameters.urlbase)
}
