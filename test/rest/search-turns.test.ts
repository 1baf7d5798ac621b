import assert from 'node:assert/strict'
import { after, afterEach, before, it } from 'node:test'
import type { BodyAt } from '../support/body-types.ts'
import { cast, type Name } from '../support/cast.ts'
import { itOnPostgres } from '../support/sample.ts'
import { SlowSearches } from '../support/slow-searches.ts'
import { type Client, describeOnEachEngine, type Reply } from '../support/world.ts'

// Nothing here measures time: a slow search lasts until its client leaves, and every wait has a limit.
describeOnEachEngine('a search that takes long', (world) => {
  const slow = new SlowSearches(world)
  const people: readonly Name[] = ['ada', 'rhea', 'edna', 'sven', 'stan', 'uma']

  before(() => slow.prepare())
  afterEach(() => slow.leaveAll())
  after(() => slow.close())

  const shortSearch = (client = world.nobody) => client.get('/rest/bug?include_fields=id&short_desc=slow&order=bug_id')
  const assertFound = ({ status, body, text }: Reply<BodyAt<'GET', '/rest/bug'>>) => {
    assert.equal(status, 200, text)
    assert.deepEqual(
      body.bugs,
      slow.bugs.map((id) => ({ id })),
    )
  }

  const assertNotHeldUp = (clients: Client[]) =>
    Promise.all(clients.map(async (client) => assertFound(await shortSearch(client))))

  it('holds up no short search, and ends and is logged when its client leaves', async () => {
    await slow.start(6)
    await assertNotHeldUp([world.nobody, ...people.map((name) => world.clientOf(name))])
    await slow.leaveAll()
    const [ended] = world.logged.filter(({ status }) => status === 499)
    assert.deepEqual([ended?.method, ended?.path, ended?.level], ['GET', '/rest/bug', 'info'])
    // The next ones have their turns, and hold up no short search either when each caller has one.
    await slow.startEach(people.map((name) => cast[name].apiKey))
    await assertNotHeldUp([world.nobody, world.ada])
  })

  // The queue is the same on both engines, and on SQLite the searches take processor time as long as they run.
  itOnPostgres(
    world,
    'makes the server refuse further searches of its caller for the moment, and of no other user',
    async () => {
      await slow.start(100, cast.rhea.apiKey)
      const refused = await shortSearch(world.rhea)
      assert.deepEqual([refused.status, refused.body.code], [503, 32000], refused.text)
      assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
      assertFound(await shortSearch(world.stan))
      assert.equal((await world.rhea.get(`/rest/bug/${slow.bugs[0]}?include_fields=summary`)).status, 200)
      await slow.leaveAll()
      assertFound(await shortSearch(world.rhea))
    },
  )
})
