import assert from 'node:assert/strict'
import { it } from 'node:test'
import { apiNameOf, OWN_LIMITS, type OwnLimitName, requireOwnRoom } from '../../src/access/own-limits.ts'
import { TABLE_BOUNDS } from '../../src/access/table-bounds.ts'
import type { Database } from '../../src/platform/database/tables.ts'
import type { BodyAt, Refusal } from '../support/body-types.ts'
import { PASSWORD } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, describeOnEachEngine, type Reply, type World } from '../support/world.ts'

/** A user who adds something of which only so many are possible. */
interface Member {
  world: World
  client: Client
  session: Client
  id: number
  login: string
  bugs: number[]
  others: string[]
}

interface LimitCase {
  table: keyof Database
  add(user: Member, number: number): Promise<Reply>
  /** How much of it the user has, if it is not the number of rows. */
  count?: (world: World, user: Member) => Promise<number>
  /** How much of it one `add` adds. */
  unit?: number
}

const AT_ONCE = 6
const hourAhead = new Date(Date.now() + 3_600_000).toISOString()
const minuteAgo = new Date(Date.now() - 60_000).toISOString().replace(/\.\d+/, '')

const CASES: Readonly<Record<Exclude<OwnLimitName, 'idempotentCharacters' | 'inboxEntries'>, LimitCase>> = {
  savedSearches: {
    table: 'saved_searches',
    add: ({ client }, number) => client.post('/rest/saved_search', { name: `new ${number}`, query: 'product=x' }),
  },
  savedCharacters: {
    table: 'saved_searches',
    add: ({ client }, number) => client.post('/rest/saved_search', { name: `new ${number}`, query: 'product=12' }),
    count: async (world, { id }) => {
      const rows = await world.db.query((q) => q.selectFrom('saved_searches').select('query').where('user_id', '=', id))
      return rows.map(({ query }) => query).join('').length
    },
    unit: 'product=12'.length,
  },
  dashboards: {
    table: 'dashboards',
    add: ({ client }, number) => client.post('/rest/dashboard', { name: `new ${number}` }),
  },
  absences: {
    table: 'absences',
    add: ({ client }, number) =>
      client.post('/rest/absence', { from: '2026-01-01', until: hourAhead, note: `new ${number}` }),
  },
  reminders: {
    table: 'reminders',
    add: ({ client, bugs }, number) =>
      client.post('/rest/reminder', { bug_id: bugs[0], note: `new ${number}`, reminder_ts: hourAhead.slice(0, 10) }),
  },
  apiKeys: {
    table: 'api_keys',
    add: ({ client, id }, number) => client.post(`/rest/user/${id}/api_key`, { description: `new ${number}` }),
  },
  revokedKeys: {
    table: 'api_keys',
    add: async ({ client, id }, number) => {
      const path = `/rest/user/${id}/api_key` as const
      const { body } = await client.post(path, { description: `new ${number}` })
      await client.delete(`${path}/${body.id}`)
      return client.post(path, { description: `next ${number}` })
    },
    count: async (world, { id, client }) => {
      // The oldest are removed when a key is created.
      await client.post(`/rest/user/${id}/api_key`, { description: 'last' })
      const rows = await world.db.query((q) =>
        q.selectFrom('api_keys').select('id').where('user_id', '=', id).where('revoked_at', 'is not', null),
      )
      return rows.length
    },
  },
  sessions: {
    table: 'login_tokens',
    add: ({ client, login }) => client.get(`/rest/login?${new URLSearchParams({ login, password: PASSWORD })}`),
  },
  secondFactors: {
    table: 'second_factors',
    add: async ({ session, world }, number) => {
      const reply = await session.post('/rest/factor/totp', { name: `app ${number}` })
      // A new app replaces those that are not confirmed.
      if (reply.status < 300)
        await world.db.query((q) =>
          q.updateTable('second_factors').set({ is_confirmed: 1 }).where('id', '=', reply.body.id),
        )
      return reply
    },
  },
  webhooks: {
    table: 'webhooks',
    add: ({ client }, number) => client.post('/rest/webhook', { url: `https://hooks.example.org/${number}` }),
  },
  scheduledMails: {
    table: 'scheduled_mails',
    add: async ({ client }, number) => {
      const { body } = await client.post('/rest/saved_search', { name: `search ${number}`, query: 'x=y' })
      const searches = [{ search: String(body.id) }]
      return client.post('/rest/scheduled_mail', {
        subject: `Mail ${number}`,
        searches,
        schedules: [{ day: 'Mon', time: '8' }],
      })
    },
  },
  series: {
    table: 'series',
    add: ({ client }, number) =>
      client.post('/rest/series', {
        category: 'Mine',
        subcategory: 'Some',
        name: `Series ${number}`,
        query: 'status=__open__',
      }),
    count: async (world, { id }) => {
      const rows = await world.db.query((q) => q.selectFrom('series').select('id').where('creator_id', '=', id))
      return rows.length
    },
  },
  personalTags: {
    table: 'bug_tags',
    add: ({ client, bugs }, number) => client.put(`/rest/bug/${bugs[number]}/tags`, { add: [`tag${number}`] }),
  },
  reactions: {
    table: 'comment_reactions',
    add: async ({ client, bugs }, number) => {
      const { body } = await client.post(`/rest/bug/${bugs[number]}/comment`, { comment: 'It is broken' })
      return client.put(`/rest/bug/comment/${body.id}/reactions`, { add: ['+1'] })
    },
  },
  watchedUsers: {
    table: 'watched_users',
    add: (user, number) =>
      user.client.put(`/rest/user/${user.id}/mail`, { watched_users: { add: [user.others[number]] } }),
    count: async (world, { id }) => {
      const rows = await world.db.query((q) =>
        q.selectFrom('watched_users').select('watched_id').where('watcher_id', '=', id),
      )
      return rows.length
    },
  },
  watches: {
    table: 'watches',
    add: async ({ world, client, id }, number) => {
      const { body } = await world.ada.post('/rest/keyword', { name: `of-${id}-${number}`, description: 'For a test' })
      return client.post('/rest/keyword-watching', { keyword: body.id })
    },
  },
  ignoredBugs: {
    table: 'ignored_bugs',
    add: (user, number) =>
      user.client.put(`/rest/user/${user.id}/mail`, { ignored_bugs: { add: [user.bugs[number]] } }),
  },
  lastVisits: {
    table: 'last_visits',
    add: ({ client, bugs }, number) => client.post(`/rest/bug_user_last_visit/${bugs[number]}`),
  },
}

describeOnEachEngine('what one account can have', (world) => {
  const numbers = (count: number) => Array.from({ length: count }, (_, number) => number)

  async function newMember(): Promise<Member> {
    const { client, id, login } = await world.newUser({ password: PASSWORD })
    await world.ada.put(`/rest/user/${id}`, { groups: { add: ['editbugs', 'bz_canusewhines'] } })
    const { body } = await world.nobody.get(`/rest/login?${new URLSearchParams({ login, password: PASSWORD })}`)
    return { world, client, session: world.as({ 'X-TRACKER-TOKEN': body.token }), id, login, bugs, others }
  }

  async function rowsOf({ table }: LimitCase, { id }: Member): Promise<number> {
    const rows = await world.db.query((q) =>
      q
        .selectFrom(table as 'bug_tags')
        .select('user_id')
        .where('user_id', '=', id),
    )
    return rows.length
  }

  const bugs: number[] = []
  const others: string[] = []
  it('is tested with other users and bugs', async () => {
    for (const _ of numbers(AT_ONCE + 1)) {
      bugs.push(await fileBug(world.edna))
      others.push((await world.newUser()).login)
    }
    assert.equal(bugs.length, others.length)
  })

  for (const [name, limit] of Object.entries(CASES) as [OwnLimitName, LimitCase][])
    it(`is limited, also for several calls at once: ${OWN_LIMITS[name].what}`, async () => {
      const user = await newMember()
      const count = () => limit.count?.(world, user) ?? rowsOf(limit, user)
      const { unit = 1 } = limit
      const most = (await count()) + 2 * unit
      await withLimit(name, most, async () => {
        const first = await limit.add(user, AT_ONCE)
        assert.ok(first.status < 300, first.text)
        const replies = await Promise.all(numbers(AT_ONCE).map((number) => limit.add(user, number)))
        assert.equal(await count(), most)
        const refused = replies.filter(({ status }) => status >= 300)
        assert.equal(refused.length, 'remedy' in OWN_LIMITS[name] ? AT_ONCE - 1 : 0, refused[0]?.text)
        for (const reply of refused) {
          assertRefused(reply, 400, 32000)
          assert.deepEqual((reply.body as Refusal).values, { limit: apiNameOf(name), most })
        }
      })
    })

  it('keeps the sessions and the visits that were used last', async () => {
    const user = await newMember()
    const { text } = await CASES.sessions.add(user, 0)
    const digests = await world.db.query((q) =>
      q.selectFrom('login_tokens').select(['id']).where('user_id', '=', user.id).orderBy('id'),
    )
    const [first, second] = digests as [{ id: number }, { id: number }]
    for (const [id, at] of [
      [first.id, minuteAgo],
      [second.id, '2999-01-01T00:00:00Z'],
    ] as const)
      await world.db.query((q) => q.updateTable('login_tokens').set({ last_used_at: at }).where('id', '=', id))
    await withLimit('sessions', 2, () => CASES.sessions.add(user, 1))
    assert.equal((await user.session.get('/rest/whoami')).body.code, 307)
    assert.equal(
      (
        await world
          .as({ 'X-TRACKER-TOKEN': (JSON.parse(text) as BodyAt<'GET', '/rest/login'>).token })
          .get('/rest/whoami')
      ).status,
      200,
    )
    await CASES.lastVisits.add(user, 0)
    await world.db.query((q) => q.updateTable('last_visits').set({ at: minuteAgo }).where('user_id', '=', user.id))
    await withLimit('lastVisits', 1, () => CASES.lastVisits.add(user, 1))
    const { body } = await user.client.get('/rest/bug_user_last_visit')
    assert.deepEqual(
      body.map(({ id }: { id: number }) => id),
      [bugs[1]],
    )
  })

  it('removes the oldest responses that are stored for an Idempotency-Key, and no others', async () => {
    const { client, id } = await newMember()
    const post = (key: number) =>
      client.post('/rest/saved_search', { name: `search ${key}`, query: 'product=x' }, { 'Idempotency-Key': `${key}` })
    await withLimit('idempotentCharacters', 8000, async () => {
      assert.equal((await post(0)).status, 201)
      await world.db.query((q) => q.updateTable('idempotent_replies').set({ at: minuteAgo }).where('user_id', '=', id))
      for (const key of numbers(40).slice(1)) assert.equal((await post(key)).status, 201)
      const rows = await world.db.query((q) =>
        q.selectFrom('idempotent_replies').select('body').where('user_id', '=', id),
      )
      const characters = rows.reduce((sum, row) => sum + row.body.length, 0)
      assert.ok(rows.length < 40 && rows.length > 5 && characters <= 8000, `${rows.length} of ${characters}`)
      assert.equal((await post(39)).headers.get('idempotent-replayed'), 'true')
      assertRefused(await post(0), 400, 32000)
    })
  })

  it('refuses nothing that stays as it is or shrinks, even if it is too much', () => {
    for (const added of [0, -1]) assert.doesNotThrow(() => requireOwnRoom('dashboards', 60, added))
    assert.throws(() => requireOwnRoom('dashboards', 60))
  })

  it('is named by the table that it limits', () => {
    const bounds = Object.entries(TABLE_BOUNDS).flatMap(([table, { bound }]) =>
      typeof bound === 'string' ? [] : bound.map((name) => [name, table]),
    )
    const cases = Object.entries(CASES).map(([name, { table }]) => [name, table])
    assert.deepEqual(Object.fromEntries(bounds), {
      ...Object.fromEntries(cases),
      idempotentCharacters: 'idempotent_replies',
      inboxEntries: 'inbox_entries',
    })
    assert.equal(apiNameOf('savedSearches'), 'saved_searches')
  })
})

/** The limits are data, which is read when something is added: a lower one is the same code. */
async function withLimit<Result>(name: OwnLimitName, most: number, work: () => Promise<Result>): Promise<Result> {
  const limit = OWN_LIMITS[name] as { most: number }
  const before = limit.most
  limit.most = most
  try {
    return await work()
  } finally {
    limit.most = before
  }
}
