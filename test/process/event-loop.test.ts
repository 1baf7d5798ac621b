import { after, before, describe, it } from 'node:test'
import {
  type HostileRequest,
  hostileAnswers,
  hostileBodies,
  hostileLists,
  hostileQueries,
} from '../support/hostile-requests.ts'
import { stopAll } from '../support/server-process.ts'
import { NO_BUGS, WatchedServer } from '../support/watched-server.ts'

const SIZES = { bugs: 3000, comments: 30_000, changes: 20_000 }

for (const engine of ['sqlite', 'postgres'] as const)
  describe(`a hostile request (${engine})`, () => {
    const server = new WatchedServer(engine, SIZES)
    before(() => server.start())
    after(() => stopAll())

    for (const list of [hostileBodies, hostileLists, hostileQueries, hostileAnswers])
      for (const [place, { title }] of list(NO_BUGS).entries())
        it(`delays nobody: ${title}`, () => server.requireShortTurns(() => list(server.bugs)[place] as HostileRequest))
  })
