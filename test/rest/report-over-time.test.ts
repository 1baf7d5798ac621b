import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { cast } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, describeOnEachEngine, itOnce } from '../support/world.ts'

const DAY = 24 * 3_600_000
const TODAY = Date.now()
const dayBefore = (days: number) => new Date(TODAY - days * DAY).toISOString().slice(0, 10)
const FIXED = { status: 'RESOLVED', resolution: 'FIXED' }
const AGAIN = { status: 'CONFIRMED' }

/** Each life: how many days ago the bug was filed, and what happened to it how many days ago. */
const LIVES: readonly Life[] = [
  { filed: 90, steps: [[60, FIXED]] },
  {
    filed: 80,
    steps: [
      [70, FIXED],
      [50, AGAIN],
      [9, FIXED],
    ],
  },
  {
    filed: 41,
    steps: [
      [41, { status: 'IN_PROGRESS' }],
      [40, { priority: 'High' }],
    ],
  },
  {
    filed: 30,
    steps: [
      [30, FIXED],
      [30, AGAIN],
      [30, FIXED],
    ],
  },
  { filed: 20, steps: [], isHidden: true },
  { filed: 20, steps: [[2, FIXED]], isHidden: true },
  {
    filed: 13,
    steps: [
      [12, { assigned_to: cast.edna.login }],
      [3, FIXED],
      [2, AGAIN],
    ],
  },
  { filed: 0, steps: [] },
]

interface Life {
  filed: number
  steps: readonly (readonly [number, Record<string, string>])[]
  isHidden?: boolean
}

describeOnEachEngine('reports over time', (world) => {
  let product: string

  before(async () => {
    product = (await newProduct(world, ['Core'])).name
    await world.ada.put(`/rest/product/${product}/group_control/security`, {
      membercontrol: 'Shown',
      othercontrol: 'Shown',
    })
    for (const { filed, steps, isHidden } of LIVES) {
      const groups = isHidden ? ['security'] : []
      const id = await fileBug(world.ada, { product, component: 'Core', version: '1.0', groups })
      for (const [ago, change] of steps) {
        const [last] = await world.db.query((q) =>
          q.selectFrom('bug_changes').select((row) => row.fn.max('id').as('id')),
        )
        const { status, text } = await world.ada.put(`/rest/bug/${id}`, change)
        assert.equal(status, 200, text)
        await world.db.script(
          `update bug_changes set at = '${dayBefore(ago)}T12:00:00Z' where bug_id = ${id} and id > ${last?.id ?? 0}`,
        )
      }
      await world.db.script(`update bugs set created_at = '${dayBefore(filed)}T00:00:00Z' where id = ${id}`)
    }
  })

  const READERS = ['ada', 'sven', 'stan', 'nobody'] as const

  async function everyBugOf(who: Client) {
    const { body } = await who.get(`/rest/bug?product=${product}&include_fields=id,creation_time,is_open`)
    const bugs = await Promise.all(
      body.bugs.map(async (bug) => {
        const { body } = await who.get(`/rest/bug/${bug.id}/history`)
        const moves = (body.bugs[0]?.history ?? []).flatMap(({ when, changes }) =>
          changes
            .filter(({ field_name }) => field_name === 'status')
            .map(({ removed, added }) => ({ when, closes: added === 'RESOLVED', opens: removed === 'RESOLVED' })),
        )
        return { ...bug, moves }
      }),
    )
    return bugs
  }

  async function stateOf(who: Client, ids: readonly number[], at: string) {
    const { body } = await who.get(`/rest/bug/?permissive=1&as_of=${at}&ids=${ids.join('&ids=')}`)
    return body.bugs
  }

  for (const name of READERS)
    it(`have the counts of single bugs as of each day, for ${name}`, async () => {
      const who = world[name]
      const bugs = await everyBugOf(who)
      assert.equal(bugs.length, ['ada', 'sven'].includes(name) ? 8 : 6)
      for (const [interval, from] of [
        ['day', 15],
        ['week', 95],
        ['month', 95],
      ] as const) {
        const { body } = await who.get(
          `/rest/report/over_time?product=${product}&from=${dayBefore(from)}&interval=${interval}`,
        )
        assert.equal(body.bug_count, bugs.length)
        assert.equal(body.points.at(-1)?.date, dayBefore(0))
        let after = dayBefore(from + 1)
        for (const { date, ...point } of body.points) {
          const isIn = (time: string) => time.slice(0, 10) > after && time.slice(0, 10) <= date
          const states = await stateOf(
            who,
            bugs.map(({ id }) => id),
            `${date}T23:59:59Z`,
          )
          const moves = bugs.flatMap((bug) => bug.moves).filter(({ when }) => isIn(when))
          const byHand = {
            open: states.filter((bug) => bug.is_open).length,
            closed: states.filter((bug) => !bug.is_open).length,
            created: bugs.filter(({ creation_time }) => isIn(creation_time)).length,
            resolved: moves.filter(({ closes, opens }) => closes && !opens).length,
            reopened: moves.filter(({ closes, opens }) => opens && !closes).length,
          }
          assert.deepEqual(point, byHand, `${name}, ${interval} ${date}`)
          after = date
        }
      }
    })

  it('count the ages of open bugs, now and on an earlier day', async () => {
    for (const name of READERS) {
      const bugs = await everyBugOf(world[name])
      for (const ago of [0, 10, 45]) {
        const { body } = await world[name].get(`/rest/report/age?product=${product}&as_of=${dayBefore(ago)}`)
        const moment = ago === 0 ? body.as_of : `${dayBefore(ago)}T23:59:59Z`
        const open = (
          await stateOf(
            world[name],
            bugs.map(({ id }) => id),
            moment,
          )
        ).filter((bug) => bug.is_open)
        const hours = open.map(({ creation_time }) => (Date.parse(moment) - Date.parse(creation_time)) / 3_600_000)
        assertTimes(body, hours, `${name}, ${ago} days ago`)
      }
    }
  })

  it('count how long bugs took to be closed', async () => {
    for (const name of READERS)
      for (const from of [365, 40]) {
        const bugs = (await everyBugOf(world[name])).filter((bug) => !bug.is_open)
        const closed = bugs.map(({ creation_time, moves }) => ({ creation_time, when: moves.at(-1)?.when ?? '' }))
        const hours = closed
          .filter(({ when }) => when >= dayBefore(from))
          .map(({ creation_time, when }) => (Date.parse(when) - Date.parse(creation_time)) / 3_600_000)
        const { body } = await world[name].get(`/rest/report/time_to_close?product=${product}&from=${dayBefore(from)}`)
        assertTimes(body, hours, `${name}, since ${from} days`)
      }
  })

  it('count a table by the values of an earlier day', async () => {
    for (const name of READERS)
      for (const field of ['status', 'priority', 'assigned_to'] as const)
        for (const ago of [12, 35]) {
          const { body } = await world[name].get(
            `/rest/report?product=${product}&x_axis_field=${field}&as_of=${dayBefore(ago)}`,
          )
          const ids = (await everyBugOf(world[name])).map(({ id }) => id)
          const then = Object.groupBy(
            await stateOf(world[name], ids, `${dayBefore(ago)}T23:59:59Z`),
            (bug) => bug[field],
          )
          const byHand = Object.fromEntries(Object.entries(then).map(([value, bugs]) => [value, bugs?.length]))
          const counted = Object.fromEntries(body.counts.map(({ x, bug_count }) => [x, bug_count]))
          assert.deepEqual(counted, byHand, `${name}, ${field} ${ago} days ago`)
        }
  })

  it('have totals that count each bug once', async () => {
    for (const keyword of ['red', 'blue']) await world.ada.post('/rest/keyword', { name: keyword, description: 'x' })
    const id = await fileBug(world.ada, { product, component: 'Core', version: '1.0', keywords: ['red', 'blue'] })
    const { body } = await world.stan.get(
      `/rest/report?product=${product}&id=${id}&x_axis_field=keywords&y_axis_field=status&with_totals=1`,
    )
    assert.deepEqual([body.x_totals, body.y_totals, body.z_totals, body.bug_count], [[1, 1], [1], [], 1])
  })

  it('are counted in parts, which add up', async () => {
    const path = `/rest/report/over_time?product=${product}&from=-12w` as const
    const { body: whole } = await world.stan.get(path)
    const { body: part } = await world.stan.get(`${path}&in_parts=1`)
    assert.deepEqual(part, { ...whole, progress: 1 })
    const { body: past } = await world.stan.get(`${path}&cursor=7-1`)
    assert.deepEqual([past.bug_count, past.progress, past.next_cursor], [0, 1, undefined])
  })

  for (const [path, code] of [
    ['over_time?interval=year', 53],
    ['over_time?from=1990-01-01&interval=day', 53],
    ['over_time?from=2020-01-02&to=2020-01-01', 53],
    ['over_time?from=soon', 56],
    ['over_time?cursor=x', 53],
    ['over_time?cursor=1-99999999999', 53],
    ['age?as_of=once', 56],
    ['time_to_close?to=never', 56],
  ] as const)
    itOnce(world, `are refused with ${code} for ${path}`, async () => {
      assertRefused(await world.nobody.get(`/rest/report/${path}`), 400, code)
    })

  itOnce(world, 'are refused by the past values of fields without a known past', async () => {
    for (const field of ['keywords', 'classification'])
      assertRefused(await world.nobody.get(`/rest/report?x_axis_field=${field}&as_of=2026-01-01`), 400, 53)
  })

  it('count a large installation in several parts, which add up to the whole, with a progress', async () => {
    // Copies at the ends of four ranges, which are as wide as if there were as many bugs; two of them are one part.
    const [row] = await world.db.query((q) => q.selectFrom('bugs').selectAll().limit(1))
    const columns = Object.keys(row ?? {}).filter((name) => name !== 'id')
    const [copied] = await world.db.query((q) =>
      q.selectFrom('bug_changes').select('bug_id').where('field', '=', 'status').orderBy('id', 'desc').limit(1),
    )
    for (const id of [75_000, 75_001, 150_000, 150_001, 300_000]) {
      const change = `select ${id}, user_id, at, field, removed, added from bug_changes where bug_id = ${copied?.bug_id} order by id`
      await world.db.script(
        `insert into bugs (id, ${columns}) select ${id}, ${columns} from bugs where id = ${copied?.bug_id}`,
      )
      await world.db.script(`insert into bug_changes (bug_id, user_id, at, field, removed, added) ${change}`)
    }
    const search = `quicksearch=ALL&from=${dayBefore(95)}`
    const whole = (await world.ada.get(`/rest/report/over_time?${search}`)).body
    const parts = [(await world.ada.get(`/rest/report/over_time?${search}&in_parts=1`)).body]
    for (let last = parts[0]; last?.next_cursor !== undefined; last = parts.at(-1))
      parts.push((await world.ada.get(`/rest/report/over_time?${search}&cursor=${last.next_cursor}`)).body)
    assert.deepEqual(
      parts.map(({ progress, bug_count }) => [Math.round((progress ?? 0) * 100), bug_count]),
      [
        [50, whole.bug_count - 2],
        [100, 2],
      ],
    )
    const sum = (name: 'open' | 'closed' | 'created' | 'resolved' | 'reopened', at: number) =>
      parts.reduce((all, { points }) => all + (points[at]?.[name] ?? 0), 0)
    for (const [at, { date, ...point }] of whole.points.entries())
      for (const [name, count] of Object.entries(point))
        assert.equal(sum(name as keyof typeof point, at), count, `${name} on ${date}`)
    assert.ok(whole.points.some(({ reopened }) => reopened > 0))
  })

  it('have no negative counts where the history contradicts the present statuses', async () => {
    const { name } = await newProduct(world)
    const filed = { product: name, component: 'Core', version: '1.0' }
    const [open, closed] = [await fileBug(world.ada, filed), await fileBug(world.ada, filed)]
    await world.ada.put(`/rest/bug/${closed}`, FIXED)
    await world.db.script(`delete from bug_changes where bug_id = ${closed} and field = 'status'`)
    // It is open now, but was closed three times and never reopened.
    for (const ago of [30, 20, 10])
      await world.db.script(
        `insert into bug_changes (bug_id, user_id, at, field, removed, added)
          values (${open}, 1, '${dayBefore(ago)}T12:00:00Z', 'status', 'CONFIRMED', 'RESOLVED')`,
      )
    await world.db.script(`update bugs set created_at = '${dayBefore(40)}T00:00:00Z' where id in (${open}, ${closed})`)
    const path = `/rest/report/over_time?product=${name}&from=${dayBefore(35)}&interval=day` as const
    const { points } = (await world.ada.get(path)).body
    for (const { date, open, closed } of points)
      assert.ok(open >= 0 && closed >= 0 && open + closed === 2, `${date}: ${open} open, ${closed} closed`)
    const today = points.at(-1)
    assert.deepEqual([today?.open, today?.closed], [1, 1])
  })
})

interface Times {
  groups: readonly { up_to_days: number | null; bug_count: number }[]
  hours: Readonly<Record<'p25' | 'p50' | 'p75' | 'p90', number | null>>
  bug_count: number
}

function assertTimes({ groups, hours, bug_count }: Times, byHand: readonly number[], message: string) {
  assert.equal(bug_count, byHand.length, message)
  let from = 0
  for (const { up_to_days, bug_count: counted } of groups) {
    const to = (up_to_days ?? Number.POSITIVE_INFINITY) * 24
    assert.equal(counted, byHand.filter((time) => time >= from && time < to).length, `${message}: ${up_to_days} days`)
    from = to
  }
  const sorted = byHand.map(Math.floor).sort((a, b) => a - b)
  const quantile = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? null
  assert.deepEqual(hours, { p25: quantile(0.25), p50: quantile(0.5), p75: quantile(0.75), p90: quantile(0.9) }, message)
}
