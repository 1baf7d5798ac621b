import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, beforeEach, it } from 'node:test'
import { forgetKeptMail } from '../../src/outbound/delivery/forget-old.ts'
import { addJobs } from '../../src/platform/database/new-jobs.ts'
import type { BodyAt, Query } from '../support/body-types.ts'
import { changeBug } from '../support/change-bug.ts'
import { fileBug } from '../support/file-bug.ts'
import { reply, TestMailServer } from '../support/mail-server.ts'
import { mailSent, mailSettled } from '../support/mail-settled.ts'
import { readMetrics } from '../support/metrics.ts'
import { newMember } from '../support/new-member.ts'
import { parseMail } from '../support/parse-mail.ts'
import { assertRefused } from '../support/refusal.ts'
import { until } from '../support/until.ts'
import { describeDeliveryOnOneEngine, describeWithDelivery, itOnOneEngine, type World } from '../support/world.ts'

const offices: TestMailServer[] = []
after(() => Promise.all(offices.map((mailServer) => mailServer.close())))

async function opened(...options: ConstructorParameters<typeof TestMailServer>) {
  const mailServer = await new TestMailServer(...options).open()
  offices.push(mailServer)
  return mailServer
}

/** A user who has got the mail about their account. */
async function person(world: World) {
  const member = await newMember(world, 'editbugs', 'canconfirm')
  await mailSent(world)
  return member
}

type Undelivered = BodyAt<'GET', '/rest/mail/undelivered'>['messages'][number]

async function undelivered(world: World, query: Query = '') {
  const { status, body, text } = await world.ada.get(`/rest/mail/undelivered${query}`)
  assert.equal(status, 200, text)
  return body
}

const mailServer = await opened()

describeWithDelivery(
  'the delivery of mail',
  (world) => {
    beforeEach(async () => {
      mailServer.clear()
      await mailSettled(world)
      mailServer.clear()
    })
    const lettersTo = (login: string) => mailServer.messages.filter(({ recipients }) => recipients.includes(login))

    itOnOneEngine(
      world,
      'gives up at once after a permanent error, and retries when an administrator requests it',
      async () => {
        const reader = await person(world)
        mailServer.onRecipient = async (address) => {
          if (address === reader.login) throw reply(550, 'No such mailbox')
        }
        const bug = await fileBug(world.edna, { cc: [reader.login] })
        await mailSettled(world)
        const { dead, waiting, messages } = await undelivered(world)
        assert.deepEqual({ dead, waiting }, { dead: 1, waiting: 0 })
        const { id, created_at, died_at, error, ...rest } = messages[0]
        assert.deepEqual(rest, { to: reader.login, bug_id: bug, about: 'change', attempts: 1, next_try_at: null })
        assert.match(error, /550 No such mailbox/)
        assert.ok(created_at <= died_at)

        mailServer.onRecipient = async () => {}
        const { status, body } = await world.ada.post('/rest/mail/undelivered/retry', { ids: [id] })
        assert.deepEqual({ status, body }, { status: 200, body: { ids: [id], waiting: 0 } })
        await mailSettled(world)
        assert.equal(lettersTo(reader.login).length, 1)
        assert.equal((await undelivered(world)).dead, 0)
        assertRefused(await world.ada.post('/rest/mail/undelivered/retry', { ids: [id] }), 404, 51)
      },
    )

    itOnOneEngine(world, 'deletes undelivered mail when an administrator requests it', async () => {
      const reader = await person(world)
      mailServer.onMessage = async ({ recipients }) => {
        if (recipients.includes(reader.login)) throw reply(554, 'We do not like this message')
      }
      const bug = await fileBug(world.edna, { cc: [reader.login] })
      await changeBug(world.edna, bug, { priority: 'High' })
      await mailSettled(world)
      const [newer, older] = (await undelivered(world)).messages
      assert.ok(newer.id > older.id)
      assert.deepEqual((await undelivered(world, '?limit=1')).messages, [newer])
      assert.deepEqual((await undelivered(world, `?limit=1&before=${newer.id}`)).messages, [older])
      const forget = async () => (await world.ada.delete(`/rest/mail/undelivered?ids=${older.id}`)).body
      assert.deepEqual(await forget(), { ids: [older.id] })
      assert.deepEqual(await forget(), { ids: [] })
      assertRefused(await world.ada.delete('/rest/mail/undelivered'), 400, 50)
      mailServer.onMessage = async () => {}
      assert.deepEqual((await world.ada.post('/rest/mail/undelivered/retry')).body, { ids: [newer.id], waiting: 0 })
      await mailSettled(world)
      assert.equal(lettersTo(reader.login).length, 1)
    })

    itOnOneEngine(world, 'retries after temporary errors: a busy server, a broken connection', async () => {
      const [busy, cut] = [await person(world), await person(world)]
      // Each fails until the failure has been seen.
      const seen = new Map<string, Undelivered>()
      mailServer.onRecipient = async (address) => {
        if (address === busy.login && !seen.has(address)) throw reply(451, 'Come back later')
      }
      mailServer.onMessage = async ({ recipients }) => {
        if (!recipients.includes(cut.login) || seen.has(cut.login)) return
        mailServer.hangUp()
        throw reply(421, 'Gone')
      }
      const bug = await fileBug(world.edna, { cc: [busy.login, cut.login] })
      await changeBug(world.edna, bug, { priority: 'High' })
      await until(async () => {
        const { messages } = await undelivered(world, '?state=waiting')
        for (const it of messages) if (it.error && [busy.login, cut.login].includes(it.to)) seen.set(it.to, it)
        return seen.size === 2
      })
      // The broken connection may have been used for both, and then both are tried more than once.
      for (const { attempts, died_at, next_try_at, created_at } of seen.values()) {
        assert.ok(attempts >= 1)
        assert.equal(died_at, null)
        assert.ok(next_try_at > created_at)
      }
      await mailSettled(world)
      for (const { login } of [busy, cut]) {
        const subjects = lettersTo(login).map(({ subject }) => subject)
        // The first one first: the second waited for it.
        assert.deepEqual(subjects, [`[Bug ${bug}] New: Something is wrong`, `[Bug ${bug}] Something is wrong`])
      }
    })

    itOnOneEngine(world, 'of one message delays neither changes nor mail to other users', async () => {
      const [hung, other] = [await person(world), await person(world)]
      let letGo = () => {}
      mailServer.onRecipient = (address) =>
        address === hung.login
          ? new Promise((resolve) => {
              letGo = resolve
            })
          : Promise.resolve()
      const bug = await fileBug(world.edna, { cc: [hung.login, other.login] })
      await until(() => mailServer.tried > 0 && lettersTo(other.login).length === 1)
      for (const priority of ['High', 'Low', 'High']) await changeBug(world.edna, bug, { priority })
      await until(() => lettersTo(other.login).length === 4)
      assert.deepEqual(lettersTo(hung.login), [])
      letGo()
      mailServer.onRecipient = async () => {}
      await mailSettled(world)
      assert.equal(lettersTo(hung.login).length, 4)
    })

    itOnOneEngine(world, 'skips an invalid event', async () => {
      const reader = await person(world)
      const bug = await fileBug(world.edna, { cc: [reader.login] })
      await mailSettled(world)
      mailServer.clear()
      const event = { kind: 'bug.update', bug_id: bug, user_id: 1, at: '2026-01-01T00:00:00Z' }
      await world.db.query((q) => q.insertInto('outbox').values({ ...event, facts: '{"flags":[null]}' }))
      await changeBug(world.edna, bug, { priority: 'High' })
      await mailSettled(world)
      assert.equal(lettersTo(reader.login).length, 1)
      assert.ok(world.logged.some(({ event }) => event === 'event set aside'))
    })

    itOnOneEngine(world, 'reuses connections', async () => {
      const reader = await person(world)
      const bug = await fileBug(world.edna, { cc: [reader.login] })
      for (let count = 0; count < 20; count++)
        await changeBug(world.edna, bug, { priority: count % 2 === 0 ? 'High' : 'Low' })
      await mailSettled(world)
      assert.equal(lettersTo(reader.login).length, 21)
      assert.ok(mailServer.connections <= 7, `${mailServer.connections} connections`)
    })

    itOnOneEngine(
      world,
      'sends account mail before waiting bug mail, also while the mail server holds all of that up',
      async () => {
        const [reader, forgetful] = [await person(world), await person(world)]
        mailServer.clear()
        let letGo = () => {}
        const held = new Promise<void>((resolve) => {
          letGo = resolve
        })
        mailServer.onRecipient = (address) => (address === forgetful.login ? Promise.resolve() : held)
        const bugs: number[] = []
        for (let count = 0; count < 30; count++) bugs.push(await fileBug(world.edna, { cc: [reader.login] }))
        for (const bug of bugs) await changeBug(world.edna, bug, { priority: 'High' })
        await until(() => mailServer.tried >= 5)
        // As an older release queued it.
        const notice = { what: 'password_changed', userId: reader.id, who: reader.id, isRemoved: false }
        const payload = { notice: { ...notice, at: '2026-01-01T00:00:00Z' } }
        await world.db.transaction((tx) => addJobs(tx, [{ queue: 'mail', lane: `account ${reader.id}`, payload }]))
        const { status, text } = await world.nobody.post('/rest/account/password', { login: forgetful.login })
        assert.equal(status, 202, text)
        const recipients = () => mailServer.notices.flatMap((message) => message.recipients)
        await until(() => mailServer.notices.length > 0)
        assert.deepEqual(recipients(), [forgetful.login])
        assert.deepEqual(mailServer.messages, [])
        letGo()
        await mailSettled(world)
        assert.deepEqual(recipients(), [forgetful.login, reader.login])
        for (const bug of bugs) {
          const subjects = lettersTo(reader.login).map(({ subject }) => subject)
          const own = subjects.filter((subject) => subject.startsWith(`[Bug ${bug}]`))
          assert.deepEqual(own, [`[Bug ${bug}] New: Something is wrong`, `[Bug ${bug}] Something is wrong`])
        }
      },
    )

    it('lists account mail that was rejected, retries and deletes it', async () => {
      const reader = await person(world)
      mailServer.onRecipient = async (address) => {
        if (address === reader.login) throw reply(550, 'No such mailbox')
      }
      const ask = () => world.nobody.post('/rest/account/password', { login: reader.login })
      const rejected = async () => {
        await mailSent(world)
        const { dead, messages } = await undelivered(world)
        assert.equal(dead, 1)
        assert.deepEqual([messages[0].to, messages[0].about], [reader.login, 'account'])
        assert.equal((await readMetrics(world.url)).get('lacewing_queue_failed{queue="account mail"}'), 1)
        return messages[0].id
      }
      assert.equal((await ask()).status, 202)
      const id = await rejected()
      assert.deepEqual((await world.ada.post('/rest/mail/undelivered/retry')).body, { ids: [id], waiting: 0 })
      assert.equal(await rejected(), id)
      assert.deepEqual((await world.ada.delete(`/rest/mail/undelivered?ids=${id}`)).body, { ids: [id] })
      assert.equal((await undelivered(world)).dead, 0)
    })

    itOnOneEngine(world, 'is visible only to administrators', async () => {
      for (const [client, code] of [
        [world.nobody, 410],
        [world.edna, 304],
        [world.uma, 304],
      ] as const) {
        assertRefused(await client.get('/rest/mail/undelivered'), 401, code)
        assertRefused(await client.post('/rest/mail/undelivered/retry'), 401, code)
        assertRefused(await client.delete('/rest/mail/undelivered?ids=1'), 401, code)
      }
      assertRefused(await world.ada.get('/rest/mail/undelivered?state=lost'), 400, 53)
      assertRefused(await world.ada.get('/rest/mail/undelivered?limit=0'), 400, 53)
    })
  },
  { LACEWING_SMTP_URL: mailServer.url },
)

const secure = await opened({
  secure: true,
  authOptional: false,
  onAuth: ({ username, password }, _, done) =>
    username === 'lacewing' && password === 'p@ss word'
      ? done(null, { user: username })
      : done(Object.assign(new Error('Wrong'), { responseCode: 535 })),
})

describeDeliveryOnOneEngine(
  'mail over TLS',
  (world) => {
    it('is sent with the login of the address', async () => {
      secure.clear()
      const reader = await person(world)
      await fileBug(world.edna, { cc: [reader.login] })
      await mailSettled(world)
      assert.equal(secure.messages.filter(({ recipients }) => recipients.includes(reader.login)).length, 1)
    })
  },
  {
    LACEWING_SMTP_URL: `smtps://lacewing:p%40ss%20word@127.0.0.1:${secure.port}/?tls.rejectUnauthorized=false`,
  },
)

describeDeliveryOnOneEngine(
  'mail with a wrong login',
  (world) => {
    it('waits, and reports why', async () => {
      const reader = await newMember(world, 'editbugs', 'canconfirm')
      await fileBug(world.edna, { cc: [reader.login] })
      const isTried = (it: Undelivered) => it.to === reader.login && it.bug_id !== null && it.error !== ''
      await until(async () => (await undelivered(world, '?state=waiting')).messages.some(isTried))
      const { dead, messages } = await undelivered(world, '?state=waiting')
      assert.equal(dead, 0)
      const { error } = messages.find(isTried)
      assert.match(error, /535/)
      assert.doesNotMatch(JSON.stringify(messages), /not-the-password/)
      assert.doesNotMatch(JSON.stringify(world.logged), /not-the-password/)
    })
  },
  { LACEWING_SMTP_URL: `smtps://lacewing:not-the-password@127.0.0.1:${secure.port}/?tls.rejectUnauthorized=false` },
)

describeDeliveryOnOneEngine('mail without a mail server', (world) => {
  it('is saved as files, which the log mentions', async () => {
    const folder = join(world.dataFolder, 'mail')
    const reader = await person(world)
    const bug = await fileBug(world.edna, { cc: [reader.login], summary: 'Kept' })
    await changeBug(world.edna, bug, { priority: 'High' })
    await mailSettled(world)
    const said = world.logged.find(({ event }) => event === 'mail stored, not sent')
    assert.equal(said?.folder, folder)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.eml'))
    const messages = files.map((file) => parseMail(readFileSync(join(folder, file))))
    const own = messages.filter(({ headers }) => headers.get('to')?.includes(reader.login))
    assert.deepEqual(own.map(({ subject }) => subject).sort(), [
      'You have an account',
      `[Bug ${bug}] Kept`,
      `[Bug ${bug}] New: Kept`,
    ])
    for (const file of files) assert.equal(statSync(join(folder, file)).mode & 0o077, 0)
  })

  it('is deleted after some days, without other files', async () => {
    const folder = join(world.dataFolder, 'mail')
    const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
    const [old, edge, recent] = [dayAgo(31), dayAgo(30), dayAgo(0)]
    const elsewhere = join(world.dataFolder, 'elsewhere')
    const put = (...path: string[]) => {
      mkdirSync(join(...path.slice(0, -1)), { recursive: true })
      writeFileSync(join(...path), 'x')
    }
    const kept = [
      [folder, edge, 'a.eml'],
      [folder, recent, 'a.eml'],
      [folder, dayAgo(50), 'notes.txt'],
      [folder, 'archive', 'a.eml'],
      [folder, `${dayAgo(50)}-copy`, 'a.eml'],
      [folder, `${dayAgo(60)}.eml`],
      [elsewhere, 'a.eml'],
    ]
    const gone = [
      [folder, old, 'a.eml'],
      [folder, old, 'b.eml.part'],
      [folder, dayAgo(50), 'a.eml'],
    ]
    for (const path of [...kept, ...gone]) put(...path)
    symlinkSync(elsewhere, join(folder, dayAgo(70)))
    const isThere = (path: readonly string[]) => existsSync(join(...path))
    const forget = (keep_mail_days: number) =>
      world.withParameters({ keep_mail_days }, () => forgetKeptMail(world.db, world.dataFolder))

    await forget(0)
    await forget(32_000)
    assert.ok(isThere([folder, old, 'a.eml']))
    // As it ships.
    await forgetKeptMail(world.db, world.dataFolder)
    await forgetKeptMail(world.db, world.dataFolder)
    assert.deepEqual(gone.filter(isThere), [])
    assert.deepEqual(kept.filter(isThere), kept)
    assert.equal(isThere([folder, old]), false)
    await forget(1)
    assert.equal(isThere([folder, edge]), false)
    assert.ok(isThere([folder, recent, 'a.eml']))
    await forgetKeptMail(world.db, join(world.dataFolder, 'nothing here'))
  })
})
