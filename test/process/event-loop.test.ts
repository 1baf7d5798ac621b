import assert from 'node:assert/strict'
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

/** No request may keep a simple one waiting longer. */
const LONGEST_TURN_MILLISECONDS = 100
/** What else the machine does can only make a turn longer, never shorter. */
const MOST_TRIES = 4
const SIZES = { bugs: 3000, comments: 30_000, changes: 20_000 }

for (const engine of ['sqlite', 'postgres'] as const)
  describe(`a hostile request (${engine})`, () => {
    const server = new WatchedServer(engine, SIZES)
    before(() => server.start())
    after(() => stopAll())

    for (const list of [hostileBodies, hostileLists, hostileQueries, hostileAnswers])
      for (const [place, { title }] of list(NO_BUGS).entries())
        it(`delays nobody: ${title}`, async () => {
          const turns: number[] = []
          do {
            const status = await server.send(list(server.bugs)[place] as HostileRequest)
            assert.ok(status < 500, `it answers ${status}`)
            turns.push(await server.longestTurn())
          } while (Math.min(...turns) > LONGEST_TURN_MILLISECONDS && turns.length < MOST_TRIES)
          assert.ok(Math.min(...turns) <= LONGEST_TURN_MILLISECONDS, `nobody else was served for ${turns} ms`)
        })
  })
