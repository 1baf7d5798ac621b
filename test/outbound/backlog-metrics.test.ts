import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Installation } from '../../src/access/installation.ts'
import { watchMaildir } from '../../src/outbound/incoming/watch-maildir.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { changeBug } from '../support/change-bug.ts'
import { countQueries } from '../support/count-queries.ts'
import { fileBug } from '../support/file-bug.ts'
import { freePort } from '../support/free-port.ts'
import { HttpReceiver } from '../support/http-receiver.ts'
import { TestMailServer } from '../support/mail-server.ts'
import { readMetrics } from '../support/metrics.ts'
import { describeDeliveryOnOneEngine, describeWithDelivery, itOnOneEngine } from '../support/world.ts'

const maildir = join(mkdtempSync(join(tmpdir(), 'lacewing-maildir-')), 'Maildir')
for (const folder of ['new', 'cur', 'tmp']) mkdirSync(join(maildir, folder), { recursive: true })

describeWithDelivery(
  '/metrics of what waits',
  (world) => {
    const receiver = new HttpReceiver()
    before(async () => {
      await receiver.open()
      await world.ada.put('/rest/parameters', { webhook_networks: '127.0.0.1/32' })
    })
    after(() => receiver.close())

    const value = async (name: string) => {
      const found = (await readMetrics(world.url)).get(name)
      assert.ok(found !== undefined, name)
      return found
    }
    const until = async (name: string, isSo: (value: number) => boolean) => {
      const ends = Date.now() + 20_000
      while (!isSo(await value(name))) {
        assert.ok(Date.now() < ends, `${name} is ${await value(name)}`)
        await sleep(50)
      }
    }

    // First, because the new webhooks could get earlier events too.
    it('counts messages for a webhook that answers 500, and failing webhooks by state', async () => {
      receiver.manners.set('/broken', 500)
      receiver.manners.set('/gone', 410)
      for (const path of ['/broken', '/gone', '/good'])
        assert.equal((await world.edna.post('/rest/webhook', { url: receiver.url + path })).status, 201)
      await fileBug(world.edna)
      await until('lacewing_webhooks{state="failing"}', (count) => count === 1)
      await until('lacewing_webhooks{state="off"}', (count) => count === 1)
      await until('lacewing_queue_waiting{queue="webhooks"}', (count) => count === 1)
      assert.equal(await value('lacewing_webhooks{state="active"}'), 1)
      await world.db.query((q) =>
        q.updateTable('jobs').set({ created_at: '2026-01-01T00:00:00Z' }).where('queue', '=', 'webhooks'),
      )
      assert.ok((await value('lacewing_queue_oldest_seconds{queue="webhooks"}')) > 86_400)
    })

    itOnOneEngine(world, 'counts mail that waits for an unreachable server, and how long it waits', async () => {
      await changeBug(world.ada, await fileBug(world.edna), { priority: 'High' })
      await until('lacewing_queue_waiting{queue="mail"}', (count) => count > 0)
      await world.db.query((q) =>
        q.updateTable('jobs').set({ created_at: '2026-01-01T00:00:00Z' }).where('queue', '=', 'mail'),
      )
      assert.ok((await value('lacewing_queue_oldest_seconds{queue="mail"}')) > 86_400)
      assert.equal(await value('lacewing_queue_failed{queue="mail"}'), 0)
    })

    it('counts events that cannot be handled, and shows how far behind a consumer is', async () => {
      const bug = await fileBug(world.edna)
      const name = 'lacewing_events_set_aside_total{consumer="mail"}'
      const before = await value(name)
      const event = { kind: 'bug.update', bug_id: bug, user_id: 1, at: '2026-01-01T00:00:00Z' }
      await world.db.query((q) => q.insertInto('outbox').values({ ...event, facts: '{"flags":[null]}' }))
      await changeBug(world.edna, bug, { priority: 'High' })
      await until(name, (count) => count === before + 1)
      await until('lacewing_consumer_lag_events{consumer="mail"}', (count) => count === 0)
      assert.equal(await value('lacewing_consumer_lag_seconds{consumer="mail"}'), 0)
      await world.db.query((q) =>
        q.insertInto('consumers').values({ name: 'stuck', position: 0, lease: '', leased_until: '' }),
      )
      assert.ok((await value('lacewing_consumer_lag_events{consumer="stuck"}')) > 0)
      assert.ok((await value('lacewing_consumer_lag_seconds{consumer="stuck"}')) >= 0)
      await world.db.query((q) => q.deleteFrom('consumers').where('name', '=', 'stuck'))
      await until('lacewing_feed_lag_seconds', (seconds) => seconds === 0)
    })

    itOnOneEngine(world, 'counts incoming messages that wait, and those that cannot be read', async () => {
      const [waiting, aside] = ['lacewing_incoming_mail_waiting', 'lacewing_incoming_mail_set_aside']
      await until(waiting, (count) => count === 0)
      const before = await value(aside)
      const name = world.unique(`0.${world.engine}`)
      // A folder where a message should be cannot be read, however often it is tried.
      mkdirSync(join(maildir, 'new', name))
      await until(waiting, (count) => count === 1)
      const { db } = world
      const config = readConfig({ LACEWING_MAILDIR: maildir, LACEWING_DATA: world.dataFolder })
      const log = { info: () => {}, error: () => {}, flush: async () => {} }
      const installation = new Installation(db)
      const taking = watchMaildir({ db, config, log, installation, baseUrl: () => world.url }, [0, 0])
      await until(aside, (count) => {
        // Something that changes in the folder starts the next round.
        writeFileSync(join(maildir, 'new', '.changed'), String(Math.random()))
        return count === before + 1
      })
      await taking.end()
      assert.ok(existsSync(join(maildir, 'failed', name)))
      assert.equal(await value(waiting), 0)
    })

    it('counts connections on PostgreSQL', async () => {
      const names = ['in_use', 'idle', 'waiting', 'limit'].map((name) => `lacewing_connections_${name}{process="1"}`)
      const figures = await readMetrics(world.url)
      if (world.engine === 'sqlite') return assert.ok(names.every((name) => !figures.has(name)))
      const [inUse = 0, idle = 0, waiting, limit = 0] = names.map((name) => figures.get(name))
      assert.equal(waiting, 0)
      assert.ok(inUse + idle >= 1 && inUse + idle <= limit, `${inUse} ${idle} ${limit}`)
    })

    itOnOneEngine(world, 'needs one query besides authentication', async () => {
      const refused = () => world.nobody.get('/metrics', { 'X-Forwarded-For': '203.0.113.5' })
      const toKnowWhoAsks = await countQueries(world, refused)
      assert.equal(await countQueries(world, () => readMetrics(world.url)), toKnowWhoAsks + 1)
    })
  },
  { LACEWING_SMTP_URL: `smtp://127.0.0.1:${await freePort()}`, LACEWING_MAILDIR: maildir },
)

const mailServer = await new TestMailServer().open()
after(() => mailServer.close())

describeDeliveryOnOneEngine(
  '/metrics of mail',
  (world) => {
    it('counts messages that the mail server has refused permanently', async () => {
      mailServer.onRecipient = async () => {
        throw Object.assign(new Error('No such mailbox'), { responseCode: 550 })
      }
      await fileBug(world.edna, { assigned_to: 'uma@lacewing.test' })
      const failed = async () => (await readMetrics(world.url)).get('lacewing_queue_failed{queue="mail"}') ?? 0
      const ends = Date.now() + 20_000
      while ((await failed()) === 0) {
        assert.ok(Date.now() < ends, 'It took too long')
        await sleep(50)
      }
    })
  },
  { LACEWING_SMTP_URL: mailServer.url },
)
