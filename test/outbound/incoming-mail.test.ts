import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import { Installation } from '../../src/access/installation.ts'
import { watchMaildir } from '../../src/outbound/incoming/watch-maildir.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import type { Facts } from '../../src/platform/monitoring/log.ts'
import { timeNow } from '../../src/platform/time/clock.ts'
import type { BodyAt } from '../support/body-types.ts'
import { cast } from '../support/cast.ts'
import { readComments } from '../support/discussion.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { assertRefused } from '../support/refusal.ts'
import { inherited, MAIN, newInstallation, ServerProcess, stopAll } from '../support/server-process.ts'
import { sure } from '../support/sure.ts'
import { until } from '../support/until.ts'
import {
  type Client,
  describeDeliveryOnOneEngine,
  describeWithDelivery,
  itOnce,
  itOnOneEngine,
  type World,
} from '../support/world.ts'

const maildir = join(mkdtempSync(join(tmpdir(), 'lacewing-maildir-')), 'Maildir')
const INSTALLATION = 'bugs@tracker.test'

let count = 0

/** Puts a message where a mail server would, and waits until it was looked at. Answers whether it was taken. */
async function deliver(lines: readonly string[]): Promise<'taken' | 'refused'> {
  const name = `${Date.now()}.${++count}.host`
  for (const folder of ['tmp', 'new', 'cur']) mkdirSync(join(maildir, folder), { recursive: true })
  writeFileSync(join(maildir, 'tmp', name), lines.join('\r\n'))
  renameSync(join(maildir, 'tmp', name), join(maildir, 'new', name))
  const end = Date.now() + 20_000
  for (;;) {
    const done = readdirSync(join(maildir, 'cur')).find((file) => file.startsWith(name))
    if (done !== undefined) return done.endsWith('S') ? 'taken' : 'refused'
    assert.ok(Date.now() < end, 'Nobody took the message')
    await sleep(20)
  }
}

interface Written {
  to: string
  subject?: string
  headers?: readonly string[]
  body?: readonly string[]
}

function message({ to, subject = 'Something is wrong', headers = [], body = ['It broke.'] }: Written): string[] {
  return [
    'From: Whoever <whoever@elsewhere.test>',
    `To: The tracker <${to}>`,
    `Subject: ${subject}`,
    `Message-ID: <${++count}.${Math.random()}@elsewhere.test>`,
    ...headers,
    '',
    ...body,
  ]
}

const NEW_BUG = ['@product = TestProduct', '@component = TestComponent', '', 'It broke.']

async function addressOf(who: Client, login: string): Promise<string> {
  const { status, body, text } = await who.get(`/rest/user/${login}/mail_address`)
  assert.equal(status, 200, text)
  return body.address
}

const forBug = (address: string, bug: number) => address.replace('@', `-${bug}@`)

async function commentsOf(world: World, bug: number) {
  return readComments(world.ada, bug)
}

async function newestBug(world: World): Promise<number> {
  const rows = await world.db.query((q) => q.selectFrom('bugs').select((row) => row.fn.max<number>('id').as('id')))
  return rows[0]?.id ?? 0
}

describeWithDelivery(
  'Incoming mail',
  (world) => {
    let edna = ''
    let stan = ''
    before(async () => {
      await world.ada.put('/rest/parameters', { incoming_address: INSTALLATION })
      await world.ada.put('/rest/product/TestProduct/group_control/security', { membercontrol: 'Shown' })
      edna = await addressOf(world.edna, cast.edna.login)
      stan = await addressOf(world.stan, cast.stan.login)
    })

    itOnOneEngine(
      world,
      'becomes a bug with fields and files, filed by the owner of the address that it was sent to',
      async () => {
        const written = message({
          to: edna,
          subject: 'Re: =?UTF-8?B?R3LDvMOfZQ==?= from the mail',
          headers: ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=x'],
          body: [
            '--x',
            'Content-Type: text/plain; charset=utf-8',
            'Content-Transfer-Encoding: 8bit',
            '',
            '@product = TestProduct',
            '@component = TestComponent',
            '@priority High',
            `@cc ${cast.rhea.login}, ${cast.stan.login}`,
            '',
            'It broke in the Küche.',
            '-- ',
            'Edna',
            '--x',
            'Content-Type: text/x-log; name="../../etc/a log.txt"',
            'Content-Disposition: attachment; filename="../../etc/a log.txt"',
            'Content-Transfer-Encoding: base64',
            '',
            Buffer.from('what was logged').toString('base64'),
            '--x--',
          ],
        })
        assert.equal(await deliver(written), 'taken')
        const id = await newestBug(world)
        const bug = await readBug(world.ada, id)
        assert.deepEqual(
          [bug.summary, bug.creator, bug.priority, bug.cc],
          ['Grüße from the mail', cast.edna.login, 'High', [cast.rhea.login, cast.stan.login]],
        )
        const [description] = await commentsOf(world, id)
        assert.equal(description.text, 'It broke in the Küche.')
        const { body } = await world.ada.get(`/rest/bug/${id}/attachment`)
        const [file] = sure(body.bugs[id])
        assert.deepEqual(
          [file.file_name, file.content_type, file.creator, Buffer.from(file.data, 'base64').toString()],
          ['a log.txt', 'text/x-log', cast.edna.login, 'what was logged'],
        )
      },
    )

    itOnOneEngine(world, 'becomes a comment on the bug that its address, subject or thread names', async () => {
      const id = await fileBug(world.edna)
      const address = [
        message({ to: forBug(stan, id), body: ['By address.'] }),
        message({ to: stan, subject: `Re: [Bug ${id}] Something`, body: ['By subject.'] }),
        message({
          to: stan,
          headers: [`In-Reply-To: <bug-${id}-5-abcdefghij@https.tracker.test/>`],
          body: ['By thread.', '', 'On Sunday somebody wrote:', '> all that there was'],
        }),
        message({
          to: stan,
          subject: `[bug ${id}]`,
          headers: ['MIME-Version: 1.0', 'Content-Type: text/html'],
          body: ['<p>As a <b>page</b>.</p>'],
        }),
      ]
      for (const written of address) assert.equal(await deliver(written), 'taken')
      const comments = await commentsOf(world, id)
      assert.deepEqual(
        comments.slice(1).map(({ text, creator }) => [text, creator]),
        ['By address.', 'By subject.', 'By thread.', 'As a page.'].map((text) => [text, cast.stan.login]),
      )
    })

    itOnOneEngine(world, 'changes fields if the user may, together with a comment', async () => {
      const id = await fileBug(world.edna)
      const change = ['@status = RESOLVED', '@resolution FIXED', '@keywords', '', 'Done.']
      assert.equal(
        await deliver(message({ to: forBug(edna, id), body: change.filter((line) => line !== '@keywords') })),
        'taken',
      )
      const bug = await readBug(world.ada, id)
      assert.deepEqual([bug.status, bug.resolution], ['RESOLVED', 'FIXED'])
      assert.equal((await commentsOf(world, id)).at(-1)?.text, 'Done.')
      const forbidden = message({
        to: forBug(stan, id),
        body: ['@status = CONFIRMED', '@priority = High', 'Not done.'],
      })
      assert.equal(await deliver(forbidden), 'refused')
      assert.equal((await readBug(world.ada, id)).status, 'RESOLVED')
    })

    itOnOneEngine(world, 'is refused as a whole if the user may not make one of its changes', async () => {
      const hidden = await fileBug(world.sven, { groups: ['security'] })
      const before = await newestBug(world)
      for (const written of [
        message({ to: forBug(stan, hidden) }),
        message({ to: forBug(stan, 4711) }),
        message({ to: stan, body: ['@product = NoSuchProduct', '@component = x', 'It broke.'] }),
        message({ to: stan, body: ['No product at all.'] }),
        message({
          to: stan,
          body: ['@product = TestProduct', '@component = TestComponent', '@nosuchfield = x', 'It broke.'],
        }),
      ])
        assert.equal(await deliver(written), 'refused', written.join('\n'))
      assert.equal(await newestBug(world), before)
      assert.equal((await commentsOf(world, hidden)).length, 1)
    })

    itOnOneEngine(world, 'is refused if its owner has just joined and has written enough for a day', async () => {
      const { id, login, client } = await world.newUser()
      const joined_at = timeNow()
      await world.db.query((q) => q.updateTable('users').set({ joined_at }).where('id', '=', id))
      const to = await addressOf(client, login)
      await world.withParameters({ new_account_bugs: 1 }, async () => {
        assert.equal(await deliver(message({ to, body: NEW_BUG })), 'taken')
        assert.equal(await deliver(message({ to, body: NEW_BUG })), 'refused')
      })
    })

    itOnOneEngine(world, 'stores none of its files if it is refused', async () => {
      const stored = () => globSync(join(world.dataFolder, 'attachments/??/*')).length
      const withFile = (to: string, text: readonly string[]) =>
        message({
          to,
          headers: ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=x'],
          body: [
            ...['--x', 'Content-Type: text/plain', '', ...text],
            ...['--x', 'Content-Type: text/plain; name=a.txt', 'Content-Disposition: attachment; filename=a.txt', ''],
            ...[world.unique('a file '), '--x--'],
          ],
        })
      const [seen, hidden] = [await fileBug(world.rhea), await fileBug(world.sven, { groups: ['security'] })]
      const before = stored()
      for (const written of [
        withFile(stan, ['@product = NoSuchProduct', '@component = x', 'It broke.']),
        withFile(forBug(stan, seen), ['@priority NOSUCH', 'It broke.']),
        withFile(forBug(stan, hidden), ['It broke.']),
      ])
        assert.equal(await deliver(written), 'refused', written.join('\n'))
      assert.equal(stored(), before)
      assert.equal(await deliver(withFile(forBug(edna, seen), ['@priority High', 'It broke.'])), 'taken')
      assert.equal(stored(), before + 1)
      assert.equal((await readBug(world.ada, seen)).priority, 'High')
      assert.equal((await commentsOf(world, seen)).filter(({ text }) => text === 'It broke.').length, 1)
    })

    itOnOneEngine(world, 'can be a reply to mail of the tracker, from any mail program', async () => {
      const id = await fileBug(world.edna, { cc: [cast.stan.login] })
      await world.edna.put(`/rest/bug/${id}`, { whiteboard: 'Changed' })
      const answerTo = await until(async () => {
        const files = globSync(join(world.dataFolder, 'mail/*/*.eml'))
        const mails = await Promise.all(files.map((file) => PostalMime.parse(readFileSync(file))))
        const mail = mails.find(
          ({ to, subject }) => to?.[0]?.address === cast.stan.login && subject?.includes(`[Bug ${id}]`),
        )
        return mail?.replyTo?.[0]?.address
      })
      assert.equal(answerTo, forBug(stan, id))
      assert.equal(await deliver(message({ to: answerTo, subject: 'Re: whatever', body: ['Answered.'] })), 'taken')
      assert.equal((await commentsOf(world, id)).at(-1)?.text, 'Answered.')
    })

    itOnOneEngine(world, 'never identifies its author by its headers', async () => {
      const written = message({
        to: stan,
        body: [...NEW_BUG.slice(0, 2), `@creator = ${cast.ada.login}`, '', 'It broke.'],
      })
      const forged = written.map((line) => line.replace(/^From: .*/, `From: ${cast.ada.login}`))
      await deliver(forged)
      assert.equal((await readBug(world.ada, await newestBug(world))).creator, cast.stan.login)
    })

    itOnOneEngine(
      world,
      'is refused if the secret in the address is missing, wrong or outdated, which administrators can read',
      async () => {
        const owner = await world.newUser()
        const address = await addressOf(owner.client, owner.login)
        assert.equal(await deliver(message({ to: address, body: NEW_BUG })), 'taken')
        const wrong = address.replace(/-[a-z2-7]/, (it) => (it === '-a' ? '-b' : '-a'))
        for (const to of [INSTALLATION, wrong, `bugs+${owner.id}@tracker.test`, cast.edna.login])
          assert.equal(await deliver(message({ to, body: NEW_BUG })), 'refused', to)
        const renewed = await owner.client.post(`/rest/user/${owner.login}/mail_address`)
        assert.equal(renewed.status, 201)
        assert.notEqual(renewed.body.address, address)
        assert.equal(await deliver(message({ to: address, body: NEW_BUG })), 'refused')
        assert.equal(await deliver(message({ to: renewed.body.address, body: NEW_BUG })), 'taken')
        await world.ada.put(`/rest/user/${owner.id}`, { login_denied_text: 'Away' })
        assert.equal(await deliver(message({ to: renewed.body.address, body: NEW_BUG })), 'refused')
        const { incoming } = (await world.ada.get('/rest/admin/mail')).body
        assert.deepEqual([incoming.address, incoming.has_maildir, incoming.waiting], [INSTALLATION, true, 0])
        assert.ok(incoming.accepted >= 2)
        const last = incoming.refused.slice(0, 2).map(({ reason, user }) => [reason, user])
        assert.deepEqual(last, [
          ['the account is disabled', owner.login],
          ['the secret word in the address is wrong or was replaced', null],
        ])
      },
    )

    itOnOneEngine(world, 'finds the address also in headers that only the mail server writes', async () => {
      const written = message({ to: 'everybody@lists.test', headers: [`Delivered-To: ${stan}`], body: NEW_BUG })
      assert.equal(await deliver(written), 'taken')
    })

    for (const header of [
      'Auto-Submitted: auto-replied',
      'Auto-Submitted: auto-generated',
      'Precedence: bulk',
      'Precedence: auto_reply',
      'X-Autoreply: yes',
      'List-Id: <everybody.lists.test>',
      'Content-Type: multipart/report; boundary=x',
      'Return-Path: <>',
      'X-Tracker-Type: changed',
      'X-Bugzilla-Type: changed',
    ])
      itOnce(world, `is refused when a program sent it: ${header}`, async () => {
        const before = await newestBug(world)
        assert.equal(await deliver(message({ to: edna, headers: [header], body: NEW_BUG })), 'refused')
        assert.equal(await newestBug(world), before)
      })

    itOnOneEngine(
      world,
      'is accepted if its header says that it is not automatic, and refused if it loops',
      async () => {
        assert.equal(await deliver(message({ to: edna, headers: ['Auto-Submitted: no'], body: NEW_BUG })), 'taken')
        const circles = Array.from({ length: 60 }, (_, hop) => `Received: from hop${hop}.test by hop${hop + 1}.test`)
        assert.equal(await deliver(message({ to: edna, headers: circles, body: NEW_BUG })), 'refused')
      },
    )

    itOnOneEngine(world, 'is accepted once, even if it is delivered several times', async () => {
      const id = await fileBug(world.edna)
      const written = message({ to: forBug(edna, id), body: ['Once.'] })
      for (let time = 0; time < 3; time++) assert.equal(await deliver(written), 'taken')
      assert.equal((await commentsOf(world, id)).length, 2)
    })

    itOnOneEngine(world, 'leaves nothing of itself in the log', () => {
      const log = JSON.stringify(world.logged)
      assert.ok(log.includes('mail refused') && log.includes('mail accepted'))
      for (const secret of ['It broke', edna, stan, 'whoever@elsewhere.test']) assert.ok(!log.includes(secret), secret)
    })

    itOnOneEngine(world, 'handles input that is not a message', async () => {
      const junk = [
        Buffer.alloc(0),
        Buffer.alloc(5000, 0),
        Buffer.from('Content-Type: multipart/mixed; boundary=x\r\n\r\n--x'.repeat(500)),
        nestedMessage(300),
      ]
      for (const bytes of junk) assert.equal(await deliver([bytes.toString('latin1')]), 'refused')
    })

    itOnOneEngine(world, 'accepts the messages after one that fails', async () => {
      const id = await fileBug(world.edna)
      // A folder cannot be read as a file, so it fails again and again.
      mkdirSync(join(maildir, 'new', '0.unreadable'))
      assert.equal(await deliver(message({ to: forBug(edna, id), body: ['Behind it.'] })), 'taken')
      const failed = world.logged.find(({ event, file }) => event === 'mail failed' && file === '0.unreadable')
      assert.equal(failed?.isSetAside, false)
      rmdirSync(join(maildir, 'new', '0.unreadable'))
    })
  },
  { LACEWING_MAILDIR: maildir },
)

describeDeliveryOnOneEngine('GET /rest/user/(self)/mail_address', (world) => {
  it('is available only to its owner, with permanent credentials that may write, if incoming mail is on', async () => {
    const path = `/rest/user/${cast.stan.login}/mail_address` as const
    assertRefused(await world.stan.get(path), 400, 32000)
    await world.ada.put('/rest/parameters', { incoming_address: INSTALLATION })
    const { body } = await world.stan.get(path)
    assert.match(body.address, /^bugs\+\d+-[a-z2-7]{26}@tracker\.test$/)
    assert.deepEqual((await world.stan.get(path)).body, body)
    assertRefused(await world.nobody.get(path), 401, 410)
    for (const who of ['edna', 'ada'] as const)
      for (const method of ['get', 'post'] as const) assertRefused(await world[who][method](path), 401, 304)
    for (const wanted of [{ scopes: ['read'] }, { expires_at: '2100-01-01' }]) {
      const { body: key } = await world.stan.post(`/rest/user/${cast.stan.login}/api_key`, wanted)
      assertRefused(await world.as({ 'X-TRACKER-API-KEY': key.api_key }).get(path), 401, 304)
    }
    assert.ok(!JSON.stringify(world.logged).includes(body.address))
  })
})

describeDeliveryOnOneEngine('a message that always fails', (world) => {
  it('is moved to the folder failed after some attempts, and logged', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'lacewing-maildir-')), 'Maildir')
    mkdirSync(join(folder, 'new', '0.unreadable'), { recursive: true })
    const config = readConfig({ LACEWING_MAILDIR: folder, LACEWING_DATA: world.dataFolder })
    const installation = new Installation(world.db)
    const log = {
      info: () => {},
      error: (event: string, facts: Facts = {}) => void logged.push({ event, ...facts }),
      flush,
    }
    const watching = watchMaildir({ db: world.db, config, log, installation, baseUrl: () => world.url }, [0, 0])
    await until(async () => {
      // Something that changes in the folder starts the next round.
      writeFileSync(join(folder, 'new', '.changed'), String(++count))
      return existsSync(join(folder, 'failed', '0.unreadable')) || undefined
    })
    await watching.end()
    assert.deepEqual(
      logged.map(({ event, attempts, isSetAside }) => [event, attempts, isSetAside]),
      [
        ['mail failed', 1, false],
        ['mail failed', 2, false],
        ['mail failed', 3, true],
      ],
    )
  })

  it('is moved there also if the server ends during each attempt', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'lacewing-maildir-')), 'Maildir')
    for (const name of ['new', 'cur', 'tmp']) mkdirSync(join(folder, name), { recursive: true })
    for (const name of ['0.fatal', '1.behind']) writeFileSync(join(folder, 'new', name), 'Subject: x\r\n\r\nx')
    // What is left behind by servers that ended while they took it.
    writeFileSync(join(folder, 'tmp', 'lacewing-attempts-0.fatal'), '5')
    const config = readConfig({ LACEWING_MAILDIR: folder, LACEWING_DATA: world.dataFolder })
    const installation = new Installation(world.db)
    const log = { info: () => {}, error: () => {}, flush }
    const watching = watchMaildir({ db: world.db, config, log, installation, baseUrl: () => world.url })
    await until(async () => existsSync(join(folder, 'failed', '0.fatal')) || undefined)
    await until(async () => readdirSync(join(folder, 'cur'))[0])
    await watching.end()
    assert.deepEqual(readdirSync(join(folder, 'tmp')), [])
    assert.deepEqual(readdirSync(join(folder, 'new')), [])
  })

  const logged: ({ event: string } & Facts)[] = []
  const flush = async () => {}
})

/** Parts in parts, so many levels deep. */
function nestedMessage(levels: number): Buffer {
  const depths = Array.from({ length: levels }, (_, level) => level)
  const opened = depths.map((level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`)
  return Buffer.from(`${opened.join('')}\r\nDeep.\r\n`)
}

describe('receive-mail', () => {
  after(stopAll)

  /** Hands a message to the program as a mail server does. */
  function receive(environment: Record<string, string>, lines: readonly string[]) {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, 'receive-mail'], {
      env: { ...inherited(), ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let said = ''
    child.stdout.on('data', (chunk) => (said += chunk))
    child.stderr.on('data', (chunk) => (said += chunk))
    child.stdin.end(lines.join('\r\n'))
    return new Promise<{ code: number | null; said: string }>((resolve) =>
      child.once('close', (code) => resolve({ code, said })),
    )
  }

  it('takes a message from standard input, beside a server that runs, and says how it went as mail servers expect', async () => {
    const environment = await newInstallation('sqlite')
    const server = new ServerProcess(environment)
    const { url } = await server.listening()
    const ask = async <const Verb extends string, const Path extends string>(
      method: Verb,
      path: Path,
      body?: object,
    ) => {
      const headers = { 'Content-Type': 'application/json', 'X-TRACKER-API-KEY': cast.ada.apiKey }
      const reply = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      return (await reply.json()) as BodyAt<Verb, Path>
    }
    await ask('PUT', '/rest/parameters', { incoming_address: INSTALLATION })
    const { address } = await ask('GET', '/rest/user/1/mail_address')
    assert.deepEqual(await receive(environment, message({ to: address, body: NEW_BUG })), {
      code: 0,
      said: 'The message was filed as bug 1001.\n',
    })
    assert.equal((await ask('GET', '/rest/bug/1001')).bugs[0].summary, 'Something is wrong')
    assert.deepEqual(await receive(environment, message({ to: 'nobody@tracker.test', body: NEW_BUG })), {
      code: 65,
      said: 'The message is refused: it is not addressed to a user’s mail address.\n',
    })
    await stopAll()
    const broken = { ...environment, LACEWING_DATABASE_URL: 'postgres://127.0.0.1:1/nothing' }
    assert.equal((await receive(broken, message({ to: address, body: NEW_BUG }))).code, 75)
  })
})
