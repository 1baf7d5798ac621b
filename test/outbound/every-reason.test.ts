import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { sql } from 'kysely'
import { REASONS, type ReasonName, reasonNamed } from '../../shared/reasons.ts'
import { cast } from '../support/cast.ts'
import { changeBug } from '../support/change-bug.ts'
import { EventSource } from '../support/event-source.ts'
import { fileBug } from '../support/file-bug.ts'
import { newType } from '../support/flags.ts'
import { HttpReceiver } from '../support/http-receiver.ts'
import { TestMailServer } from '../support/mail-server.ts'
import { mailSettled } from '../support/mail-settled.ts'
import { newMember } from '../support/new-member.ts'
import { newProduct } from '../support/new-product.ts'
import type { ReceivedMail } from '../support/parse-mail.ts'
import { until } from '../support/until.ts'
import { describeDeliveryOnOneEngine, type World } from '../support/world.ts'

type Member = Awaited<ReturnType<typeof newMember>>

/** A bug that reaches one user for one reason, and what another user then does. */
interface Story {
  reader: Member
  bug: number
  change: object
}

type Teller = (world: World, reader: Member, product: string) => Promise<{ bug: number; change?: object }>

const NO_ROLE = { assigned_to: cast.ada.login, qa_contact: cast.ada.login }

/** By reason. No part of the server sends by rule yet; a reminder comes without a change, and only to inbox (inbox.test.ts) and mail (scheduled-mail.test.ts). */
const TELLERS: Readonly<Record<Exclude<ReasonName, 'rule' | 'reminder'>, Teller>> = {
  asked: async (world, { login }, product) => {
    const { name } = await newType(world, { is_requesteeble: true, inclusions: [product] })
    return { bug: await file(world, product), change: { flags: [{ name, status: '?', requestee: login, new: true }] } }
  },
  mentioned: async (world, { client }, product) => {
    const { nick } = (await client.get('/rest/whoami')).body
    return { bug: await file(world, product), change: { comment: { body: `What do you think, @${nick}?` } } }
  },
  assigned_to: async (world, { login }, product) => ({ bug: await file(world, product, { assigned_to: login }) }),
  qa_contact: async (world, { login }, product) => ({ bug: await file(world, product, { qa_contact: login }) }),
  reporter: async (_, { client }, product) => ({ bug: await fileBug(client, inPlace(product)) }),
  cc: async (world, { login }, product) => ({ bug: await file(world, product, { cc: [login] }) }),
  voter: async (world, { client }, product) => {
    const bug = await file(world, product)
    assert.equal((await client.put(`/rest/bug/${bug}/votes`, { votes: 1 })).status, 200)
    return { bug }
  },
  watched_person: async (world, reader, product) => {
    const watched = await newMember(world)
    await reader.client.put(`/rest/user/${reader.id}/mail`, { watched_users: { add: [watched.login] } })
    return { bug: await file(world, product, { cc: [watched.login] }) }
  },
  watched_component: async (world, { client }, product) => {
    assert.equal((await client.post('/rest/component-watching', { product, component: 'Core' })).status, 200)
    return { bug: await file(world, product) }
  },
  watched_product: async (world, { client }, product) => {
    assert.equal((await client.post('/rest/component-watching', { product })).status, 200)
    return { bug: await file(world, product) }
  },
  watched_keyword: async (world, { client }, product) => {
    const keyword = world.unique('keyword')
    await world.ada.post('/rest/keyword', { name: keyword, description: 'For a test' })
    assert.equal((await client.post('/rest/keyword-watching', { keyword })).status, 200)
    return { bug: await file(world, product, { keywords: [keyword] }) }
  },
  global_watcher: async (world, { login }, product) => {
    await world.ada.put('/rest/parameters', { globalwatchers: login })
    return { bug: await file(world, product) }
  },
}

interface Expected {
  reasons: ReasonName[]
  /** Those of each message: the reason, and that of a watched user. */
  headers: string[]
  because: string[]
}

/** Who is asked is put on the CC list, too, and gets the message about the request by itself. */
function expectedOf(name: ReasonName): Expected {
  const { header, because } = reasonNamed(name)
  const cc = reasonNamed('cc')
  if (name === 'asked')
    return {
      reasons: ['asked', 'cc'],
      headers: [`${cc.header}|None`, `${header}|None`],
      because: [because, cc.because],
    }
  if (name === 'watched_person')
    return { reasons: [name], headers: [`None|${cc.header}`], because: [cc.ofWatched ?? ''] }
  return { reasons: [name], headers: [`${header}|None`], because: [because] }
}

function headersOf({ headers }: ReceivedMail) {
  const first = (name: string) => headers.get(name)?.[0]?.split(' ')[0] ?? ''
  return `${first('x-bugzilla-reason')}|${first('x-bugzilla-watch-reason')}`
}

const inPlace = (product: string, more: object = {}) => ({
  product,
  component: 'Core',
  version: '1.0',
  ...NO_ROLE,
  ...more,
})
const file = (world: World, product: string, more: object = {}) => fileBug(world.ada, inPlace(product, more))

const mailServer = await new TestMailServer().open()
after(() => mailServer.close())

describeDeliveryOnOneEngine(
  'What reaches a user',
  (world) => {
    const receiver = new HttpReceiver()
    before(async () => {
      await receiver.open()
      await world.ada.put('/rest/parameters', { webhook_networks: '127.0.0.1/32', useqacontact: true })
    })
    after(() => receiver.close())

    /** A user who hears of all that they may see, by every channel. */
    async function listening() {
      const reader = await newMember(world, 'editbugs')
      const events = ['bug.create', 'bug.update', 'comment.create', 'comment.update']
      const hook = await reader.client.post('/rest/webhook', { url: `${receiver.url}/${reader.id}`, events })
      assert.equal(hook.status, 201, hook.text)
      return reader
    }

    const newPlace = async () => {
      const { name } = await newProduct(world)
      await world.ada.put(`/rest/product/${name}`, { votesperuser: 9 })
      return name
    }

    /** What each channel has for the reader, after the changes of all stories are delivered. */
    async function reached(stories: readonly Story[]) {
      const cursors = new Map<Story, string>()
      const streams = new Map<Story, EventSource>()
      await mailSettled(world)
      for (const story of stories) {
        const { client } = story.reader
        await client.put('/rest/inbox', { reason: 'all', state: 'done' })
        cursors.set(story, (await client.get('/rest/event')).body.next_cursor)
        streams.set(story, await EventSource.open(world, client))
      }
      await until(() => stories.every(({ reader }) => receiver.at(`/${reader.id}`).length > 0))
      mailServer.clear()
      receiver.received.length = 0
      for (const { bug, change } of stories) await changeBug(world.edna, bug, change)
      await mailSettled(world)
      await until(async () => {
        const rows = await world.db.query((q) => q.selectFrom('consumers').select(['name', 'position']))
        const [newest] = await world.db.query((q) =>
          q.selectFrom('outbox').select(sql<number>`max(coalesce(position, id))`.as('position')),
        )
        return rows.every(({ position }) => position >= (newest?.position ?? 0))
      })
      return Promise.all(
        stories.map(async (story) => {
          const { reader, bug } = story
          const { entries } = (await reader.client.get('/rest/inbox?limit=100')).body
          const { events } = (await reader.client.get(`/rest/event?after=${cursors.get(story)}&limit=1000`)).body
          const own = await until(() => {
            const about = receiver.at(`/${reader.id}`).filter(({ body }) => body.data.bug_id === bug)
            return about.length > 0 && about
          })
          const stream = streams.get(story)
          stream?.close()
          return {
            ...story,
            inbox: entries.filter(({ id }) => id === bug),
            mail: mailServer.messages.filter(
              ({ recipients, headers }) =>
                recipients.includes(reader.login) && headers.get('x-bugzilla-id')?.[0] === String(bug),
            ),
            webhook: own.map(({ body }) => body.id),
            feed: events.filter(({ bug_id }) => bug_id === bug).map(({ id }) => id),
            stream: (stream?.events ?? []).filter(({ bug_id }) => bug_id === bug).map(({ id }) => id),
            inboxUpdates: (stream?.events ?? []).filter(({ type }) => String(type) === 'inbox.update').length,
          }
        }),
      )
    }

    it('has each reason once, in inbox, mail, webhook and feed', async () => {
      const stories: (Story & { name: ReasonName })[] = []
      for (const [name, tell] of Object.entries(TELLERS) as [ReasonName, Teller][]) {
        const reader = await listening()
        const { bug, change = { comment: { body: 'It rains.' } } } = await tell(world, reader, await newPlace())
        stories.push({ name, reader, bug, change })
      }
      for (const [place, { inbox, mail, webhook, feed, stream }] of (await reached(stories)).entries()) {
        const name = stories[place]?.name ?? 'cc'
        const { reasons, headers, because } = expectedOf(name)
        assert.deepEqual(
          inbox.map((entry) => [entry.reasons.join(), entry.new_count]),
          [[reasons.join(), 1]],
          name,
        )
        assert.deepEqual(mail.map(headersOf).toSorted(), headers, name)
        assert.ok(
          mail.every(({ text }) => because.some((words) => text.includes(words))),
          name,
        )
        assert.equal(feed.length, 1, name)
        assert.deepEqual([webhook, stream], [feed, feed], name)
      }
      assert.deepEqual(
        REASONS.map(({ name }) => name).filter((name) => !Object.hasOwn(TELLERS, name)),
        ['reminder', 'rule'],
      )
    })

    it('is one entry, one event and one message for all reasons together, with one more about the request', async () => {
      const [reader, watched] = [await listening(), await newMember(world)]
      const { client, login, id } = reader
      const product = await newPlace()
      const keyword = world.unique('keyword')
      await world.ada.post('/rest/keyword', { name: keyword, description: 'For a test' })
      await client.put(`/rest/user/${id}/mail`, { watched_users: { add: [watched.login] } })
      await client.post('/rest/component-watching', { product, component: 'Core' })
      await client.post('/rest/keyword-watching', { keyword })
      await world.ada.put('/rest/parameters', { globalwatchers: login })
      const { name } = await newType(world, { is_requesteeble: true, inclusions: [product] })
      const roles = { assigned_to: login, qa_contact: login, cc: [login, watched.login], keywords: [keyword] }
      const bug = await fileBug(client, inPlace(product, roles))
      await client.put(`/rest/bug/${bug}/votes`, { votes: 1 })
      const { nick } = (await client.get('/rest/whoami')).body
      const change = {
        comment: { body: `Look, @${nick}, @${nick}` },
        flags: [{ name, status: '?', requestee: login, new: true }],
      }
      const [heard] = await reached([{ reader, bug, change }])
      assert.ok(heard)
      // A watch of the product takes the place of those of its components.
      const left = ['rule', 'reminder', 'watched_product']
      const all = REASONS.map(({ name }) => name).filter((name) => !left.includes(name))
      const [entry, ...others] = heard.inbox
      assert.deepEqual([entry?.reasons, entry?.requests.length, others], [all, 1, []])
      const [request, message, ...more] = heard.mail.toSorted((a, b) =>
        String(b.headers.get('x-bugzilla-type')).localeCompare(String(a.headers.get('x-bugzilla-type'))),
      )
      assert.deepEqual(more, [])
      assert.equal(request?.headers.get('x-bugzilla-reason')?.join(), reasonNamed('asked').header)
      const own = all.filter((reason) => reason !== 'asked' && reason !== 'watched_person')
      const words = own.map((reason) => reasonNamed(reason).header)
      assert.deepEqual(message?.headers.get('x-bugzilla-reason')?.join().split(' ').toSorted(), words.toSorted())
      assert.equal(message?.headers.get('x-bugzilla-watch-reason')?.join(), `CC ${watched.login}`)
      for (const reason of own) assert.equal(message?.text.split(reasonNamed(reason).because).length, 2, reason)
      assert.equal(heard.feed.length, 1)
      assert.deepEqual([heard.webhook, heard.stream, heard.inboxUpdates], [heard.feed, heard.feed, 1])
    })
  },
  { LACEWING_SMTP_URL: mailServer.url },
)
