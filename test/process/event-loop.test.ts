import { after, before, describe, it } from 'node:test'
import { cast } from '../support/cast.ts'
import {
  type HostileRequest,
  hostileAnswers,
  hostileBodies,
  hostileLists,
  hostilePatterns,
  hostileQueries,
} from '../support/hostile-requests.ts'
import { isEveryCombination, itInSoak } from '../support/sample.ts'
import { stopAll } from '../support/server-process.ts'
import { NO_BUGS, WatchedServer } from '../support/watched-server.ts'
import { largestSearches, nextWorstInputs, worstInputs } from '../support/worst-inputs.ts'

/** Bodies are parsed before the database is used, and PostgreSQL matches patterns in its own processes. It also searches there. */
const KINDS = {
  sqlite: [hostileBodies, hostilePatterns, hostileLists, hostileQueries, hostileAnswers],
  postgres: [hostileLists, hostileQueries, hostileAnswers],
}
const SIZES = { bugs: 3000, comments: 30_000, changes: 20_000 }

/** PostgreSQL does most of this work in its own processes. */
const ENGINES = isEveryCombination ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const)

for (const engine of ENGINES)
  describe(`a hostile request (${engine})`, () => {
    const server = new WatchedServer(engine, SIZES)
    before(() => server.start())
    after(() => stopAll())

    for (const list of KINDS[engine])
      for (const [place, { title }] of list(NO_BUGS).entries())
        itInSoak(`delays no other request: ${title}`, () =>
          server.requireShortTurns(() => list(server.bugs)[place] as HostileRequest),
        )

    for (const [place, { title }] of worstInputs(NO_BUGS).entries())
      (place % 2 === 0 ? it : itInSoak)(`delays no other request, twenty at once: ${title}`, () =>
        server.requireTurnsForMany(() => worstInputs(server.bugs)[place] as HostileRequest),
      )

    for (const [place, { title }] of nextWorstInputs(NO_BUGS).entries())
      itInSoak(`delays no other request, twenty at once: ${title}`, () =>
        server.requireTurnsForMany(() => nextWorstInputs(server.bugs)[place] as HostileRequest),
      )

    for (const search of largestSearches())
      itInSoak(`delays no other request, twenty at once: ${search.title}`, () =>
        server.requireTurnsForMany(() => search),
      )

    it('does not block others: the deletion of a bug with very many comments and changes', async () => {
      const headers = { 'X-TRACKER-API-KEY': cast.ada.apiKey }
      const body = '{"allowbugdeletion":true}'
      await server.send({ title: '', method: 'PUT', path: '/parameters', body, headers })
      let bug = server.bugs.first + 1000
      await server.requireShortTurns(async () => {
        await server.fillBug(++bug)
        return { title: 'a deletion', method: 'DELETE', path: `/bug/${bug}?reason=Mistake`, headers }
      })
    })
  })
