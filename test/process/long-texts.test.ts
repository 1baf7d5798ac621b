import { after, before, describe, it } from 'node:test'
import type { Call } from '../../src/access/call.ts'
import { cast } from '../support/cast.ts'
import { addressOf, everyCall } from '../support/every-call.ts'
import type { HostileRequest } from '../support/hostile-requests.ts'
import { LONG_TEXT, VALID } from '../support/largest-inputs.ts'
import { sampled } from '../support/sample.ts'
import { stopAll } from '../support/server-process.ts'
import { WatchedServer } from '../support/watched-server.ts'

function requestWith(call: Call, ref: string, name: string): HostileRequest {
  const needed = Object.keys(call.params).filter((it) => call.params[it]?.isRequired)
  const body = { ...Object.fromEntries(needed.map((it) => [it, VALID[it] ?? 'x'])), [name]: LONG_TEXT }
  return {
    title: name,
    method: call.method as 'POST' | 'PUT',
    path: addressOf(call, ref).slice('/rest'.length),
    body: JSON.stringify(body),
    headers: { 'X-TRACKER-API-KEY': cast.ada.apiKey },
  }
}

// Texts are parsed before the database is used, so one engine is enough; event-loop.test.ts sends long lists on both.
describe('a long text', () => {
  const server = new WatchedServer('sqlite', { bugs: 10, comments: 10, changes: 10 })
  before(() => server.start())
  after(() => stopAll())

  const writes = everyCall.filter(({ call }) => call.method === 'POST' || call.method === 'PUT')
  for (const [place, { call, title }] of sampled(
    [...writes.entries()].map(([place, write]) => [place, write] as const),
    3,
  ))
    it(`delays no other request in any parameter of ${title}`, async () => {
      const ref = call.path.startsWith('/bug/:') ? String(server.bugs.first) : '1'
      const selection = call.selectsFields ? ['include_fields'] : []
      const names = ['login', 'no_such_parameter', ...selection, ...Object.keys(call.params)]
      for (const name of sampled(names, 12, place)) await server.requireShortTurns(() => requestWith(call, ref, name))
    })
})
