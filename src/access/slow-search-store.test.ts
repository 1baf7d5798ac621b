import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeOnSqlite } from '../../test/support/world.ts'
import { secondsAgo } from '../platform/time/clock.ts'
import { listSlowSearches, storeSlowSearches } from './slow-search-store.ts'
import { SlowSearches } from './slow-searches.ts'

describeOnSqlite('slow searches', (world) => {
  const PLACE = { userId: null, path: '/rest/bug' }
  const search = (query: string, minutesAgo: number, milliseconds = 2000) => ({
    ...{ query, milliseconds, at: secondsAgo(minutesAgo * 60), user_id: PLACE.userId, path: PLACE.path },
  })
  const forget = () => world.db.query((q) => q.deleteFrom('slow_searches'))

  it('are listed with the slowest and the last time of each', async () => {
    const searches = [search('a', 9, 3000), search('a', 8, 4000), search('a', 7, 1000)]
    await storeSlowSearches(world.db, searches)
    const listed = await listSlowSearches(world.db)
    assert.deepEqual(
      listed.map(({ times, milliseconds, last_at }) => [times, milliseconds, last_at]),
      [[3, 4000, searches[2]?.at]],
    )
    await forget()
  })

  it('wait in memory up to a number, each without the end of a long query', async () => {
    const searches = new SlowSearches(world.db)
    const queries = Array.from({ length: 150 }, (_, count) => `q${count}-`.padEnd(2001, 'x'))
    for (const query of queries) searches.note({ ...PLACE, query, milliseconds: 2000 })
    await searches.write()
    const stored = await world.db.query((q) => q.selectFrom('slow_searches').select('query').orderBy('id'))
    assert.deepEqual(
      stored.map(({ query }) => query),
      queries.slice(0, 100).map((query) => query.slice(0, 2000)),
    )
    searches.note({ ...PLACE, query: 'later', milliseconds: 2000 })
    await searches.write()
    assert.equal((await listSlowSearches(world.db)).filter(({ query }) => query === 'later').length, 1)
    await forget()
  })

  it('are not stored if a user has left since the first of them', async () => {
    const left = { class: 'User', field: 'anonymised', object_id: 2, user_id: null, removed: '', added: '1' }
    await world.db.query((q) => q.insertInto('audit_log').values({ ...left, at: secondsAgo(5 * 60) }))
    await storeSlowSearches(world.db, [search('names the user', 7), search('b', 1)])
    assert.deepEqual(await listSlowSearches(world.db), [])
    await storeSlowSearches(world.db, [search('c', 3), search('d', 1)])
    assert.equal((await listSlowSearches(world.db)).length, 2)
  })
})
