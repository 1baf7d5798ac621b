import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, it } from 'node:test'
import type { Query } from '../support/body-types.ts'
import { fileBug } from '../support/file-bug.ts'
import { freePort } from '../support/free-port.ts'
import { lacewingInThisProcess } from '../support/lacewing-command.ts'
import { reply, TestMailServer } from '../support/mail-server.ts'
import { mailSent } from '../support/mail-settled.ts'
import { readMetrics } from '../support/metrics.ts'
import { newMember } from '../support/new-member.ts'
import { assertRefused } from '../support/refusal.ts'
import { until } from '../support/until.ts'
import { describeWithDelivery, itOnce, itOnOneEngine, type World } from '../support/world.ts'

async function undelivered(world: World, query: Query = '') {
  const { status, body, text } = await world.ada.get(`/rest/mail/undelivered${query}`)
  assert.equal(status, 200, text)
  return body
}

/** As after hours of failures: nothing is due for a long time. */
async function waitLong(world: World) {
  await world.db.query((q) =>
    q.updateTable('lanes').set({ due_at: '2099-01-01T00:00:00Z' }).where('failures', '>', 0).where('lease', '=', ''),
  )
}

const lacewing = (world: World, words: readonly string[], environment: Record<string, string> = {}) =>
  lacewingInThisProcess(words, world, '', environment)

const port = await freePort()

describeWithDelivery(
  'a mail server that is down',
  (world) => {
    const server = new TestMailServer()
    after(() => server.close())
    const lines = (event: string) => world.logged.filter((line) => line.event === event)

    it('is one line in the log and a warning, and its first success sends all that waits', async () => {
      const readers = [await newMember(world), await newMember(world), await newMember(world)]
      for (const { login } of readers) await fileBug(world.edna, { cc: [login] })
      const isTried = ({ bug_id, error }: { bug_id: number; error: string }) => bug_id !== null && error !== ''
      const failed = await until(async () => {
        const { messages } = await undelivered(world, '?state=waiting')
        return messages.filter(isTried).length >= 3 && messages
      })
      await until(async () => (await undelivered(world, '?state=waiting')).messages.every((it) => it.error))
      const [line, ...more] = lines('mail cannot be sent')
      assert.deepEqual(more, [])
      assert.equal(line?.level, 'error')
      assert.match(String(line?.why), /ECONNREFUSED/)
      const { outage } = await undelivered(world)
      assert.match(outage.error, /ECONNREFUSED/)
      assert.ok(outage.since <= outage.last_at)
      const status = await lacewing(world, ['status'])
      assert.match(
        status.stdout,
        new RegExp(`^Warning: no mail can be sent since ${outage.since}, .*ECONNREFUSED`, 'm'),
      )
      const asJson = JSON.parse((await lacewing(world, ['status', '--json'])).stdout)
      assert.equal(asJson.mail_outage.since, outage.since)
      assert.ok(Number((await readMetrics(world.url)).get('lacewing_mail_outage_seconds')) > 0)

      await waitLong(world)
      await server.open(port)
      await fileBug(world.edna, { cc: [readers[0]?.login] })
      await mailSent(world)
      assert.ok(server.messages.length + server.notices.length > failed.length)
      assert.ok(server.connections <= 7, `${server.connections} connections`)
      assert.equal(lines('mail can be sent again').length, 1)
      assert.equal(lines('mail cannot be sent').length, 1)
      assert.equal((await undelivered(world)).outage, null)
      assert.doesNotMatch((await lacewing(world, ['status'])).stdout, /Warning/)
      assert.equal((await readMetrics(world.url)).get('lacewing_mail_outage_seconds'), 0)
    })

    it('is not one that refuses a recipient for now, and that message can be sent at once', async () => {
      const reader = await newMember(world)
      await mailSent(world)
      server.clear()
      server.onRecipient = async () => {
        throw reply(451, 'Come back later')
      }
      await fileBug(world.ada, { cc: [reader.login] })
      const own = async () => {
        const { messages } = await undelivered(world, '?state=waiting')
        return messages.find(({ to, error }) => to === reader.login && error !== '')
      }
      const { id } = await until(own)
      assert.equal((await undelivered(world)).outage, null)
      await waitLong(world)
      server.onRecipient = async () => {}
      assertRefused(await world.edna.post('/rest/mail/undelivered/retry', { ids: [id] }), 401, 304)
      assertRefused(await world.ada.post('/rest/mail/undelivered/retry', { ids: [id, 999_999] }), 404, 51)
      assert.ok((await own()).next_try_at.startsWith('2099'))
      const { body } = await world.ada.post('/rest/mail/undelivered/retry', { ids: [id] })
      assert.deepEqual(body, { ids: [id], waiting: 1 })
      await until(() => server.messages.some(({ recipients }) => recipients.includes(reader.login)))
    })

    itOnOneEngine(world, 'sends waiting mail at the command of an operator', async () => {
      const reader = await newMember(world)
      await mailSent(world)
      server.clear()
      server.onRecipient = async (address) => {
        if (address === reader.login) throw reply(451, 'Come back later')
      }
      await fileBug(world.edna, { cc: [reader.login] })
      await until(async () => (await undelivered(world, '?state=waiting')).messages.some(({ error }) => error))
      await waitLong(world)
      server.onRecipient = async () => {}
      const { status, stdout, stderr } = await lacewing(world, ['mail', 'retry', '--json'])
      assert.equal(status, 0, stderr)
      assert.ok(JSON.parse(stdout).waiting >= 1)
      await mailSent(world)
      assert.equal(server.messages.filter(({ recipients }) => recipients.includes(reader.login)).length, 1)
    })

    itOnce(world, 'is tested by a command that says in one sentence what happened', async () => {
      const server = await new TestMailServer().open()
      const test = (address: string, url?: string) =>
        lacewing(world, ['mail', 'test', address], url === undefined ? {} : { LACEWING_SMTP_URL: url })
      const sent = await test('op@example.com', server.url)
      assert.deepEqual([sent.status, sent.stderr], [0, ''])
      assert.equal(
        sent.stdout,
        `The mail server 127.0.0.1:${server.port} has accepted a message from lacewing@localhost to op@example.com.\n`,
      )
      const [message] = server.notices
      assert.deepEqual([message?.recipients, message?.subject], [['op@example.com'], 'Test message'])

      server.onRecipient = async () => {
        throw reply(550, 'No such mailbox')
      }
      const refused = await test('op@example.com', server.url)
      assert.equal(refused.status, 1)
      assert.match(refused.stdout, /^The mail server \S+ has refused a message from .*: .*550 No such mailbox.*\.\n$/)
      const down = await test('op@example.com', `smtp://user:geheim@127.0.0.1:${await freePort()}`)
      assert.equal(down.status, 1)
      assert.match(
        down.stdout,
        /^The mail server 127\.0\.0\.1:\d+ cannot be used: no server answers at this address \(ECONNREFUSED 127\.0\.0\.1:\d+\)\.\n$/,
      )
      assert.doesNotMatch(down.stdout + down.stderr, /geheim/)
      const stored = await test('op@example.com')
      assert.equal(stored.status, 1)
      assert.match(
        stored.stdout,
        /^No mail server is set, so the message was not sent, but stored in the folder mail of the data folder\.\n$/,
      )
      const folder = join(world.dataFolder, 'mail')
      assert.equal(readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.eml')).length, 1)
      const wrong = await test('not an address\r\nBcc: x@y.z', server.url)
      assert.deepEqual([wrong.status, wrong.stdout], [1, ''])
      assert.match(wrong.stderr, /^"not an address.*" is not a mail address\.$/m)
      await server.close()
    })
  },
  { LACEWING_SMTP_URL: `smtp://127.0.0.1:${port}` },
)
