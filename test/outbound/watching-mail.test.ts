import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { Installation } from '../../src/access/installation.ts'
import { listEventsAfter } from '../../src/outbound/events/outbox-store.ts'
import { currentMailContext } from '../../src/outbound/mail/mail-context.ts'
import type { MailJob } from '../../src/outbound/mail/mail-job.ts'
import { mailFirst, mailPage } from '../../src/outbound/mail/many/mail-many.ts'
import { planMail } from '../../src/outbound/mail/recipients/plan-mail.ts'
import { unsubscribeToken } from '../../src/outbound/mail/unsubscribe/unsubscribe-address.ts'
import { cast } from '../support/cast.ts'
import { changeBug } from '../support/change-bug.ts'
import { fileBug } from '../support/file-bug.ts'
import { TestMailServer } from '../support/mail-server.ts'
import { mailSettled } from '../support/mail-settled.ts'
import { newMember } from '../support/new-member.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import type { ReceivedMail } from '../support/parse-mail.ts'
import { itOnPostgres } from '../support/sample.ts'
import { sure } from '../support/sure.ts'
import { type Client, describeWithDelivery, itOnOneEngine } from '../support/world.ts'

type Member = Awaited<ReturnType<typeof newMember>>

const mailServer = await new TestMailServer().open()
after(() => mailServer.close())

const ADDRESS = /^<(https:\/\/bugs\.lacewing\.test(\/unsubscribe\/(\d+)\.(bug|watch|digest)\.([\d-]+)\.([\w-]{43})))>$/

describeWithDelivery(
  'mail about what users watch',
  (world) => {
    before(() =>
      world.ada.put('/rest/parameters', { insidergroup: 'security', urlbase: 'https://bugs.lacewing.test/' }),
    )
    beforeEach(async () => {
      await mailSettled(world)
      mailServer.clear()
    })

    async function mailTo({ login }: { login: string }): Promise<ReceivedMail[]> {
      await mailSettled(world)
      return mailServer.messages.filter(({ recipients }) => recipients.includes(login))
    }
    const header = (message: ReceivedMail | undefined, name: string) => message?.headers.get(name.toLowerCase())?.join()
    const unsubscribePath = (message: ReceivedMail | undefined) =>
      ADDRESS.exec(header(message, 'List-Unsubscribe') ?? '')?.[2] ?? ''
    const at = (path: string, method: 'GET' | 'POST') =>
      fetch(world.url + path, {
        method,
        ...(method === 'POST' && {
          body: 'List-Unsubscribe=One-Click',
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        }),
      })

    async function watcherOf(where: { product?: string; component?: string; keyword?: string }) {
      const user = await newMember(world, 'editbugs')
      const { keyword, ...place } = where
      const path = keyword === undefined ? '/rest/component-watching' : '/rest/keyword-watching'
      const { status, text } = await user.client.post(path, keyword === undefined ? place : { keyword })
      assert.equal(status, 200, text)
      return user
    }

    itOnOneEngine(world, 'comes once for any number of reasons, from the old and the new place of a bug', async () => {
      const [one, other] = [await newProduct(world, ['Core', 'Net']), await newProduct(world, ['Core'])]
      const keyword = world.unique('keyword')
      await world.ada.post('/rest/keyword', { name: keyword, description: 'For a test' })
      const core = await watcherOf({ product: one.name, component: 'Core' })
      const net = await watcherOf({ product: one.name, component: 'Net' })
      const all = await watcherOf({ product: one.name })
      const tagged = await watcherOf({ keyword })
      const elsewhere = await watcherOf({ product: other.name, component: 'Core' })
      await core.client.post('/rest/keyword-watching', { keyword })
      const bug = await fileBug(world.edna, {
        product: one.name,
        component: 'Core',
        version: '1.0',
        keywords: [keyword],
        cc: [tagged.login],
      })
      const reasons = async (user: { login: string }) =>
        (await mailTo(user)).map((it) => `${header(it, 'X-Bugzilla-Reason')}`)
      assert.deepEqual(await reasons(core), ['Component-Watcher Keyword-Watcher'])
      assert.deepEqual(await reasons(all), ['Product-Watcher'])
      assert.deepEqual(await reasons(tagged), ['CC Keyword-Watcher'])
      assert.deepEqual(await reasons(net), [])
      mailServer.clear()
      await changeBug(world.edna, bug, { component: 'Net', keywords: { remove: [keyword] } })
      for (const user of [core, net, all, tagged]) assert.equal((await mailTo(user)).length, 1)
      mailServer.clear()
      await changeBug(world.edna, bug, { product: other.name, component: 'Core', version: '1.0' })
      for (const user of [net, all, elsewhere]) assert.equal((await mailTo(user)).length, 1, user.login)
      assert.deepEqual(await mailTo(core), [])
    })

    itOnOneEngine(
      world,
      'follows the choice for this role, the rights and ignored bugs, and counts in the preview',
      async () => {
        const { name: product } = await newProduct(world)
        const [all, quiet, outsider] = [
          await watcherOf({ product, component: 'Core' }),
          await watcherOf({ product, component: 'Core' }),
          await watcherOf({ product, component: 'Core' }),
        ]
        await quiet.client.put(`/rest/user/${quiet.id}/mail`, {
          preferences: { watched_component: { comment: false } },
        })
        const bug = await fileBug(world.edna, { product, component: 'Core', version: '1.0' })
        await mailSettled(world)
        mailServer.clear()
        await changeBug(world.edna, bug, { comment: { body: 'for all' } })
        assert.deepEqual([(await mailTo(all)).length, (await mailTo(quiet)).length], [1, 0])
        await changeBug(world.sven, bug, { comment: { body: 'secret', is_private: true } })
        assert.equal((await mailTo(all)).length, 1)
        const preview = await all.client.get(`/rest/user/${all.id}/mail/preview`)
        assert.deepEqual([preview.body.present, preview.body.presets.concerns_me], [2, 1])
        const path = `/rest/product/${product}/group_control/security` as const
        await world.ada.put(path, { entry: true, membercontrol: 'Mandatory', othercontrol: 'Mandatory' })
        mailServer.clear()
        await changeBug(world.ada, bug, { comment: { body: 'hidden' }, groups: { add: ['security'] } })
        assert.deepEqual(await mailTo(outsider), [])
      },
    )

    itOnOneEngine(
      world,
      'has an address that ends the watch or ignores the bug: POST without a login, GET changes nothing',
      async () => {
        const { name: product } = await newProduct(world)
        const watcher = await watcherOf({ product, component: 'Core' })
        const reporter = await newMember(world, 'editbugs')
        const bug = await fileBug(world.edna, { product, component: 'Core', version: '1.0', cc: [reporter.login] })
        const [message] = await mailTo(watcher)
        assert.equal(header(message, 'List-Unsubscribe-Post'), 'List-Unsubscribe=One-Click')
        const [watchPath, bugPath] = [unsubscribePath(message), unsubscribePath((await mailTo(reporter))[0])]
        assert.match(watchPath, /\.watch\./)
        const watches = async () => (await watcher.client.get('/rest/component-watching')).body.length
        const asked = await at(watchPath, 'GET')
        assert.equal(asked.status, 200)
        assert.match(await asked.text(), /<form method="post">/)
        assert.equal(await watches(), 1)
        const wrong = [
          watchPath.replace(/\/(\d+)\./, `/${reporter.id}.`),
          watchPath.replace('.watch.', '.bug.'),
          watchPath.slice(0, -1),
          `/unsubscribe/${watcher.id}.bug.${bug}.${'A'.repeat(43)}`,
          '/unsubscribe/x',
        ]
        for (const path of wrong)
          for (const method of ['GET', 'POST'] as const) assert.equal((await at(path, method)).status, 404, path)
        assert.equal(await watches(), 1)
        for (const _ of [1, 2]) assert.equal((await at(watchPath, 'POST')).status, 200)
        assert.equal(await watches(), 0)
        assert.equal((await at(bugPath, 'POST')).status, 200)
        const { body } = await reporter.client.get(`/rest/user/${reporter.id}/mail`)
        assert.deepEqual(body.ignored_bugs, [bug])
        await watcher.client.post('/rest/component-watching', { product, component: 'Core' })
        await at(watchPath, 'POST')
        assert.equal(await watches(), 1)
      },
    )

    itOnOneEngine(
      world,
      'about a mention is not sent to who wants none, nor after all mail but requests was ended with one click',
      async () => {
        const [quiet, ended] = [await newMember(world), await newMember(world)]
        await quiet.client.put(`/rest/user/${quiet.id}/mail`, { preferences: { flags: { mentioned: false } } })
        const address = await unsubscribeToken(world.db, { userId: ended.id, kind: 'digest', ids: [0] })
        assert.equal((await at(`/unsubscribe/${address}`, 'POST')).status, 200)
        const { flags } = (await ended.client.get(`/rest/user/${ended.id}/mail`)).body.preferences
        assert.deepEqual(flags, { requested: true, answered: true, mentioned: false })
        const bug = await fileBug(world.edna)
        const nicks = await Promise.all(
          [quiet, ended].map(async ({ client }) => (await client.get('/rest/whoami')).body.nick),
        )
        await changeBug(world.edna, bug, { comment: { body: nicks.map((nick) => `@${nick}`).join(' ') } })
        for (const user of [quiet, ended]) {
          assert.deepEqual(await mailTo(user), [])
          await arrivesInInbox(user, bug)
        }
      },
    )

    itOnOneEngine(world, 'tells only those whom it mentions of an edit of a comment', async () => {
      const [mentioned, copied] = [await newMember(world), await newMember(world)]
      const { nick } = (await mentioned.client.get('/rest/whoami')).body
      const bug = await fileBug(world.edna, { cc: [copied.login] })
      const { id } = (await world.edna.post(`/rest/bug/${bug}/comment`, { comment: 'Who knows?' })).body
      await mailSettled(world)
      mailServer.clear()
      await world.edna.put(`/rest/editcomments/comment/${id}`, { new_comment: `Who knows? @${nick}` })
      const [message, ...more] = await mailTo(mentioned)
      assert.deepEqual([header(message, 'X-Bugzilla-Reason'), more], ['Mentioned', []])
      assert.match(message?.text ?? '', /mentioned you in a comment on bug \d+\.[\s\S]*Who knows\? @/)
      assert.deepEqual(await mailTo(copied), [])
    })

    itOnOneEngine(world, 'is not sent about a hidden product, whose watchers lost it', async () => {
      const { name: product } = await newHiddenProduct(world)
      const insider = await newMember(world, 'security', 'editbugs')
      await insider.client.post('/rest/product-watching', { product })
      await fileBug(world.ada, { product, component: 'Core', version: '1.0' })
      assert.equal((await mailTo(insider)).length, 1)
      await world.ada.put(`/rest/user/${insider.id}`, { groups: { remove: ['security'] } })
      mailServer.clear()
      await fileBug(world.ada, { product, component: 'Core', version: '1.0' })
      assert.deepEqual(await mailTo(insider), [])
    })

    /** Users who watch the component, made without calls because they are many. */
    async function manyWatchersOf(product: string, component: string, count: number) {
      const word = world.unique('many')
      const [copied] = await world.db.query((q) =>
        q.selectFrom('users').selectAll().where('login_key', '=', cast.uma.login),
      )
      const { id: _, ...columns } = sure(copied)
      const users = Array.from({ length: count }, (_, number) => {
        const login = `${word}${number}@lacewing.test`
        return { ...columns, login, login_key: login, nick: `${word}${number}` }
      })
      await world.db.query((q) => q.insertInto('users').values(users))
      await world.db.query((q) =>
        q
          .insertInto('watches')
          .columns(['user_id', 'component_id'])
          .expression(
            q
              .selectFrom('users')
              .innerJoin('components', (join) => join.on(sql<boolean>`components.name = ${component}`))
              .innerJoin('products', 'products.id', 'components.product_id')
              .select(['users.id', 'components.id as component_id'])
              .where('products.name', '=', product)
              .where('users.login', 'like', `${word}%`),
          ),
      )
      return users.map(({ login }) => login)
    }

    itOnPostgres(
      world,
      'is stored as one job for each change, whatever the number of watchers, and comes to each once',
      async () => {
        const { name: product } = await newProduct(world, ['Core', 'Net'])
        const logins = await manyWatchersOf(product, 'Core', 115)
        const [first, last] = [sure(logins[0]), sure(logins.at(-1))]
        const copied = await newMember(world, 'editbugs')
        await copied.client.post('/rest/component-watching', { product, component: 'Core' })
        const bug = await fileBug(world.edna, { product, component: 'Core', version: '1.0', cc: [copied.login, first] })
        await mailSettled(world)
        const got = () =>
          mailServer.messages.flatMap(({ recipients }) => recipients).filter((it) => logins.includes(it))
        assert.deepEqual(got().sort(), [...logins].sort())
        const [message] = await mailTo(copied)
        assert.equal(header(message, 'X-Bugzilla-Reason'), 'CC Component-Watcher')
        assert.equal(header((await mailTo({ login: last }))[0], 'X-Bugzilla-Reason'), 'Component-Watcher')
        mailServer.clear()
        await changeBug(world.edna, bug, { component: 'Net', cc: { remove: [first] } })
        await mailSettled(world)
        assert.deepEqual(got().sort(), [...logins].sort())
      },
    )

    itOnPostgres(world, 'goes on after a crash where it was, and takes what was watched when it happened', async () => {
      const { name: product } = await newProduct(world, ['Core', 'Net'])
      const logins = await manyWatchersOf(product, 'Core', 115)
      const bug = await fileBug(world.edna, { product, component: 'Core', version: '1.0', cc: [sure(logins[7])] })
      await mailSettled(world)
      const context = await currentMailContext({
        db: world.db,
        installation: new Installation(world.db),
        baseUrl: () => 'https://bugs.lacewing.test/',
      })
      const [event] = (await listEventsAfter(world.db, 0, 100_000)).filter(({ bugId }) => bugId === bug)
      const [planned, ...others] = await planMail(world.db, context, [sure(event)])
      assert.deepEqual([planned?.queue, others], ['bulk mail', []])
      await changeBug(world.edna, bug, { component: 'Net' })
      const job = { id: 1, queue: '', lane: '', createdAt: '', attempts: 1 }
      const next = await mailFirst(context, { ...job, payload: planned?.payload })
      assert.ok('done' in next && next.jobs !== undefined)
      const toUser = ({ payload }: { payload: object }) => sure((payload as MailJob).to as { userId: number }).userId
      const sent = next.jobs.slice(0, -1).map(toUser)
      assert.ok(sent.length >= 1 && sent.length < 10)
      let payload: object | undefined = next.jobs.at(-1)?.payload
      const pages: number[] = []
      while (payload !== undefined) {
        const lost = await mailPage(context, { ...job, payload })
        const page = await mailPage(context, { ...job, payload })
        assert.deepEqual(page, lost, 'what was not saved is made again')
        assert.ok('jobs' in page && page.jobs !== undefined)
        pages.push(page.jobs.length)
        sent.push(...page.jobs.map(toUser))
        payload = 'goOn' in page ? page.goOn : undefined
      }
      assert.deepEqual(pages, [100, 14])
      assert.equal(new Set(sent).size, sent.length)
    })

    /** The lane of a user whose mail waits, when its jobs have been looked at. */
    async function waitingLane({ id }: { id: number }, queue: string, jobs = 1) {
      for (const ends = Date.now() + 60_000; Date.now() < ends; await wait(20)) {
        const rows = await world.db.query((q) =>
          q
            .selectFrom('lanes')
            .innerJoin('jobs', (join) =>
              join.onRef('jobs.queue', '=', 'lanes.queue').onRef('jobs.lane', '=', 'lanes.lane'),
            )
            .select(['lanes.due_at', 'lanes.failures', 'jobs.id', 'jobs.attempts'])
            .where('lanes.queue', '=', queue)
            .where('lanes.lane', 'like', `${id} %`)
            .where('lanes.lease', '=', '')
            .where('lanes.due_at', '>', new Date(Date.now() + 60_000).toISOString()),
        )
        if (rows.length >= jobs) return rows
      }
      throw new Error('no mail waits')
    }
    const setTimes = async ({ client, id }: { client: Client; id: number }, times: object) => {
      const { status, text } = await client.put(`/rest/user/${id}/mail`, { times })
      assert.equal(status, 200, text)
    }
    /** Both are hours away from now. */
    const clockIn = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
    const NEVER = { digest_at: null, quiet_from: null, quiet_to: null, unseen_minutes: 0 }
    const arrivesInInbox = async ({ client }: Member, bug: number) => {
      const ends = Date.now() + 60_000
      while ((await client.get(`/rest/inbox/${bug}`)).status !== 200) {
        assert.ok(Date.now() < ends, 'it does not reach the inbox')
        await wait(20)
      }
    }
    const arrived = async (user: { login: string }, count: number) => {
      const ends = Date.now() + 60_000
      const mine = () => mailServer.messages.filter(({ recipients }) => recipients.includes(user.login))
      while (mine().length < count && Date.now() < ends) await wait(20)
      return mine()
    }

    itOnOneEngine(world, 'waits for the digest, which has what its reader may see when it is sent, once', async () => {
      const reader = await newMember(world, 'security', 'editbugs')
      await setTimes(reader, { digest_at: clockIn(5) })
      const bug = await fileBug(world.edna, { cc: [reader.login], summary: 'Digested' })
      await changeBug(world.sven, bug, { comment: { body: 'For all\r\nX-Evil: 1' } })
      await changeBug(world.sven, bug, { comment: { body: 'The secret', is_private: true } })
      await waitingLane(reader, 'mail digest', 3)
      assert.deepEqual(await mailTo(reader), [])
      await world.ada.put(`/rest/user/${reader.id}`, { groups: { remove: ['security'] } })
      await setTimes(reader, NEVER)
      const [digest, ...others] = await arrived(reader, 1)
      assert.deepEqual(others, [])
      assert.equal(digest?.subject.replace(/^\[.*\] /, ''), '2 changes of 1 bug')
      assert.match(digest?.text ?? '', /Bug \d+: Digested\n.*\nBecause you are on its CC list\.\n/)
      assert.match(digest?.text ?? '', /For all/)
      assert.doesNotMatch(digest?.text ?? '', /secret/)
      assert.equal(header(digest, 'X-Evil'), undefined)
      assert.equal((await at(unsubscribePath(digest), 'POST')).status, 200)
      const { body } = await reader.client.get(`/rest/user/${reader.id}/mail`)
      assert.deepEqual([body.preferences.cc.comment, body.preferences.flags.requested], [false, true])
      assert.equal((await mailTo(reader)).length, 1)
    })

    itOnOneEngine(
      world,
      'says how much of a large digest is left out, and counts nothing that its reader may not see',
      async () => {
        const reader = await newMember(world, 'security', 'editbugs')
        await setTimes(reader, { digest_at: clockIn(5) })
        const bug = await fileBug(world.edna, { cc: [reader.login] })
        await changeBug(world.sven, bug, { comment: { body: 'The secret', is_private: true } })
        await waitingLane(reader, 'mail digest', 2)
        const lane = `${reader.id} digest`
        const jobs = await world.db.query((q) =>
          q
            .selectFrom('jobs')
            .select(['queue', 'lane', 'payload', 'created_at', 'attempts'])
            .where('lane', '=', lane)
            .orderBy('id'),
        )
        const [open, secret] = [sure(jobs[0]), sure(jobs[1])]
        // The secrets come first, so that they would take the place of what is shown.
        const copies = [...Array.from({ length: 250 }, () => secret), ...Array.from({ length: 748 }, () => open)]
        await world.db.query((q) => q.insertInto('jobs').values(copies))
        await world.ada.put(`/rest/user/${reader.id}`, { groups: { remove: ['security'] } })
        await setTimes(reader, NEVER)
        const [digest] = await arrived(reader, 1)
        assert.equal(digest?.subject.replace(/^\[.*\] /, ''), '200 changes of 1 bug')
        assert.match(digest?.text ?? '', /\nAnd 549 more changes, not shown here\.\n/)
        assert.match(digest?.text ?? '', /\nA digest takes 1000 changes\. /)
        assert.doesNotMatch(digest?.text ?? '', /secret/)
        assert.equal((await mailTo(reader)).length, 1)
      },
    )

    itOnOneEngine(world, 'waits for the end of quiet hours, with requests, and is not counted as failing', async () => {
      const reader = await newMember(world, 'editbugs')
      await setTimes(reader, { quiet_from: clockIn(-2), quiet_to: clockIn(3), time_zone: 'UTC' })
      const bug = await fileBug(world.edna, { cc: [reader.login] })
      const rows = await waitingLane(reader, 'mail')
      assert.deepEqual(
        rows.map(({ failures, attempts }) => [failures, attempts]),
        [[0, 0]],
      )
      await setTimes(reader, NEVER)
      assert.equal((await arrived(reader, 1))[0]?.subject, `[Bug ${bug}] New: Something is wrong`)
    })

    itOnOneEngine(
      world,
      'is sent after some minutes only if it was seen neither on the page of the bug nor in the inbox',
      async () => {
        const people = [await newMember(world, 'editbugs'), await newMember(world, 'editbugs'), await newMember(world)]
        const [saw, put, missed] = people as [Member, Member, Member]
        for (const reader of people) await setTimes(reader, { unseen_minutes: 15 })
        const bug = await fileBug(world.edna, { cc: people.map(({ login }) => login) })
        for (const reader of people) await waitingLane(reader, 'mail')
        assert.equal((await saw.client.post(`/rest/bug_user_last_visit/${bug}`)).status, 200)
        await arrivesInInbox(put, bug)
        assert.equal((await put.client.put(`/rest/inbox/${bug}`, { state: 'done' })).status, 200)
        const jobs = await world.db.query((q) =>
          q
            .selectFrom('jobs')
            .select(['id', 'payload'])
            .where('queue', '=', 'mail')
            .where(
              'lane',
              'in',
              people.map(({ id }) => `${id} ${bug}`),
            ),
        )
        for (const { id, payload } of jobs) {
          const at = new Date(Date.now() - 20 * 60_000).toISOString().replace(/\.\d+/, '')
          const older = JSON.stringify({ ...JSON.parse(payload), at })
          await world.db.query((q) => q.updateTable('jobs').set({ payload: older }).where('id', '=', id))
        }
        for (const reader of people) await setTimes(reader, { unseen_minutes: 10 })
        assert.equal((await mailTo(missed)).length, 1)
        for (const reader of [saw, put]) assert.deepEqual(await mailTo(reader), [])
      },
    )

    itOnOneEngine(world, 'refuses times that are none, and changes nothing', async () => {
      const reader = await newMember(world)
      const wrong: readonly unknown[] = [
        { time_zone: 'Europe/Nowhere' },
        { time_zone: 7 },
        { digest_at: '24:00' },
        { digest_at: '8:30' },
        { digest_at: 510 },
        { quiet_from: '22:00' },
        { quiet_from: '22:00', quiet_to: '22:00' },
        { unseen_minutes: 241 },
        { unseen_minutes: -1 },
        { quiet_weekends: 'sometimes' },
        { constructor: 1 },
        { weekly: true },
        [],
        'none',
      ]
      for (const times of wrong) {
        const { status, text } = await reader.client.put(`/rest/user/${reader.id}/mail`, { times })
        assert.equal(status, 400, `${JSON.stringify(times)}: ${text}`)
      }
      const { body } = await reader.client.get(`/rest/user/${reader.id}/mail`)
      assert.deepEqual(body.times, { time_zone: 'UTC', quiet_weekends: false, ...NEVER })
    })
  },
  { LACEWING_SMTP_URL: mailServer.url },
)
