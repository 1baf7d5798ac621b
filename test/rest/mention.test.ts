import assert from 'node:assert/strict'
import { it } from 'node:test'
import { MOST_MENTIONS, mentionsIn } from '../../shared/text/mentions.ts'
import { cast } from '../support/cast.ts'
import { changeBug } from '../support/change-bug.ts'
import { fileBug } from '../support/file-bug.ts'
import { newMember } from '../support/new-member.ts'
import { newHiddenProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, describeOnEachEngine, itOnOneEngine, type World } from '../support/world.ts'

it('code mentions nobody, in time that grows with the text', () => {
  const text = 'Hi @ann `@bo` ``a ` @bo`` @cid\n```\n@bo\n~~~\n```\n> ```\n> @bo\n> ```\n`@dan'
  assert.deepEqual(mentionsIn(text, true), ['ann', 'cid', 'dan'])
  assert.deepEqual(mentionsIn('`@bo`', false), ['bo'])
  const many = Array.from({ length: 50 }, (_, i) => `@user${i}x`).join(' ')
  assert.equal(mentionsIn(many, false).length, MOST_MENTIONS)
  for (const piece of ['@a', '`@a', '``@a`', '@a\n', '```\n', '@', '`', '> ', '@aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.'])
    for (const isMarkdown of [true, false]) {
      const started = process.threadCpuUsage()
      mentionsIn(piece.repeat(65_536 / piece.length), isMarkdown)
      const milliseconds = process.threadCpuUsage(started).user / 1000
      assert.ok(milliseconds < 500, `${JSON.stringify(piece)} took ${milliseconds} ms`)
    }
})

/** Whom the last event of the bug notifies of a mention. */
async function notified(world: World, bug: number): Promise<unknown> {
  const rows = await world.db.query((q) =>
    q.selectFrom('outbox').select('facts').where('bug_id', '=', bug).orderBy('id'),
  )
  return JSON.parse(rows.at(-1)?.facts ?? '{}').mentioned
}

async function lastComment(who: Client, bug: number) {
  return (await who.get(`/rest/bug/${bug}/comment`)).body.bugs[bug]?.comments.at(-1)
}

const say = async (who: Client, bug: number, comment: string, more: object = {}) => {
  const { status, text } = await who.post(`/rest/bug/${bug}/comment`, { comment, ...more })
  assert.equal(status, 201, text)
}

describeOnEachEngine('a mention', (world) => {
  const find = async (who: Client, query: string) =>
    (await who.get(`/rest/bug?${query}&include_fields=id`)).body.bugs.map(({ id }: { id: number }) => id)

  it('is stored with the comment, notifies the person once, and follows a change of the name', async () => {
    const [bo, self] = [
      await world.newUser({ full_name: 'Bo Mention' }),
      await world.newUser({ full_name: 'Selma Own' }),
    ]
    const nick = (await bo.client.get('/rest/whoami')).body.nick
    const bug = await fileBug(self.client, {
      description: `Ask @${nick.toUpperCase()}, @${nick} or @nobody-knows; @selma`,
    })
    assert.deepEqual(await notified(world, bug), [bo.id])
    await bo.client.put(`/rest/user/${bo.id}`, { full_name: 'Bo <i>New</i>', nick: 'bo-new' })
    const comment = await lastComment(world.stan, bug)
    assert.deepEqual(comment?.mentions, [
      { nick, id: bo.id, name: bo.login, real_name: 'Bo <i>New</i>' },
      { nick: 'selma', id: self.id, name: self.login, real_name: 'Selma Own' },
    ])
    await changeBug(world.edna, bug, { comment: { body: `@bo.new and @${nick}` }, priority: 'High' })
    assert.deepEqual(await notified(world, bug), [bo.id])
    const { body } = await world.stan.get(`/rest/bug/${bug}`)
    assert.ok(!body.bugs[0].cc.includes(bo.login))
    await say(world.edna, bug, 'nobody here, x@bo-new.test')
    assert.equal((await lastComment(world.stan, bug))?.mentions, undefined)
    for (const query of [
      'f1=mentions&o1=equals&v1=%25user%25',
      'quicksearch=mentions:%25user%25',
      `f1=mentions&o1=equals&v1=${bo.login}`,
    ])
      assert.deepEqual(await find(bo.client, query), [bug], query)
    assert.deepEqual(await find(self.client, 'f1=mentions&o1=equals&v1=%25user%25'), [bug])
    assert.deepEqual(await find(world.stan, 'f1=mentions&o1=equals&v1=%25user%25'), [])
  })

  it('of somebody who may not read it is text, also a private one, and the caller can ask before', async () => {
    const { name: product } = await newHiddenProduct(world)
    const [outside, disabled] = [
      await world.newUser({ full_name: 'Otto Outside' }),
      await world.newUser({ full_name: 'Dora Disabled' }),
    ]
    await world.ada.put(`/rest/user/${disabled.id}`, { login_denied_text: 'Left' })
    const hidden = await fileBug(world.ada, { product, component: 'Core', description: '@otto @dora' })
    assert.equal(await notified(world, hidden), undefined)
    const ask = (who: Client, bug: number, query: string) => who.get(`/rest/bug/${bug}/readers?${query}`)
    const { body } = await ask(world.ada, hidden, 'nicks=otto&nicks=dora&nicks=nobody-has-it&nicks=Otto')
    const otto = { id: outside.id, name: outside.login, real_name: 'Otto Outside', may_read: false }
    assert.deepEqual(body, {
      users: [
        { nick: 'otto', ...otto },
        { nick: 'Otto', ...otto },
      ],
    })
    assertRefused(await ask(outside.client, hidden, 'nicks=otto'), 401, 102)
    assertRefused(await ask(world.nobody, hidden, 'nicks=otto'), 401, 410)
    assertRefused(await ask(world.ada, hidden, ''), 400, 50)
    assertRefused(await ask(world.ada, hidden, Array.from({ length: 21 }, (_, i) => `nicks=a${i}`).join('&')), 400, 53)
    const open = await fileBug(world.edna)
    await world.withParameters({ insidergroup: 'security' }, async () => {
      const insider = await newMember(world, 'security')
      await world.ada.put(`/rest/user/${insider.id}`, { nick: 'ina-insider' })
      assertRefused(await ask(outside.client, open, 'nicks=otto&is_private=1'), 401, 113)
      await say(world.sven, open, '@otto @ina-insider', { is_private: true })
      assert.deepEqual(await notified(world, open), [insider.id])
      assert.deepEqual(await find(insider.client, 'f1=mentions&o1=equals&v1=%25user%25'), [open])
      await say(world.sven, open, '@otto')
      assert.deepEqual(await find(outside.client, 'f1=mentions&o1=equals&v1=%25user%25'), [open])
      const { id } = (await lastComment(world.sven, open)) ?? { id: 0 }
      await changeBug(world.sven, open, { comment_is_private: { [id]: true } })
      for (const who of [outside.client, world.stan])
        assert.deepEqual(await find(who, `f1=mentions&o1=equals&v1=${outside.login}`), [])
      assert.deepEqual(await find(world.sven, `f1=mentions&o1=equals&v1=${outside.login}`), [open])
    })
  })

  it('by an edit notifies who may read it and was in no version before, and ends with an edit', async () => {
    const [one, two, outside] = [
      await world.newUser({ full_name: 'Edda One' }),
      await world.newUser({ full_name: 'Edgar Two' }),
      await world.newUser({ full_name: 'Elke Outside' }),
    ]
    const [first, second, third] = await Promise.all(
      [one, two, outside].map(async ({ client }) => `@${(await client.get('/rest/whoami')).body.nick}`),
    )
    const bug = await fileBug(world.edna)
    await say(world.edna, bug, `Ask ${first}`)
    const { id } = (await lastComment(world.edna, bug)) ?? { id: 0 }
    const edit = async (text: string, who = world.edna) => {
      const { status, text: body } = await who.put(`/rest/editcomments/comment/${id}`, { new_comment: text })
      assert.equal(status, 200, body)
      return notified(world, bug)
    }
    const foundBy = ({ client }: { client: Client }) => find(client, 'quicksearch=mentions:%25user%25')
    assert.deepEqual(await edit(`Ask ${first} or ${second}`), [two.id])
    assert.deepEqual((await lastComment(world.stan, bug))?.mentions?.length, 2)
    assert.equal(await edit('Ask nobody'), undefined)
    assert.equal((await lastComment(world.stan, bug))?.mentions, undefined)
    for (const user of [one, two]) assert.deepEqual(await foundBy(user), [])
    assert.equal(await edit(`Ask ${second} again, \`code\``), undefined)
    assert.deepEqual([await foundBy(one), await foundBy(two)], [[], [bug]])
    await world.withParameters({ insidergroup: 'security' }, async () => {
      await changeBug(world.sven, bug, { comment_is_private: { [id]: true } })
      assert.equal(await edit(`Ask ${second} or ${third}`, world.ada), undefined)
      assert.deepEqual(await foundBy(outside), [])
      await changeBug(world.sven, bug, { comment_is_private: { [id]: false } })
      assert.deepEqual(await foundBy(outside), [])
    })
  })

  it('reveals nobody whom the writer or the reader may not find', async () => {
    const bug = await fileBug(world.edna)
    const person = await world.newUser({ full_name: 'Vera Veiled' })
    await world.withParameters({ usevisibilitygroups: true }, async () => {
      assert.deepEqual((await world.edna.get(`/rest/bug/${bug}/readers?nicks=vera`)).body, { users: [] })
      await say(world.edna, bug, 'Hello @vera')
      assert.equal(await notified(world, bug), undefined)
      await say(person.client, bug, 'Me, @vera')
      assert.equal((await lastComment(world.edna, bug))?.mentions, undefined)
      assert.equal((await lastComment(person.client, bug))?.mentions?.length, 1)
      await say(world.ada, bug, 'You, @vera')
      const found = async (client: Client, value: string) => {
        const query = `bug_id=${bug}&f1=mentions&o1=substring&v1=${value}`
        return (await client.get(`/rest/bug?include_fields=id&${query}`)).body.bugs.length
      }
      const part = person.login.slice(0, 5)
      assert.deepEqual([await found(world.ada, part), await found(person.client, part)], [1, 1])
      assert.equal(await found(world.edna, part), 0, 'no part of an address can be guessed')
    })
    await world.withParameters({ usevisibilitygroups: false }, async () => {
      const { body } = await world.edna.get(`/rest/bug?include_fields=id&bug_id=${bug}&mentions=${person.login}`)
      assert.equal(body.bugs.length, 1)
    })
  })

  itOnOneEngine(world, 'can be asked for 200 different people in an hour, and again for the same', async () => {
    const [bug, { client }] = [await fileBug(world.edna), await world.newUser()]
    const ask = (from: number) =>
      client.get(`/rest/bug/${bug}/readers?${Array.from({ length: 20 }, (_, n) => `nicks=any-${from + n}`).join('&')}`)
    for (let from = 0; from < 200; from += 20) assert.equal((await ask(from)).status, 200)
    const refused = await ask(200)
    assert.deepEqual([refused.status, Number(refused.headers.get('retry-after')) > 3000], [429, true])
    assert.equal((await ask(180)).status, 200)
    assert.equal((await world.edna.get(`/rest/bug/${bug}/readers?nicks=stan`)).status, 200)
  })

  itOnOneEngine(world, 'is limited to 20 of a comment and 200 of an author and hour', async () => {
    const people = await Promise.all(Array.from({ length: 21 }, () => world.newUser()))
    const bug = await fileBug(world.edna)
    const author = await world.newUser()
    const text = people.map(({ id }) => `@user-${id}`).join(' ')
    const seen = []
    for (let n = 0; n < 11; n++) {
      await say(author.client, bug, text)
      seen.push(((await notified(world, bug)) as number[] | undefined)?.length)
    }
    assert.deepEqual(seen, [...Array.from({ length: 10 }, () => 20), undefined])
  })

  itOnOneEngine(world, 'is shown to anonymous callers without an address', async () => {
    const bug = await fileBug(world.edna, { description: '@stan' })
    await world.withParameters({ webservice_email_filter: true }, async () => {
      assert.equal((await lastComment(world.nobody, bug))?.mentions?.[0]?.name, 'stan')
      assert.equal((await lastComment(world.edna, bug))?.mentions?.[0]?.name, cast.stan.login)
    })
  })
})
