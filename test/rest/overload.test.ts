import assert from 'node:assert/strict'
import { it } from 'node:test'
import { REQUEST_CLASSES } from '../../src/platform/queues/admission.ts'
import { cast } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { readMetrics } from '../support/metrics.ts'
import { itInSoak } from '../support/sample.ts'
import { describeOnSqlite, type Reply } from '../support/world.ts'

/** The shortest that can be set: every burst of requests is too much load. */
const SENSITIVE = { LACEWING_OVERLOAD_MILLISECONDS: '1' }

describeOnSqlite(
  'a server with too much load',
  (world) => {
    const AT_ONCE = 60
    const MOST_BURSTS = 50

    /** Bursts of anonymous reads, until one is refused. */
    async function overloaded(): Promise<Reply> {
      for (let burst = 0; burst < MOST_BURSTS; burst++) {
        const replies = await Promise.all(
          Array.from({ length: AT_ONCE }, () => world.nobody.get('/rest/bug/1/comment?include_fields=text')),
        )
        const refused = replies.find(({ status }) => status === 503)
        if (refused !== undefined) return refused
      }
      throw new Error('Nothing was refused')
    }

    it('refuses anonymous callers with 503 and Retry-After, and answers users, /health and /ready', async () => {
      const id = await fileBug(world.ada, { summary: 'Changed under load' })
      const { body, headers } = await overloaded()
      assert.equal(body.reason, 'overloaded')
      const seconds = Number(headers.get('retry-after'))
      assert.ok(seconds >= 2 && seconds <= 6)
      assert.ok(body.message.includes(`${seconds} seconds`))
      for (const path of ['/health', '/ready']) assert.equal((await fetch(world.url + path)).status, 200, path)
      assert.equal((await world.ada.put(`/rest/bug/${id}`, { whiteboard: 'changed' })).status, 200)
    })

    it('counts what it refuses in /metrics, logs it once, and warns administrators', async () => {
      await overloaded()
      const metrics = await readMetrics(world.url)
      const refused = REQUEST_CLASSES.map((kind) =>
        metrics.get(`lacewing_overload_refused_total{process="1",class="${kind}"}`),
      )
      assert.ok(refused.every((count) => count !== undefined))
      assert.ok(Number(refused[1]) > 0)
      assert.ok(world.logged.some(({ event }) => event === 'overloaded: requests are refused'))
      assert.ok(!world.logged.some(({ event, status }) => event === 'request' && status === 503))
      const { body } = await world.ada.get('/rest/admin/status')
      assert.ok(body.warnings.some(({ name }) => name === 'overloaded'))
    })

    itInSoak('does not take an invented key for that of a user', async () => {
      for (let tries = 0; tries < 5; tries++) {
        await overloaded()
        const { status, body } = await world.nobody.get('/rest/bug/1', { 'X-TRACKER-API-KEY': `invented${tries}` })
        assert.ok(status === 503 || body.code === 306, `${status} ${body.code}`)
      }
      assert.equal((await world.nobody.get('/rest/whoami', { 'X-TRACKER-API-KEY': cast.edna.apiKey })).status, 200)
    })

    itInSoak('answers everybody again after a moment', async () => {
      await overloaded()
      await new Promise((resolve) => setTimeout(resolve, 1500))
      assert.notEqual((await world.nobody.get('/rest/bug/1')).status, 503)
    })
  },
  SENSITIVE,
)
