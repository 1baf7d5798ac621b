import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { sql } from 'kysely'
import { changeBug } from '../support/change-bug.ts'
import { say } from '../support/discussion.ts'
import { fileBug } from '../support/file-bug.ts'
import { HttpReceiver } from '../support/http-receiver.ts'
import { TestMailServer } from '../support/mail-server.ts'
import { mailSettled } from '../support/mail-settled.ts'
import { newMember, setControl } from '../support/new-member.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { until } from '../support/until.ts'
import { describeDeliveryOnOneEngine, type World } from '../support/world.ts'

type Member = Awaited<ReturnType<typeof newMember>>

/** What users can read, and what is taken from them afterwards. */
interface Story {
  bug: number
  comment: number
  /** A word that only the comment has. */
  word: string
  /** One whose mail waits for the end of quiet hours, and one whose mail waits for the digest. */
  readers: readonly [quiet: Member, digest: Member]
}

/** Takes it away; returns whether the bug is hidden as a whole. */
type Deed = (world: World, story: Story) => Promise<boolean>

const DEEDS: Readonly<Record<string, Deed>> = {
  'a right is lost': async (world, { bug, readers }) => {
    const group = await world.newGroup()
    await setControl(world, await productOf(world, bug), group.name, { membercontrol: 'Shown', othercontrol: 'Shown' })
    for (const { id } of readers) await world.ada.put(`/rest/user/${id}`, { groups: { add: [group.name] } })
    await changeBug(world.ada, bug, { groups: { add: [group.name] } })
    for (const { client } of readers) assert.equal((await client.get(`/rest/bug/${bug}`)).status, 200)
    for (const { id } of readers) await world.ada.put(`/rest/user/${id}`, { groups: { remove: [group.name] } })
    return true
  },
  'the bug is moved': async (world, { bug }) => {
    const { name } = await newHiddenProduct(world)
    await changeBug(world.ada, bug, { product: name, component: 'Core', version: '1.0' })
    return true
  },
  'the comment becomes private': async (world, { bug, comment }) => {
    await changeBug(world.ada, bug, { comment_is_private: { [String(comment)]: true } })
    return false
  },
  'an edit hides what it said': async (world, { comment }) => {
    const edit = { new_comment: 'Now it says less.', is_hidden: true }
    assert.equal((await world.ada.put(`/rest/editcomments/comment/${comment}`, edit)).status, 200)
    return false
  },
  'its text is deleted': async (world, { comment }) => {
    assert.equal((await world.ada.delete(`/rest/bug/comment/${comment}?reason=Spam.`)).status, 200)
    return false
  },
}

async function productOf(world: World, bug: number) {
  const { body } = await world.ada.get(`/rest/bug/${bug}?include_fields=product`)
  return body.bugs[0].product
}

const mailServer = await new TestMailServer().open()
after(() => mailServer.close())

describeDeliveryOnOneEngine(
  'What is hidden after it happened',
  (world) => {
    const receiver = new HttpReceiver()
    before(async () => {
      await receiver.open()
      await world.ada.put('/rest/parameters', { webhook_networks: '127.0.0.1/32', insidergroup: 'security' })
    })
    after(() => receiver.close())

    const clockIn = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
    const times = async ({ client, id }: Member, chosen: object) => {
      const never = { digest_at: null, quiet_from: null, quiet_to: null }
      const { status, text } = await client.put(`/rest/user/${id}/mail`, { times: { ...never, ...chosen } })
      assert.equal(status, 200, text)
    }
    const mailOf = ({ login }: Member) => mailServer.messages.filter(({ recipients }) => recipients.includes(login))

    async function readersOf(product: string): Promise<[Member, Member]> {
      const [quiet, digest] = [await newMember(world, 'editbugs'), await newMember(world, 'editbugs')]
      for (const { client, id } of [quiet, digest]) {
        await client.post('/rest/component-watching', { product })
        const events = ['bug.create', 'bug.update', 'comment.create', 'comment.update']
        const { status, text } = await client.post('/rest/webhook', { url: `${receiver.url}/${id}`, events, product })
        assert.equal(status, 201, text)
      }
      await times(quiet, { quiet_from: clockIn(-2), quiet_to: clockIn(5) })
      await times(digest, { digest_at: clockIn(5) })
      return [quiet, digest]
    }

    /** Everything that a reader can read about the story. */
    async function readAll({ client, id }: Member, { bug, comment, word }: Story, cursor: string) {
      const { webhooks } = (await client.get('/rest/webhook')).body
      const paths = [
        ...['open', 'done', 'snoozed'].map((state) => `/rest/inbox?state=${state}&limit=100`),
        ...[`/rest/inbox/${bug}`, `/rest/bug/${bug}?include_fields=_all`, `/rest/bug/${bug}/comment`],
        ...[`/rest/bug/${bug}/history`, `/rest/bug/comment/${comment}`, `/rest/bug/comment/${comment}/versions`],
        ...[`/rest/editcomments/comment/${comment}`, `/rest/event?after=${cursor}&limit=1000`],
        ...webhooks.map((hook) => `/rest/webhook/${hook.id}/delivery`),
        ...[`/rest/user/${id}/mail/preview`, `/show_bug.cgi?id=${bug}&ctype=xml`],
        ...[`/rest/bug?include_fields=id&quicksearch=${word}`, `/rest/bug?include_fields=id&content=${word}`],
        `/rest/bug?include_fields=id&f1=longdesc&o1=substring&v1=${word}`,
      ]
      const replies = await Promise.all(paths.map(async (path) => ({ path, ...(await client.get(path)) })))
      return replies.map(({ path, status, text }) => ({ path, status, text }))
    }
    const found = (replies: Awaited<ReturnType<typeof readAll>>, { bug }: Story) =>
      replies
        .filter(({ path }) => path.startsWith('/rest/bug?'))
        .map(({ text }) => (JSON.parse(text).bugs as { id: number }[]).some(({ id }) => id === bug))

    it('is in no channel any more: inbox, mail that waits, digest, webhook, feed, search and kept answers', async () => {
      mailServer.clear()
      const released = Promise.withResolvers<void>()
      const stories: (Story & { name: string; cursor: string; etags: [path: string, etag: string][] })[] = []
      for (const name of Object.keys(DEEDS)) {
        const product = await newProduct(world)
        const readers = await readersOf(product.name)
        const bug = await fileBug(world.edna, { product: product.name, component: 'Core', version: '1.0' })
        for (const { id } of readers) await receiver.until(`/${id}`, 1)
        const cursor = (await world.edna.get('/rest/event')).body.next_cursor
        for (const { id } of readers) receiver.manners.set(`/${id}`, { released: released.promise })
        await say(world.edna, bug, 'It rains.')
        for (const { id } of readers) await receiver.until(`/${id}`, 2)
        const nicks = await Promise.all(readers.map(async ({ client }) => (await client.get('/rest/whoami')).body.nick))
        const word = world.unique('zebra').replaceAll(/\W/g, '').toLowerCase()
        const comment = await say(world.edna, bug, `${word} ${nicks.map((nick) => `@${nick}`).join(' ')}`)
        const kept = [`/rest/bug/${bug}`, `/rest/bug/${bug}/comment`, `/rest/bug/${bug}?include_fields=id,comments`]
        const etags = await Promise.all(
          kept.map(async (path): Promise<[string, string]> => {
            const { headers } = await readers[0].client.get(path)
            return [path, headers.get('etag') ?? '']
          }),
        )
        stories.push({ name, bug, comment, word, readers, cursor, etags })
      }
      await mailSettledButWaiting()
      for (const story of stories) {
        for (const reader of story.readers) {
          await until(async () => (await reader.client.get(`/rest/inbox/${story.bug}`)).status === 200)
          const replies = await readAll(reader, story, story.cursor)
          assert.ok(
            replies.some(({ path, text }) => path.startsWith('/rest/inbox?') && text.includes(story.word)),
            `${story.name}: the inbox had it before`,
          )
          assert.deepEqual(found(replies, story), [true, true, true], `${story.name}: a search found it before`)
        }
        assert.deepEqual(story.readers.flatMap(mailOf), [], 'nothing was sent before')
      }

      for (const story of stories) {
        const isHidden = await DEEDS[story.name]?.(world, story)
        const { bug, comment, word, readers, name, cursor, etags } = story
        for (const reader of readers) {
          const replies = await readAll(reader, story, cursor)
          for (const { path, text } of replies) assert.ok(!text.includes(word), `${name}: ${path}`)
          assert.deepEqual(found(replies, story), [false, false, false], name)
          const { counts, entries } = (await reader.client.get('/rest/inbox')).body
          assert.equal(entries.length, counts.open, name)
          assert.equal(entries.length, isHidden ? 0 : 1, name)
          const ids = (await reader.client.get(`/rest/event?after=${cursor}&limit=1000`)).body.events
            .filter(({ bug_id, comment_id }) => bug_id === bug && (isHidden || comment_id === comment))
            .filter(() => isHidden || name.includes('private'))
          assert.deepEqual(ids, [], name)
        }
        for (const [path, etag] of etags.slice(isHidden ? 0 : 1)) {
          const { status, text } = await readers[0].client.get(path, { 'If-None-Match': etag })
          assert.notEqual(status, 304, `${name}: ${path}`)
          assert.ok(!text.includes(word))
        }
        const back = await readers[0].client.put('/rest/inbox', { ids: [bug], state: 'done' })
        assert.deepEqual(back.body.changed, isHidden ? [] : [bug], name)
      }

      const before = new Map(
        stories.flatMap(({ readers }) => readers.map(({ id }) => [id, receiver.at(`/${id}`).length])),
      )
      released.resolve()
      receiver.manners.clear()
      for (const { readers } of stories) for (const reader of readers) await times(reader, {})
      const open = stories.filter(({ name }) => !/right|moved/.test(name))
      for (const { bug } of open) await say(world.edna, bug, 'The last one.')
      await mailSettled(world)
      for (const { readers } of open)
        for (const reader of readers)
          await until(() => mailOf(reader).some(({ text }) => text.includes('The last one.')))
      await until(() =>
        open.every(({ readers }) => readers.every(({ id }) => receiver.at(`/${id}`).length > (before.get(id) ?? 0))),
      )
      await until(async () => {
        const jobs = await world.db.query((q) =>
          q
            .selectFrom('jobs')
            .select('queue')
            .where('queue', 'in', ['mail', 'mail digest', 'webhooks'])
            .where('died_at', 'is', null),
        )
        return jobs.length === 0
      })
      for (const { name, readers, word, bug } of stories) {
        const isHidden = !open.some((it) => it.bug === bug)
        for (const reader of readers) {
          const mails = mailOf(reader)
          assert.ok(!mails.some(({ raw }) => raw.includes(word)), `${name}: mail`)
          if (isHidden) assert.deepEqual(mails, [], `${name}: mail about what is hidden`)
          const deliveries = receiver.at(`/${reader.id}`)
          assert.ok(!deliveries.some(({ text }) => text.includes(word)), `${name}: webhook`)
          if (isHidden) assert.equal(deliveries.length, before.get(reader.id), `${name}: webhook about what is hidden`)
        }
      }
    })

    /** Waits until all that happened is planned: mail that waits for a time of day is none that is about to be sent. */
    async function mailSettledButWaiting() {
      const [newest] = await world.db.query((q) => q.selectFrom('outbox').select(sql<number>`max(id)`.as('id')))
      await until(async () => {
        const [row] = await world.db.query((q) =>
          q
            .selectFrom('outbox')
            .select(sql<number | null>`coalesce(position, id)`.as('position'))
            .where('id', '=', newest?.id ?? 0),
        )
        const consumers = await world.db.query((q) => q.selectFrom('consumers').select('position'))
        const position = row?.position
        const isPlanned = position != null && consumers.every((it) => it.position >= position)
        const due = await world.db.query((q) =>
          q
            .selectFrom('lanes')
            .select('lane')
            .where('queue', 'in', ['mail', 'bulk mail', 'bulk recipients'])
            .where('due_at', '<', new Date(Date.now() + 60_000).toISOString()),
        )
        return isPlanned && due.length === 0
      })
    }
  },
  { LACEWING_SMTP_URL: mailServer.url },
)
