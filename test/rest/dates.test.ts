import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { fileBug, readBug } from '../support/file-bug.ts'
import { sampledOn } from '../support/sample.ts'
import { search } from '../support/search.ts'
import { describeOnEachEngine, itOnce, itOnOneEngine, type Reply } from '../support/world.ts'

/** One moment, and one day, as clients write them. */
const MOMENTS = [
  '1970-01-01T00:00:00Z',
  '19700101T00:00:00',
  '19700101T000000Z',
  '1970-01-01 00:00',
  'Thu, 01 Jan 1970 00:00:00 GMT',
  'Wed, 31 Dec 1969 19:00:00 EST',
  '1970-01-01T01:00:00+01:00',
]
const DAYS = ['2031-01-31', '20310131', '2031/1/31', '31 Jan 2031', 'Jan 31, 2031']

describeOnEachEngine('dates that clients send', (world) => {
  let bug: number
  before(async () => {
    bug = await fileBug(world.edna)
    for (const [name, type] of [
      ['cf_moment', 5],
      ['cf_day', 9],
    ] as const)
      await world.ada.post('/rest/field/bug', { name, display_name: name, type, is_on_bug_entry: true })
  })

  const ask = (path: string, params: Record<string, string>) =>
    world.edna.get(`/rest/${path}?${new URLSearchParams(params)}`)

  /** Each parameter that takes a moment, and a call that sends it. */
  const SENT: Record<string, (value: string) => Promise<Reply>> = {
    new_since: (value) => ask(`bug/${bug}/comment`, { new_since: value }),
    'new_since of history': (value) => ask(`bug/${bug}/history`, { new_since: value }),
    as_of: (value) => ask(`bug/${bug}`, { as_of: value, permissive: '1' }),
    since: (value) => world.ada.get(`/rest/audit?since=${encodeURIComponent(value)}`),
    creation_time: (value) => search(world.edna, { creation_time: value }),
    last_change_time: (value) => search(world.edna, { last_change_time: value }),
    delta_ts: (value) => search(world.edna, { delta_ts: value }),
    chfieldfrom: (value) => search(world.edna, { chfieldfrom: value }),
    chfieldto: (value) => search(world.edna, { chfieldto: value, chfield: 'priority' }),
    deadlinefrom: (value) => search(world.edna, { deadlinefrom: value }),
    v3: (value) => search(world.edna, { f3: 'creation_ts', o3: 'greaterthan', v3: value }),
    'value0-0-0': (value) =>
      search(world.edna, { 'field0-0-0': 'delta_ts', 'type0-0-0': 'changedafter', 'value0-0-0': value }),
    cf_moment: (value) => world.edna.put(`/rest/bug/${bug}`, { cf_moment: value }),
    cf_day: (value) => world.edna.put(`/rest/bug/${bug}`, { cf_day: value }),
  }

  for (const [place, [title, send]] of Object.entries(SENT).entries()) {
    it(`are read in ${title}`, async () => {
      for (const moment of sampledOn(world.engine, [...MOMENTS, ...DAYS], 5, place)) {
        const reply = await send(moment)
        assert.equal(reply.status, 200, `${moment}: ${reply.text}`)
      }
    })

    itOnce(world, `are refused in ${title} by its name where they are none`, async () => {
      for (const wrong of ['19700230', '1970-02-30T00:00:00Z', 'soon', '30 Feb 1970', '1970-01-01T25:00']) {
        const { status, body, text } = await send(wrong)
        assert.deepEqual([status, body.code], [400, 56], text)
        assert.ok(body.message.startsWith(`${title.split(' ')[0]} `), body.message)
      }
    })
  }

  it('mean the same moment, however they are written', async () => {
    for (const moment of MOMENTS) {
      await world.edna.put(`/rest/bug/${bug}`, { cf_moment: moment })
      assert.equal((await readBug(world.edna, bug)).cf_moment, '1970-01-01T00:00:00Z', moment)
    }
  })

  itOnOneEngine(world, 'mean the same day, however they are written', async () => {
    for (const day of DAYS) {
      await world.edna.put(`/rest/bug/${bug}`, { cf_day: day, deadline: day })
      const { cf_day, deadline } = await readBug(world.edna, bug)
      assert.deepEqual([cf_day, deadline], ['2031-01-31T00:00:00Z', '2031-01-31'], day)
    }
  })

  itOnOneEngine(world, 'have no time of day in a deadline', async () => {
    for (const wrong of ['2031-01-31T12:00:00Z', '20310131T120000Z', '31 Jan 2031 12:00', '20310230']) {
      const { status, body, text } = await world.edna.put(`/rest/bug/${bug}`, { deadline: wrong })
      assert.deepEqual([status, body.code], [400, 56], text)
      assert.match(body.message, /^deadline /)
    }
  })

  itOnOneEngine(world, 'include the whole of the last day', async () => {
    const today = new Date().toISOString().slice(0, 10)
    for (const day of [today, today.replaceAll('-', '')])
      assert.ok((await search(world.edna, { chfieldto: day })).body.bugs.length > 0, day)
  })
})
