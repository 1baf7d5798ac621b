import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { BodyAt } from '../support/body-types.ts'
import { cast } from '../support/cast.ts'
import { changeBug } from '../support/change-bug.ts'
import { readComments } from '../support/discussion.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { newMember } from '../support/new-member.ts'
import { newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { sampled } from '../support/sample.ts'
import { type Client, describeOnEachEngine, describeOnOneEngine, itOnce, itOnOneEngine } from '../support/world.ts'

/** What a user can be to a bug. */
const ROLES = [
  'reporter',
  'assignee',
  'QA contact',
  'editbugs',
  'canconfirm',
  'time tracker',
  'insider',
  'other user',
  'anonymous',
] as const
type Role = (typeof ROLES)[number]

const EVERYBODY = ROLES.filter((role) => role !== 'anonymous')
const WORKERS: readonly Role[] = ['assignee', 'QA contact', 'editbugs']
const PARTICIPANTS: readonly Role[] = ['reporter', ...WORKERS]
const TIME_TRACKERS: readonly Role[] = ['time tracker']

/** What a change needs, and how it is refused. */
interface Settable {
  change: (bug: BugToEdit) => object
  by: readonly Role[]
  code?: number
}

interface BugToEdit {
  id: number
  other: number
  commentId: number
  product: string
  keyword: string
  flag: string
}

const participants = (change: Settable['change']): Settable => ({ change, by: PARTICIPANTS })

/** The whole table: every field that can be set, and by whom (semantics D.3). The others are refused. */
const SET: Record<string, Settable> = {
  summary: participants(() => ({ summary: 'New words' })),
  status: participants(() => ({ status: 'RESOLVED', resolution: 'INVALID' })),
  'status between open ones': { change: () => ({ status: 'IN_PROGRESS' }), by: WORKERS, code: 123 },
  resolution: participants(() => ({ status: 'RESOLVED', resolution: 'WONTFIX' })),
  is_confirmed: { change: () => ({ status: 'CONFIRMED' }), by: ['editbugs', 'canconfirm'], code: 123 },
  product: participants(({ product }) => ({ product })),
  component: participants(() => ({ component: 'Second' })),
  version: participants(() => ({ version: '2.0' })),
  target_milestone: { change: () => ({ target_milestone: 'M1' }), by: WORKERS },
  priority: participants(() => ({ priority: 'High' })),
  severity: participants(() => ({ severity: 'major' })),
  op_sys: participants(() => ({ op_sys: 'Linux' })),
  platform: participants(() => ({ platform: 'PC' })),
  url: participants(() => ({ url: 'http://example.com/' })),
  whiteboard: participants(() => ({ whiteboard: 'marked' })),
  keywords: participants(({ keyword }) => ({ keywords: { add: [keyword] } })),
  see_also: participants(({ other }) => ({ see_also: { add: [String(other)] } })),
  depends_on: participants(({ other }) => ({ depends_on: { add: [other] } })),
  blocks: participants(({ other }) => ({ blocks: { add: [other] } })),
  dupe_of: participants(({ other }) => ({ dupe_of: other })),
  alias: participants(({ id }) => ({ alias: `alias-of-${id}` })),
  is_cc_accessible: participants(() => ({ is_cc_accessible: false })),
  is_creator_accessible: participants(() => ({ is_creator_accessible: false })),
  restrict_comments: { change: () => ({ restrict_comments: true }), by: ['editbugs'] },
  cf_words: participants(() => ({ cf_words: 'filled in' })),
  assigned_to: { change: () => ({ assigned_to: cast.pam.login }), by: WORKERS },
  qa_contact: { change: () => ({ qa_contact: cast.pam.login }), by: WORKERS },
  reset_assigned_to: { change: () => ({ reset_assigned_to: true }), by: WORKERS },
  reset_qa_contact: { change: () => ({ reset_qa_contact: true }), by: WORKERS },
  deadline: { change: () => ({ deadline: '2030-01-01' }), by: TIME_TRACKERS },
  estimated_time: { change: () => ({ estimated_time: 5 }), by: TIME_TRACKERS },
  remaining_time: { change: () => ({ remaining_time: 5 }), by: TIME_TRACKERS },
  work_time: { change: () => ({ work_time: 5 }), by: TIME_TRACKERS },
  comment: { change: () => ({ comment: { body: 'Words' } }), by: EVERYBODY },
  'private comment': { change: () => ({ comment: { body: 'Words', is_private: true } }), by: ['insider'], code: 113 },
  comment_is_private: {
    change: ({ commentId }) => ({ comment_is_private: { [commentId]: true } }),
    by: ['insider'],
    code: 113,
  },
  cc: { change: () => ({ cc: { add: [cast.pam.login] } }), by: EVERYBODY },
  'cc of others': { change: () => ({ cc: { remove: [cast.uma.login] } }), by: WORKERS, code: 32_000 },
  flags: { change: ({ flag }) => ({ flags: [{ name: flag, status: '?' }] }), by: EVERYBODY },
}

/** Fields that cannot be set at all: an update does not know them. */
const NEVER = [
  'id',
  'creator',
  'creation_time',
  'last_change_time',
  'is_open',
  'is_confirmed',
  'classification',
  'actual_time',
  'update_token',
  'creator_detail',
  'assigned_to_detail',
  'cc_detail',
  'tags',
]

/** Fields that not every user sees of a bug that they see; every user sees all others. */
const SEEN: Record<string, readonly Role[]> = {
  actual_time: TIME_TRACKERS,
  estimated_time: TIME_TRACKERS,
  remaining_time: TIME_TRACKERS,
  update_token: EVERYBODY,
}

describeOnEachEngine('Who may see and set which field of a bug', (world) => {
  const people = new Map<Role, Client>()
  let scenery: { product: string; elsewhere: string; keyword: string; flag: string; other: number }
  let logins: Record<'reporter' | 'assignee' | 'QA contact', string>

  /** Insiders and time trackers are groups of their own here, so that no right comes with another one. */
  async function prepare() {
    if (people.size > 0) return
    const [insiders, trackers] = [await world.newGroup(), await world.newGroup()]
    await world.ada.put('/rest/parameters', { insidergroup: insiders.name, timetrackinggroup: trackers.name })
    const groups: Record<Role, string[]> = {
      reporter: [],
      assignee: [],
      'QA contact': [],
      editbugs: ['editbugs'],
      canconfirm: ['canconfirm'],
      'time tracker': [trackers.name],
      insider: [insiders.name],
      'other user': [],
      anonymous: [],
    }
    const made = new Map<Role, string>()
    for (const role of EVERYBODY) {
      const user = await newMember(world, ...groups[role])
      people.set(role, user.client)
      made.set(role, user.login)
    }
    people.set('anonymous', world.nobody)
    logins = {
      reporter: made.get('reporter') ?? '',
      assignee: made.get('assignee') ?? '',
      'QA contact': made.get('QA contact') ?? '',
    }
    const [product, elsewhere] = [
      await newProduct(world, ['First', 'Second']),
      await newProduct(world, ['First', 'Second']),
    ]
    await world.ada.post(`/rest/product/${product.name}/version`, { name: '2.0' })
    await world.ada.post(`/rest/product/${product.name}/milestone`, { name: 'M1' })
    const [keyword, flag] = [world.unique('kw'), world.unique('flag')]
    await world.ada.post('/rest/keyword', { name: keyword, description: 'For a test' })
    await world.ada.post('/rest/flag_type', { name: flag, description: 'For a test', target_type: 'bug' })
    await world.ada.post('/rest/field/bug', { name: 'cf_words', display_name: 'Words', type: 1, is_on_bug_entry: true })
    const other = await fileBug(world.ada, { product: product.name, component: 'First', version: '1.0' })
    scenery = { product: product.name, elsewhere: elsewhere.name, keyword, flag, other }
  }

  async function stage(status = 'CONFIRMED'): Promise<BugToEdit> {
    await prepare()
    const place = { product: scenery.product, component: 'First', version: '1.0' }
    const id = await fileBug(people.get('reporter') as Client, { ...place, cc: [cast.uma.login] })
    const { status: done, text } = await world.ada.put(`/rest/bug/${id}`, {
      assigned_to: logins.assignee,
      qa_contact: logins['QA contact'],
      ...(status !== 'UNCONFIRMED' && { status }),
    })
    assert.equal(done, 200, text)
    const [description] = await readComments(world.ada, id)
    return {
      id,
      other: scenery.other,
      commentId: description.id,
      product: scenery.elsewhere,
      keyword: scenery.keyword,
      flag: scenery.flag,
    }
  }

  for (const [
    place,
    [field, { change, by, code = field === 'status' || field === 'resolution' ? 123 : 115 }],
  ] of Object.entries(SET).entries())
    itOnce(world, `lets ${by.join(', ')} set ${field}, and no other user`, async () => {
      const status = field === 'is_confirmed' ? 'UNCONFIRMED' : 'CONFIRMED'
      let bug = await stage(status)
      let before = await everythingOf(bug.id)
      const put = async (role: Role) => {
        const reply = await (people.get(role) as Client).put(`/rest/bug/${bug.id}`, change(bug))
        return { reply, says: `${role} sets ${field}: ${reply.text}` }
      }
      // A refused change leaves the bug as it is, so all of them are tried on one.
      const others = ROLES.filter((it) => !by.includes(it))
      for (const role of sampled(others, 2, place)) {
        const { reply, says } = await put(role)
        assert.equal(reply.body.code, role === 'anonymous' ? 410 : code, says)
      }
      assert.deepEqual(await everythingOf(bug.id), before)
      // Which others may is shown by GET /rest/bug/(id)/access, below.
      const allowed = sampled(by, Math.min(by.length, 4), place)
      for (const role of allowed) {
        const { reply, says } = await put(role)
        assert.equal(reply.status, 200, says)
        assert.notDeepEqual(await everythingOf(bug.id), before, says)
        if (role === allowed.at(-1)) return
        bug = await stage(status)
        before = await everythingOf(bug.id)
      }
    })

  async function everythingOf(id: number) {
    const bug = await readBug(world.ada, id)
    const { length } = await readComments(world.ada, id)
    const rows = await world.db.query((q) => q.selectFrom('bugs').selectAll().where('id', '=', id))
    const comments = await world.db.query((q) => q.selectFrom('comments').selectAll().where('bug_id', '=', id))
    return { bug, comments: length, rows, kept: comments }
  }

  itOnOneEngine(world, 'takes the values that a bug has from every user who comments on it', async () => {
    const { id, other, keyword } = await stage()
    await changeBug(world.ada, id, {
      keywords: { add: [keyword] },
      alias: `same-${id}`,
      see_also: { add: ['https://github.com/a/b/issues/1', String(other)] },
      depends_on: { add: [other] },
      version: '2.0',
      target_milestone: 'M1',
      status: 'RESOLVED',
      resolution: 'WONTFIX',
      url: 'http://example.com/',
      whiteboard: 'marked',
      cf_words: 'filled in',
      is_cc_accessible: false,
    })
    await changeBug(people.get('time tracker') as Client, id, { deadline: '2030-01-01', estimated_time: 5 })
    const before = await everythingOf(id)
    const bug: Record<string, unknown> = before.bug
    const single = ['product', 'component', 'version', 'target_milestone', 'summary', 'url', 'whiteboard', 'priority']
    const more = ['severity', 'op_sys', 'platform', 'assigned_to', 'qa_contact', 'status', 'resolution', 'cf_words']
    const same = {
      ...Object.fromEntries([...single, ...more].map((field) => [field, bug[field]])),
      is_cc_accessible: false,
      is_creator_accessible: true,
      deadline: '2030-01-01',
      estimated_time: 5,
      keywords: { set: [keyword.toUpperCase()] },
      alias: { add: [`SAME-${id}`], remove: ['not-there'] },
      see_also: { add: bug.see_also, remove: ['https://github.com/a/b/issues/2'] },
      depends_on: { add: [other], remove: [id] },
      blocks: { set: [] },
      cc: { add: [cast.uma.login], remove: [cast.pam.login] },
    }
    const otherUser = people.get('other user') as Client
    assert.deepEqual(await changeBug(otherUser, id, same), {})
    assert.deepEqual(await everythingOf(id), before)
    assert.deepEqual(await changeBug(otherUser, id, { ...same, comment: { body: 'Words' } }), {})
    assert.equal((await everythingOf(id)).comments, before.comments + 1)
  })

  itOnOneEngine(
    world,
    'lets those who take part change the resolution of a closed bug, and no other user',
    async () => {
      const { id } = await stage()
      await changeBug(world.ada, id, { status: 'RESOLVED', resolution: 'FIXED' })
      for (const role of ['canconfirm', 'insider', 'other user'] as const)
        assertRefused(await (people.get(role) as Client).put(`/rest/bug/${id}`, { resolution: 'WONTFIX' }), 401, 115)
      assert.equal((await readBug(world.ada, id)).resolution, 'FIXED')
      for (const [role, resolution] of PARTICIPANTS.map(
        (role, turn) => [role, ['WONTFIX', 'INVALID'][turn % 2]] as const,
      ))
        assert.equal(
          (await changeBug(people.get(role) as Client, id, { resolution })).resolution?.added,
          resolution,
          role,
        )
    },
  )

  itOnOneEngine(world, 'lets those who confirm bugs reopen a closed one, which clears its resolution', async () => {
    const { id } = await stage('UNCONFIRMED')
    await changeBug(world.ada, id, { status: 'RESOLVED', resolution: 'FIXED' })
    const confirmer = people.get('canconfirm') as Client
    assertRefused(await confirmer.put(`/rest/bug/${id}`, { status: 'UNCONFIRMED' }), 400, 123)
    assert.deepEqual((await changeBug(confirmer, id, { status: 'CONFIRMED' })).resolution, {
      removed: 'FIXED',
      added: '',
    })
  })

  itOnOneEngine(world, 'lets no user set read-only fields', async () => {
    const scene = await stage()
    const before = await everythingOf(scene.id)
    for (const role of EVERYBODY) {
      const change = Object.fromEntries(NEVER.map((field) => [field, 'x']))
      const { status, body, text } = await (people.get(role) as Client).put(`/rest/bug/${scene.id}`, change)
      assert.equal(status, 200, text)
      assert.deepEqual(body.ignored, [...NEVER].sort(), role)
    }
    assert.deepEqual(await everythingOf(scene.id), before)
  })

  it('lets reporters choose the priority only while letsubmitterchoosepriority is on', async () => {
    await prepare()
    await world.withParameters({ letsubmitterchoosepriority: 0 }, async () => {
      const scene = await stage()
      const put = (role: Role) => (people.get(role) as Client).put(`/rest/bug/${scene.id}`, { priority: 'Low' })
      assertRefused(await put('reporter'), 401, 115)
      assert.equal((await put('assignee')).status, 200)
    })
  })

  it('lets the QA contact set nothing while useqacontact is off', async () => {
    await prepare()
    await world.withParameters({ useqacontact: 0 }, async () => {
      const { id } = await stage()
      const user = people.get('QA contact') as Client
      await world.db.query((q) =>
        q
          .updateTable('bugs')
          .set({ qa_contact_id: q.selectFrom('users').select('id').where('login', '=', logins['QA contact']) as never })
          .where('id', '=', id),
      )
      assertRefused(await user.put(`/rest/bug/${id}`, { summary: 'x' }), 401, 115)
    })
  })

  it('shows every field to every user, except restricted ones', async () => {
    const scene = await stage()
    const all = Object.keys(await readBug(world.ada, scene.id))
    const trackers = people.get('time tracker') as Client
    const fields = new Set([...all, ...Object.keys(await readBug(trackers, scene.id))])
    for (const role of ROLES) {
      const seen = Object.keys(await readBug(people.get(role) as Client, scene.id))
      const expected = [...fields].filter((field) => (SEEN[field] ?? ROLES).includes(role))
      assert.deepEqual(seen.sort(), expected.sort(), role)
    }
  })

  it('is the same in GET /rest/bug/(id)/access as in updates', async () => {
    const scene = await stage('UNCONFIRMED')
    const NAMES: Record<string, string> = { 'status between open ones': 'status.open', 'cc of others': 'cc.remove' }
    const LEFT_OUT = ['private comment', 'reset_assigned_to', 'reset_qa_contact']
    for (const role of EVERYBODY) {
      const { status, body, text } = await (people.get(role) as Client).get(`/rest/bug/${scene.id}/access`)
      assert.equal(status, 200, text)
      assert.deepEqual([body.see.allowed, body.edit.allowed], [true, true])
      for (const [field, { by }] of Object.entries(SET)) {
        if (LEFT_OUT.includes(field)) continue
        const returned = body.fields[NAMES[field] ?? field]
        assert.equal(returned?.allowed, by.includes(role), `${role}: ${field} ${JSON.stringify(returned)}`)
      }
    }
  })
})

describeOnOneEngine('GET /rest/bug/(id)/access', (world) => {
  const restricted = async () => {
    const product = await newProduct(world)
    const controls = { membercontrol: 'Shown', othercontrol: 'NA' }
    await world.ada.put(`/rest/product/${product.name}/group_control/security`, controls)
    return fileBug(world.sven, {
      product: product.name,
      component: 'Core',
      groups: ['security'],
      cc: [cast.stan.login],
    })
  }
  const rulesThatHold = (body: BodyAt<'GET', '/rest/bug/1/access'>) =>
    body.see.rules.filter((it) => it.holds).map((it) => it.rule)

  it('shows which of the rules lets a user see the bug', async () => {
    const id = await restricted()
    const admin = await world.ada.get(`/rest/bug/${id}/access?user=${cast.rhea.login}`)
    assert.equal(admin.status, 200, admin.text)
    assert.deepEqual(
      [admin.body.user, admin.body.see.allowed, admin.body.edit.allowed],
      [cast.rhea.login, false, false],
    )
    assert.deepEqual(rulesThatHold(admin.body), [])
    assert.equal(admin.body.fields.comment?.allowed, false)
    const { body: stan } = await world.stan.get(`/rest/bug/${id}/access`)
    assert.deepEqual(rulesThatHold(stan), ['They are on its CC list, and people on that list may see it.'])
    const { body: sven } = await world.ada.get(`/rest/bug/${id}/access?user=${cast.sven.login.toUpperCase()}`)
    assert.equal(rulesThatHold(sven).length, 2)
  })

  it('shows whether the group controls of the product let a user change bugs', async () => {
    const product = await newProduct(world)
    const id = await fileBug(world.edna, { product: product.name, component: 'Core' })
    await world.ada.put(`/rest/product/${product.name}/group_control/security`, { canedit: true })
    const { body } = await world.edna.get(`/rest/bug/${id}/access?user=${cast.edna.login}`)
    assert.deepEqual([body.see.allowed, body.edit.allowed, body.fields.comment?.allowed], [true, false, false])
    const rules = body.edit.rules.map(({ rule, holds }) => [rule, holds])
    assert.deepEqual(rules, [
      ['The user can see the bug.', true],
      ['The group controls of its product let the user change bugs.', false],
    ])
    assert.ok(!('creation_time' in body.fields), 'what nobody can change is not there')
  })

  it('shows which groups a user can remove, and which a move keeps', async () => {
    const product = await newProduct(world)
    const [some, all] = [await world.newGroup(), await world.newGroup()]
    const path = `/rest/product/${product.name}/group_control`
    await world.ada.put(`${path}/${some.name}`, { membercontrol: 'Shown', othercontrol: 'Shown' })
    await world.ada.put(`${path}/${all.name}`, { membercontrol: 'Mandatory', othercontrol: 'Mandatory' })
    const id = await fileBug(world.edna, { product: product.name, component: 'Core', groups: [some.name] })
    const groupsFor = async (client: Client) =>
      (await client.get(`/rest/bug/${id}/access`)).body.groups.map((group) => [
        group.name,
        group.can_remove,
        group.kept_on_move,
      ])
    assert.deepEqual(await groupsFor(world.ada), [
      [some.name, true, false],
      [all.name, false, false],
    ])
    assert.deepEqual(await groupsFor(world.edna), [
      [some.name, false, true],
      [all.name, false, true],
    ])
  })

  it('returns the groups that the user can restrict the bug to', async () => {
    const product = await newProduct(world)
    await world.ada.put(`/rest/product/${product.name}/group_control/security`, { membercontrol: 'Shown' })
    const unused = await world.newGroup()
    await world.ada.put(`/rest/product/${product.name}/group_control/${unused.name}`, { membercontrol: 'Shown' })
    const id = await fileBug(world.edna, { product: product.name, component: 'Core' })
    const addable = async (client: Client) => (await client.get(`/rest/bug/${id}/access`)).body.addable_groups
    assert.deepEqual(await addable(world.sven), ['security'])
    assert.deepEqual(await addable(world.edna), [])
    await world.sven.put(`/rest/bug/${id}`, { groups: { add: ['security'] } })
    assert.deepEqual(await addable(world.sven), [])
  })

  it('allows nothing on a bug that the user may not see, and little on one that they may not change', async () => {
    const id = await restricted()
    const allowedFor = async (bug: number) => {
      const { body } = await world.ada.get(`/rest/bug/${bug}/access?user=${cast.edna.login}`)
      const fields = Object.entries(body.fields).filter(([, it]) => it.allowed)
      return { fields: fields.map(([name]) => name), edit: body.edit.allowed, addable: body.addable_groups }
    }
    const nothing = { fields: [], edit: false, addable: [] }
    await world.withParameters({ comment_taggers_group: 'editbugs' }, async () => {
      assert.deepEqual(await allowedFor(id), nothing)
      const product = await newProduct(world)
      const [group, open] = [
        await world.newGroup(),
        await fileBug(world.ada, { product: product.name, component: 'Core' }),
      ]
      const path = `/rest/product/${product.name}/group_control`
      await world.ada.put(`${path}/${group.name}`, { membercontrol: 'Shown' })
      await world.ada.put(`/rest/user/${cast.edna.login}`, { groups: { add: [group.name] } })
      const before = await allowedFor(open)
      assert.ok(before.fields.includes('attachments') && before.fields.includes('summary'))
      assert.deepEqual([before.edit, before.addable], [true, [group.name]])
      await world.sven.put(`/rest/bug/${open}`, { groups: { add: [group.name] } })
      await world.ada.put(`${path}/security`, { canedit: true })
      assert.deepEqual(await allowedFor(open), { ...nothing, fields: ['comment_tags'] })
      await world.ada.put(`/rest/bug/${open}`, { groups: { add: [group.name] } })
      const { body } = await world.edna.get(`/rest/bug/${open}/access`)
      assert.deepEqual(
        body.groups.map((it) => [it.name, it.can_remove]),
        [[group.name, false]],
      )
    })
  })

  it('is about the caller, and about others for members of editusers', async () => {
    const id = await restricted()
    const { id: own } = (await world.stan.get('/rest/whoami')).body
    for (const user of [cast.stan.login, ` ${cast.stan.login.toUpperCase()} `, `${own}`])
      assert.equal(
        (await world.stan.get(`/rest/bug/${id}/access?user=${encodeURIComponent(user)}`)).body.user,
        cast.stan.login,
      )
    assert.equal((await world.ada.get(`/rest/bug/${id}/access?user=${own}`)).body.user, cast.stan.login)
    assertRefused(await world.stan.get(`/rest/bug/${id}/access?user=${own + 1}`), 401, 304)
    assertRefused(await world.ada.get(`/rest/bug/${id}/access?user=99999999`), 404, 51)
    assertRefused(await world.nobody.get(`/rest/bug/${id}/access`), 401, 410)
    assertRefused(await world.edna.get(`/rest/bug/${id}/access`), 401, 102)
    assertRefused(await world.edna.get('/rest/bug/99999999/access'), 404, 101)
    assertRefused(await world.stan.get(`/rest/bug/${id}/access?user=${cast.edna.login}`), 401, 304)
    assertRefused(await world.stan.get(`/rest/bug/${id}/access?user=nobody@nowhere.test`), 401, 304)
    assertRefused(await world.uma.get(`/rest/bug/${id}/access?user=${cast.stan.login}`), 401, 102)
    assertRefused(await world.ada.get(`/rest/bug/${id}/access?user=nobody@nowhere.test`), 404, 51)
  })
})
