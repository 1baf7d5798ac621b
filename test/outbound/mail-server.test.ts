import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, before, it } from 'node:test'
import { fileBug } from '../support/file-bug.ts'
import { freePort } from '../support/free-port.ts'
import { reply, TestMailServer } from '../support/mail-server.ts'
import { mailSent } from '../support/mail-settled.ts'
import { newMember } from '../support/new-member.ts'
import { assertRefused } from '../support/refusal.ts'
import { until } from '../support/until.ts'
import { describeOnSqlite, describeWithDelivery, itOnce, type World } from '../support/world.ts'

const PASSWORD = 'geheim@42'
const withLogin = { authOptional: true, allowInsecureAuth: true, disabledCommands: ['STARTTLS'] }

describeWithDelivery('the mail server as a parameter', (world) => {
  const one = new TestMailServer({ ...withLogin, onAuth: (_, __, done) => done(null, { user: 'bugs' }) })
  const two = new TestMailServer()
  before(async () => {
    await one.open()
    await two.open()
  })
  after(async () => {
    await one.close()
    await two.close()
  })
  const urlOf = ({ port }: TestMailServer, login = '') => `smtp://${login}127.0.0.1:${port}`
  const login = `bugs-user:${encodeURIComponent(PASSWORD)}@`
  const set = (smtp_url: string) => world.ada.put('/rest/parameters', { smtp_url })
  const mailTo = async (server: TestMailServer) => {
    const reader = await newMember(world)
    await fileBug(world.edna, { cc: [reader.login] })
    await until(() => server.messages.some(({ recipients }) => recipients.includes(reader.login)))
    await mailSent(world)
  }

  it('is used by the next message without a restart, and is shown without its login', async () => {
    const before = (await world.ada.get('/rest/admin/mail')).body
    assert.deepEqual([before.source, before.server], ['none', null])
    const changed = await set(urlOf(one, login))
    assert.equal(changed.status, 200, changed.text)
    await mailTo(one)
    const state = await world.ada.get('/rest/admin/mail')
    assert.equal(state.body.source, 'parameter')
    const shown = { host: '127.0.0.1', port: one.port, security: 'opportunistic', has_login: true }
    assert.deepEqual(state.body.server, shown)
    const kept = await set(`smtp://********@127.0.0.1:${one.port}`)
    assert.deepEqual(kept.body.changes, {}, 'the hidden login sent back changes nothing')
    const texts = [changed.text, state.text, JSON.stringify(world.logged)]
    for (const path of ['/rest/parameters', '/rest/admin/parameters', '/rest/audit?class=Tracker::Parameter'] as const)
      texts.push((await world.ada.get(path)).text)
    assert.doesNotMatch(texts.join('\n'), /geheim|bugs-user/)
    assert.match(texts.join('\n'), /smtp:\/\/\*{8}@127\.0\.0\.1/)
    await set(urlOf(two))
    await mailTo(two)
    await set('')
    assert.equal((await world.ada.get('/rest/admin/mail')).body.source, 'none')
  })

  it('gets its login again for another server, which would otherwise learn it', async () => {
    await set(urlOf(one, login))
    for (const other of [`smtp://********@127.0.0.1:${two.port}`, `smtps://********@127.0.0.1:${one.port}`]) {
      const refused = await set(other)
      assertRefused(refused, 400, 53)
      assert.match(refused.body.message, /needs user and password again/)
    }
    assert.equal((await world.ada.get('/rest/admin/mail')).body.server?.port, one.port)
    await set('')
    assertRefused(await set(`smtp://********@127.0.0.1:${one.port}`), 400, 53)
  })

  it('is changed, read and tested by administrators only', async () => {
    assertRefused(await world.pam.put('/rest/parameters', { smtp_url: urlOf(two) }), 401, 304)
    assertRefused(await world.pam.get('/rest/admin/mail'), 401, 304)
    assertRefused(await world.pam.post('/rest/admin/mail/test'), 401, 304)
    assertRefused(await world.nobody.get('/rest/admin/mail'), 401, 410)
    assertRefused(await world.nobody.post('/rest/admin/mail/test'), 401, 410)
  })

  itOnce(world, 'does not repeat its login in a refusal', async () => {
    const refused = await set('smtp://bugs-user:geheim42@mail.test/xx')
    assertRefused(refused, 400, 53)
    assert.doesNotMatch(refused.text, /geheim|bugs-user/)
  })

  it('is tested by a message to the administrator, with its answer, at most five times a minute', async () => {
    const test = () => world.ada.post('/rest/admin/mail/test')
    const none = await test()
    assert.deepEqual([none.status, none.body.sent], [200, false])
    assert.match(none.body.sentence, /^No mail server is set/)
    two.clear()
    await set(urlOf(two))
    await world.ada.put('/rest/parameters', { site_name: 'Skylark' })
    const sent = await test()
    await world.ada.put('/rest/parameters', { site_name: '' })
    assert.deepEqual([sent.status, sent.body.sent, sent.body.to], [200, true, 'ada@lacewing.test'])
    assert.match(sent.body.sentence, /has accepted a message from lacewing@localhost to ada@lacewing\.test\.$/)
    assert.deepEqual(
      two.notices.filter(({ subject }) => subject === '[Skylark] Test message').map(({ recipients }) => recipients),
      [['ada@lacewing.test']],
    )
    two.onRecipient = async () => {
      throw reply(550, 'No such mailbox')
    }
    assert.match((await test()).body.sentence, /has refused a message .*550 No such mailbox/)
    // At most five, also of many at once.
    const more = await Promise.all([test(), test(), test(), test()])
    assert.deepEqual(more.map(({ status }) => status).sort(), [200, 200, 429, 429])
    assertRefused(await test(), 429, 32000)
    const { body } = await world.ada.get('/rest/audit?class=Tracker::Mail')
    assert.deepEqual(
      new Set(body.audit.map(({ field, added }) => `${field} ${added}`)),
      new Set(['test ada@lacewing.test']),
    )
    assert.equal(body.audit.length, 5)
    two.clear()
    await forgetTests(world)
    await set('')
  })

  itOnce(world, 'cannot be used to read other services, nor its own login', async () => {
    const sentenceFor = async (smtp_url: string) => {
      assert.equal((await set(smtp_url)).status, 200)
      await forgetTests(world)
      return (await world.ada.post('/rest/admin/mail/test')).body.sentence
    }
    const service = createServer((socket) => socket.end('SSH-2.0-inner secret\r\n'))
    const port = await freePort()
    await new Promise<void>((resolve) => service.listen(port, '127.0.0.1', resolve))
    const said = await sentenceFor(`smtp://127.0.0.1:${port}`)
    service.close()
    assert.match(said, /cannot be used: It does not answer like a mail server/)
    assert.doesNotMatch(said, /inner|SSH/)
    const echo = new TestMailServer({
      ...withLogin,
      onAuth: ({ username, password }, _, done) => done(reply(535, `No ${username} with ${password}`)),
    })
    await echo.open()
    for (const sent of [login, 'bugs-user:kurz7@']) {
      const echoed = await sentenceFor(urlOf(echo, sent))
      assert.match(echoed, /535/)
      assert.doesNotMatch(echoed, /geheim|kurz7|bugs-user/)
    }
    await echo.close()
    await set('')
  })

  it('sends what waits after a test that succeeds, and lets administrators delete what waits', async () => {
    const port = await freePort()
    await set(`smtp://127.0.0.1:${port}`)
    const [first, second] = [await newMember(world), await newMember(world)]
    const waiting = async () => (await world.ada.get('/rest/mail/undelivered?state=waiting')).body.messages
    const idsOf = async (to: string) => (await waiting()).filter((it) => it.to === to).map(({ id }) => id)
    await until(async () => {
      const all = await waiting()
      return [first, second].every(({ login }) => all.some(({ to, error }) => to === login && error !== ''))
    })
    await world.db.query((q) => q.updateTable('lanes').set({ due_at: '2099-01-01T00:00:00Z' }).where('lease', '=', ''))
    const ids = await idsOf(first.login)
    assertRefused(await world.edna.delete(`/rest/mail/undelivered?ids=${ids[0]}`), 401, 304)
    assert.deepEqual((await world.ada.delete(`/rest/mail/undelivered?ids=${ids[0]}&ids=999999`)).body, { ids })
    assert.deepEqual(await idsOf(first.login), [])
    const { body } = await world.ada.get('/rest/audit?class=Tracker::Mail&limit=1')
    assert.deepEqual(
      body.audit.map(({ field, removed }) => [field, removed]),
      [['messages', String(ids[0])]],
    )
    two.clear()
    await set(urlOf(two))
    assert.equal((await world.ada.post('/rest/admin/mail/test')).body.sent, true)
    await until(() => two.notices.some(({ recipients }) => recipients.includes(second.login)))
    await mailSent(world)
    assert.ok(!two.notices.some(({ recipients }) => recipients.includes(first.login)))
    assert.equal((await world.ada.get('/rest/admin/mail')).body.outage, null)
  })
})

function forgetTests(world: World) {
  return world.db.query((q) => q.deleteFrom('audit_log').where('class', '=', 'Mail'))
}

describeOnSqlite(
  'the mail server of the environment',
  (world) => {
    it('wins over the parameter, and is shown without its login', async () => {
      await world.ada.put('/rest/parameters', { smtp_url: 'smtps://other.test' })
      const { body, text } = await world.ada.get('/rest/admin/mail')
      assert.equal(body.source, 'environment')
      assert.deepEqual(body.server, { host: 'mail.test', port: 587, security: 'starttls', has_login: true })
      assert.doesNotMatch(text, /geheim|bugs-user/)
    })
  },
  { LACEWING_SMTP_URL: 'smtp://bugs-user:geheim@mail.test/?requireTLS=true' },
)
