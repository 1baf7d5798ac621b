import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Call } from '../../src/access/call.ts'
import { attach, newFile } from '../support/attach.ts'
import type { AnyBody, Refusal } from '../support/body-types.ts'
import { changeBug } from '../support/change-bug.ts'
import { say } from '../support/discussion.ts'
import { everyCall } from '../support/every-call.ts'
import { fileBug } from '../support/file-bug.ts'
import { newMember, setControl } from '../support/new-member.ts'
import { newProduct } from '../support/new-product.ts'
import { isEveryCombination, sampled, sampledOn } from '../support/sample.ts'
import { type Client, describeOnEachEngine, type Reply, type World } from '../support/world.ts'

/** What decides, besides the bug, who sees it. */
interface Rules {
  or_groups: boolean
  useqacontact: boolean
}

const ALL_RULES: Rules[] = [false, true].flatMap((or_groups) =>
  [false, true].map((useqacontact) => ({ or_groups, useqacontact })),
)

/** A caller, and why they might see a bug: their groups and their role in it. */
interface Viewer {
  groups: readonly number[]
  part?: 'reporter' | 'copied' | 'assignee' | 'QA contact'
}

const VIEWERS: Readonly<Record<string, Viewer>> = {
  'an anonymous caller': { groups: [] },
  'another user': { groups: [] },
  'a member of the first group': { groups: [1] },
  'a member of the second group': { groups: [2] },
  'a member of both groups': { groups: [1, 2] },
  'the reporter': { groups: [], part: 'reporter' },
  'somebody on the CC list': { groups: [], part: 'copied' },
  'the assignee': { groups: [], part: 'assignee' },
  'the QA contact': { groups: [], part: 'QA contact' },
  'an administrator': { groups: [1, 2] },
}

interface Kind {
  groups: readonly number[]
  is_creator_accessible: boolean
  is_cc_accessible: boolean
}

const KINDS: Kind[] = [[], [1], [2], [1, 2]].flatMap((groups) =>
  [true, false].flatMap((is_creator_accessible) =>
    [true, false].map((is_cc_accessible) => ({ groups, is_creator_accessible, is_cc_accessible })),
  ),
)

/** The rule of the REST API, implemented a second time to check the server. */
function sees({ groups, part }: Viewer, bug: Kind, { or_groups, useqacontact }: Rules): boolean {
  const own = bug.groups.filter((group) => groups.includes(group)).length
  if (bug.groups.length === 0 || (or_groups ? own > 0 : own === bug.groups.length)) return true
  if (part === 'reporter') return bug.is_creator_accessible
  if (part === 'copied') return bug.is_cc_accessible
  return part === 'assignee' || (part === 'QA contact' && useqacontact)
}

/** A word that occurs in every text of a hidden bug, and nowhere else. */
const SECRET = 'marzipan'

/** A bug with all that a bug can have. */
interface Target extends Kind {
  id: number
  alias: string
  commentId: number
  attachmentId: number
  tag: string
  /** A bug that every user sees and that names this one wherever it can. */
  neighbour: number
  /** A bug that every user sees and that has nothing to do with this one, and a comment on it. */
  other: number
  otherCommentId: number
}

/** A product whose bugs can be restricted to two groups, and the people of the table. */
class House {
  readonly world: World
  readonly clients: Record<string, Client> = {}
  private readonly logins: Record<string, string> = {}
  private readonly groups: string[] = []
  product = ''

  constructor(world: World) {
    this.world = world
  }

  async build() {
    const { world } = this
    this.product = (await newProduct(world)).name
    for (const _ of [1, 2]) {
      const { name } = await world.newGroup()
      await setControl(world, this.product, name, { membercontrol: 'Shown', othercontrol: 'NA' })
      this.groups.push(name)
    }
    for (const [title, { groups }] of Object.entries(VIEWERS)) {
      const user = await newMember(world, 'editbugs', 'canconfirm', ...this.names(groups))
      this.clients[title] = user.client
      this.logins[title] = user.login
    }
    this.clients['an anonymous caller'] = world.nobody
    this.clients['an administrator'] = world.ada
    const field = { name: 'cf_twin', type: 6, display_name: 'Twin', is_on_bug_entry: true }
    assert.equal((await world.ada.post('/rest/field/bug', field)).status, 201)
  }

  names(groups: readonly number[]): string[] {
    return groups.map((group) => this.groups[group - 1] as string)
  }

  client(title: string): Client {
    return this.clients[title] as Client
  }

  /** Not restricted at first: the user who must not see it later has seen, tagged and visited it. */
  async file(kind: Kind, more: object = {}): Promise<number> {
    const { groups: _, ...accessible } = kind
    return fileBug(this.client('the reporter'), {
      product: this.product,
      component: 'Core',
      assigned_to: this.logins['the assignee'],
      qa_contact: this.logins['the QA contact'],
      cc: [this.logins['somebody on the CC list']],
      ...accessible,
      ...more,
    })
  }

  async restrict(id: number, { groups }: Kind) {
    if (groups.length > 0) await changeBug(this.world.ada, id, { groups: { add: this.names(groups) } })
  }

  async target(kind: Kind): Promise<Target> {
    const { world } = this
    const alias = world.unique(`${SECRET}-`)
    const tag = world.unique(SECRET)
    const id = await this.file(kind, { summary: `About ${SECRET}`, description: SECRET, alias })
    const place = { product: this.product, component: 'Core' }
    const [neighbour, other] = [await fileBug(world.edna, place), await fileBug(world.edna, place)]
    const attachmentId = await attach(world.ada, id, { summary: SECRET, file_name: `${SECRET}.txt` })
    const commentId = await say(world.ada, id, SECRET)
    const otherCommentId = await say(world.ada, other, 'Nothing')
    assert.equal((await world.ada.put(`/rest/bug/comment/${commentId}/tags`, { add: [tag] })).status, 200)
    await changeBug(world.ada, neighbour, { depends_on: { add: [id] }, see_also: { add: [id] }, cf_twin: id })
    await changeBug(world.ada, id, { dupe_of: neighbour })
    for (const [title, client] of Object.entries(this.clients)) {
      if (title === 'an anonymous caller') continue
      assert.equal((await client.post(`/rest/bug_user_last_visit/${id}`)).status, 200)
      assert.equal((await client.put(`/rest/bug/${id}/tags`, { add: [SECRET] })).status, 200)
    }
    await this.restrict(id, kind)
    return { ...kind, id, alias, commentId, attachmentId, tag, neighbour, other, otherCommentId }
  }

  /** All that there is about a bug, and how much there is in all. */
  async state({ id, neighbour, other }: Target) {
    const fields = '_all,description,comments,history,attachments,duplicates,comment_count'
    const { status, body, text } = await this.world.ada.get(
      `/rest/bug/${id}?ids=${neighbour}&ids=${other}&include_fields=${fields}&exclude_fields=update_token`,
    )
    assert.equal(status, 200, text)
    const tables = ['bugs', 'comments', 'comment_tags', 'attachments', 'bug_changes', 'bug_tags', 'outbox'] as const
    const count = (table: (typeof tables)[number]) =>
      this.world.db.query((q) => q.selectFrom(table).select((row) => row.fn.countAll().as('count')))
    const counts = await Promise.all(tables.map(count))
    const visits = await this.world.db.query((q) =>
      q.selectFrom('last_visits').selectAll().orderBy('user_id').orderBy('bug_id'),
    )
    return { bugs: body.bugs, counts: JSON.stringify(counts), visits }
  }
}

/** One way in which a call can refer to a bug. */
interface Way {
  ask: (client: Client, target: Target, quietly: object) => Promise<Reply<AnyBody>>
  /** Checks the response to callers who may not see the bug; 102 by default. Callers who may see it get another response. */
  silence?: (reply: Reply<AnyBody>, target: Target) => void
}

const refused = (ask: Way['ask']): Way => ({ ask })
const silent = <Body>(
  ask: (client: Client, target: Target, quietly: object) => Promise<Reply<Body>>,
  silence: (reply: Reply<Body>, target: Target) => void,
): Way => ({ ask, silence })

/** The bug is not in what is answered about another. */
function unnamed({ text }: Reply, { id }: Target) {
  assert.doesNotMatch(text, new RegExp(`\\b${id}\\b`))
}

const nothing = ({ body }: Reply) => assert.deepEqual(body, [])

const get = (path: (it: Target) => string) => refused((client, it) => client.get(`/rest${path(it)}`))
const post = (path: (it: Target) => string, body: (it: Target) => object) =>
  refused((client, it) => client.post(`/rest${path(it)}`, body(it)))
/** Where it is allowed it is only rehearsed, so that the next who asks meets the same. */
const change = (path: (it: Target) => string, body: (it: Target) => object) =>
  refused((client, it, quietly) => client.put(`/rest${path(it)}`, { ...body(it), ...quietly }))
const file = (more: (it: Target) => object) =>
  post(
    () => '/bug',
    (it) => ({ product: 'TestProduct', component: 'TestComponent', summary: 'New', ...more(it) }),
  )
const aboutNeighbour = (path: string) =>
  silent((client, { neighbour }) => client.get(`/rest/bug/${neighbour}${path}`), unnamed)

/** Every call that is about bugs, and every way in which it can come upon one. */
const WAYS: Readonly<Record<string, Readonly<Record<string, Way>>>> = {
  'GET /rest/bug/:ref': {
    'by number': get(({ id }) => `/bug/${id}`),
    'by alias': get(({ alias }) => `/bug/${alias}`),
    'with all its fields': get(({ id }) => `/bug/${id}?include_fields=_all,comments,history,attachments`),
    'among others': get(({ id, other }) => `/bug/${other}?ids=${id}`),
    'as it was': get(({ id }) => `/bug/${id}?as_of=2100-01-01`),
    permissively: silent(
      (client, { id, other }) => client.get(`/rest/bug/${other}?ids=${id}&permissive=1&include_fields=id`),
      ({ body }, { id, other }) => {
        const { faultString, ...fault } = body.faults[0] ?? {}
        assert.deepEqual(body.bugs, [{ id: other }])
        assert.deepEqual(fault, { id, faultCode: 102, reason: 'bug_not_visible' })
        assert.match(faultString, /not allowed/)
      },
    ),
    'in the lists of another': aboutNeighbour('?include_fields=depends_on,blocks,see_also,duplicates,dupe_of,cf_twin'),
    'in all that is said about another': aboutNeighbour('?include_fields=comments,history&exclude_fields=comments.id'),
  },
  'GET /rest/bug': {
    'by number': silent(
      (client, { id, other }) => client.get(`/rest/bug?id=${id},${other}&include_fields=id&with_total=1`),
      ({ body }, { other }) => assert.deepEqual([body.bugs, body.total_matches], [[{ id: other }], 1]),
    ),
    'by what it says': silent(
      (client) => client.get(`/rest/bug?quicksearch=ALL ${SECRET}&include_fields=id`),
      ({ body }, { id }) => assert.ok(body.bugs.every((bug) => bug.id !== id)),
    ),
    'by its alias': silent(
      (client, { alias }) => client.get(`/rest/bug?alias=${alias}&count_only=1`),
      ({ body }) => assert.deepEqual(body, { bug_count: 0 }),
    ),
  },
  'GET /rest/report': {
    'as one of a number': silent(
      (client, { id }) => client.get(`/rest/report?x_axis_field=product&id=${id}`),
      ({ body }) => assert.equal(body.bug_count, 0),
    ),
  },
  ...Object.fromEntries(
    (['over_time', 'time_to_close'] as const).map((name) => [
      `GET /rest/report/${name}`,
      {
        'as one of a number': silent(
          (client, { id }) => client.get(`/rest/report/${name}?id=${id}`),
          ({ body }) => assert.equal(body.bug_count, 0),
        ),
      },
    ]),
  ),
  'GET /rest/bug/possible_duplicates': {
    'by number': get(({ id }) => `/bug/possible_duplicates?id=${id}`),
  },
  'GET /rest/event': {
    'as what happened': silent(
      (client) => client.get('/rest/event?after=0&limit=1000'),
      ({ body }, { id }) => assert.ok(body.events.every((event) => event.bug_id !== id)),
    ),
  },
  'GET /rest/bug/': { 'among others': get(({ id, other }) => `/bug/?ids=${other}&ids=${id}`) },
  'POST /rest/bug': {
    'as a dependency': file(({ id }) => ({ depends_on: [id] })),
    'as something blocked': file(({ alias }) => ({ blocks: [alias] })),
    'in See Also': file(({ id }) => ({ see_also: [String(id)] })),
    'in a custom field': file(({ id }) => ({ cf_twin: id })),
  },
  'PUT /rest/bug/:ref': {
    'by number': change(
      ({ id }) => `/bug/${id}`,
      () => ({ whiteboard: 'changed' }),
    ),
    'by alias': change(
      ({ alias }) => `/bug/${alias}`,
      () => ({ flags: [], comment: { body: 'x' } }),
    ),
    'without a change': change(
      ({ id }) => `/bug/${id}`,
      () => ({}),
    ),
    'among others': change(
      ({ other }) => `/bug/${other}`,
      ({ id }) => ({ ids: [id], whiteboard: 'changed' }),
    ),
    'as a new dependency': change(
      ({ other }) => `/bug/${other}`,
      ({ id }) => ({ depends_on: { add: [id] } }),
    ),
    'as all dependencies': change(
      ({ other }) => `/bug/${other}`,
      ({ id }) => ({ depends_on: { set: [id] } }),
    ),
    'as a dependency that goes': change(
      ({ neighbour }) => `/bug/${neighbour}`,
      ({ id }) => ({ depends_on: { remove: [id] } }),
    ),
    'as something blocked': change(
      ({ other }) => `/bug/${other}`,
      ({ alias }) => ({ blocks: { add: [alias] } }),
    ),
    'as something no longer blocked': change(
      ({ other }) => `/bug/${other}`,
      ({ id }) => ({ blocks: { remove: [id] } }),
    ),
    'as what is duplicated': change(
      ({ other }) => `/bug/${other}`,
      ({ id }) => ({ dupe_of: id }),
    ),
    'in See Also': change(
      ({ other }) => `/bug/${other}`,
      ({ id }) => ({ see_also: { add: [String(id)] } }),
    ),
    'in a custom field': change(
      ({ other }) => `/bug/${other}`,
      ({ id }) => ({ cf_twin: id }),
    ),
    'taken out of See Also': silent(
      (client, { neighbour, id }, quietly) =>
        client.put(`/rest/bug/${neighbour}`, { see_also: { remove: [String(id)] }, ...quietly }),
      ({ status, body }) => assert.deepEqual([status, body.bugs[0].changes], [200, {}]),
    ),
    'set aside with the other dependencies': silent(
      (client, { neighbour }, quietly) => client.put(`/rest/bug/${neighbour}`, { depends_on: { set: [] }, ...quietly }),
      ({ status, body }) => assert.deepEqual([status, body.bugs[0].changes], [200, {}]),
    ),
  },
  'PUT /rest/bug/update': {
    'among others': change(
      () => '/bug/update',
      ({ id, other }) => ({ ids: [other, id], whiteboard: 'changed' }),
    ),
  },
  'GET /rest/bug/:ref/access': { 'by number': get(({ id }) => `/bug/${id}/access`) },
  'GET /rest/bug/:ref/history': {
    'by number': get(({ id }) => `/bug/${id}/history`),
    'among others': get(({ alias, other }) => `/bug/${other}/history?ids=${alias}`),
    'in that of another': aboutNeighbour('/history'),
  },
  'GET /rest/bug/:ref/comment': {
    'by number': get(({ id }) => `/bug/${id}/comment`),
    'since some time': get(({ id }) => `/bug/${id}/comment?new_since=2100-01-01`),
    'among others': get(({ alias, other }) => `/bug/${other}/comment?ids=${alias}`),
    'by the number of a comment': get(({ commentId, other }) => `/bug/${other}/comment?comment_ids=${commentId}`),
    'in those of another': aboutNeighbour('/comment?include_fields=text'),
  },
  'GET /rest/bug/comment/:comment_id': {
    'by number': get(({ commentId }) => `/bug/comment/${commentId}`),
    'by the bug': get(({ id, otherCommentId }) => `/bug/comment/${otherCommentId}?ids=${id}`),
  },
  'POST /rest/bug/:ref/comment': {
    'by number': post(
      ({ id }) => `/bug/${id}/comment`,
      () => ({ comment: 'Mine' }),
    ),
  },
  'PUT /rest/bug/comment/:comment_id/tags': {
    'by number': refused((client, { commentId, tag }) =>
      client.put(`/rest/bug/comment/${commentId}/tags`, { add: [tag] }),
    ),
  },
  'GET /rest/bug/comment/tags/:query': {
    'by a tag': silent((client, { tag }) => client.get(`/rest/bug/comment/tags/${tag}`), nothing),
  },
  'POST /rest/bug/comment/render': {
    'as the bug that it is on': post(
      () => '/bug/comment/render',
      ({ id }) => ({ text: 'comment 1', id: String(id) }),
    ),
    'in the text': silent(
      (client, { id, attachmentId }) =>
        client.post('/rest/bug/comment/render', { text: `bug ${id}, attachment ${attachmentId}` }),
      ({ body }, { id, attachmentId }) => assert.equal(body.html, `bug ${id}, attachment ${attachmentId}`),
    ),
  },
  'GET /rest/bug/:ref/attachment': {
    'by number': get(({ id }) => `/bug/${id}/attachment`),
    'among others': get(({ alias, other }) => `/bug/${other}/attachment?ids=${alias}`),
    'by the number of an attachment': get(
      ({ attachmentId: it, other }) => `/bug/${other}/attachment?attachment_ids=${it}`,
    ),
  },
  'GET /rest/bug/attachment/:attachment_id': {
    'by number': get(({ attachmentId }) => `/bug/attachment/${attachmentId}`),
    'by the bug': get(({ id }) => `/bug/attachment/2000000?ids=${id}`),
  },
  'GET /rest/bug/attachment/:attachment_id/data': {
    'by number': get(({ attachmentId }) => `/bug/attachment/${attachmentId}/data`),
  },
  'GET /rest/bug/attachment/:attachment_id/link': {
    // Callers who may see it learn that the call is for the pages only.
    'by number': refused(async (client, { attachmentId }) => {
      const reply = await client.get(`/rest/bug/attachment/${attachmentId}/link`)
      return reply.body.code === 304 ? { ...reply, status: 200 } : reply
    }),
  },
  'POST /rest/bug/:ref/attachment': {
    'by number': post(
      ({ id }) => `/bug/${id}/attachment`,
      () => newFile(),
    ),
    'among others': post(
      ({ other }) => `/bug/${other}/attachment`,
      ({ id }) => newFile({ ids: [id] }),
    ),
  },
  'PUT /rest/bug/attachment/:attachment_id': {
    'by number': refused((client, { attachmentId }) =>
      client.put(`/rest/bug/attachment/${attachmentId}`, { summary: SECRET }),
    ),
  },
  'PUT /rest/bug/:ref/tags': {
    'by number': refused((client, { id }) => client.put(`/rest/bug/${id}/tags`, { add: [SECRET] })),
  },
  'POST /rest/bug_user_last_visit/:ref': {
    'by number': post(
      ({ id }) => `/bug_user_last_visit/${id}`,
      () => ({}),
    ),
    'among others': post(
      ({ other }) => `/bug_user_last_visit/${other}`,
      ({ id }) => ({ ids: [id] }),
    ),
  },
  'POST /rest/bug_user_last_visit': {
    'among others': post(
      () => '/bug_user_last_visit',
      ({ id, other }) => ({ ids: [other, id] }),
    ),
  },
  'GET /rest/bug_user_last_visit/:ref': {
    'by number': silent((client, { id }) => client.get(`/rest/bug_user_last_visit/${id}`), nothing),
  },
  'GET /rest/bug_user_last_visit': {
    'among others': silent((client, { id }) => client.get(`/rest/bug_user_last_visit?ids=${id}`), nothing),
    'among the newest': silent((client) => client.get('/rest/bug_user_last_visit?include_fields=id'), unnamed),
  },
  'GET /rest/bug/:ref/graph': {
    'by number': get(({ id }) => `/bug/${id}/graph`),
    'in that of another': aboutNeighbour('/graph'),
    'among the duplicates of another': aboutNeighbour('/graph?relationship=duplicates'),
  },
}

/** Calls of these pages have nothing to do with single bugs. What is made of searches is in found-hidden.test.ts. */
const WITHOUT_BUGS = new Set([
  'account',
  'activity',
  'admin',
  'api_key',
  'classification',
  'component',
  'factor',
  'dashboard',
  'field',
  'flag_type',
  'group',
  'group_control',
  'info',
  'keyword',
  'mail',
  'mail_address',
  'milestone',
  'passkey',
  'product',
  'provider',
  'saved_report',
  'saved_search',
  'scheduled_mail',
  'series',
  'session',
  'user',
  'version',
  'webhook',
  'workflow',
])

/** A user who is not logged in gets 410 before anything else. */
function needsLogin({ method, path }: Call) {
  return (method !== 'GET' && path !== '/bug/comment/render') || /access$|comment\/tags|last_visit/.test(path)
}

/** Without those that only administrators may make: other callers are refused before any bug is looked at. */
const callsAboutBugs = everyCall.filter(
  // The bug here is closed, and ages are those of open ones: see report-over-time.test.ts.
  ({ call }) => !WITHOUT_BUGS.has(call.resource) && call.scope !== 'admin' && call.path !== '/report/age',
)

it('knows every call that is about bugs', () => {
  assert.deepEqual(callsAboutBugs.map(({ title }) => title).sort(), Object.keys(WAYS).sort())
})

describeOnEachEngine('who sees a bug', (world) => {
  const house = new House(world)
  const bugs: { id: number; kind: Kind }[] = []
  before(async () => {
    await house.build()
    for (const kind of KINDS) bugs.push({ id: await house.file(kind), kind })
    for (const { id, kind } of bugs) await house.restrict(id, kind)
  })

  for (const rules of ALL_RULES)
    it(`is decided for everybody as the rule says, with ${JSON.stringify(rules)}`, () =>
      world.withParameters({ ...rules }, async () => {
        const [first, ...rest] = bugs.map(({ id }) => id)
        const query = `permissive=1&include_fields=id&${rest.map((id) => `ids=${id}`).join('&')}`
        for (const [title, viewer] of Object.entries(VIEWERS)) {
          const { body } = await house.client(title).get(`/rest/bug/${first}?${query}`)
          const seen = new Set(body.bugs.map(({ id }) => id))
          const hidden = new Map(body.faults.map((fault) => [fault.id, fault.faultCode] as const))
          for (const { id, kind } of bugs) {
            const expected = sees(viewer, kind, rules)
            assert.equal(seen.has(id), expected, `${title}, ${JSON.stringify(kind)}`)
            assert.equal(hidden.get(id), expected ? undefined : 102, `${title}, ${JSON.stringify(kind)}`)
          }
        }
      }))

  it('decides who gets the event of its deletion', async () => {
    const deleted = sampledOn(world.engine, bugs, 3)
    const { next_cursor: start } = (await world.nobody.get('/rest/event')).body
    await world.withParameters({ allowbugdeletion: true }, async () => {
      for (const { id } of deleted) assert.equal((await world.ada.delete(`/rest/bug/${id}?reason=Mistake`)).status, 200)
    })
    for (const [place, rules] of ALL_RULES.entries())
      await world.withParameters({ ...rules }, async () => {
        for (const [title, viewer] of sampledOn(world.engine, Object.entries(VIEWERS), 2, place)) {
          const { body } = await house.client(title).get(`/rest/event?after=${start}&wait=10`)
          const expected = deleted.filter(({ kind }) => sees(viewer, kind, rules))
          assert.deepEqual(
            body.events.map(({ type, bug_id }) => [type, bug_id]),
            expected.map(({ id }) => ['bug.delete', id]),
            `${title}, ${JSON.stringify(rules)}`,
          )
        }
      })
  })
})

/** The rule itself is tested above; here, that every call asks it, with the rules as they are at the moment. */
const SETTINGS: { rules: Rules; kind: Kind }[] = [
  {
    rules: { or_groups: false, useqacontact: true },
    kind: { groups: [1, 2], is_creator_accessible: false, is_cc_accessible: true },
  },
  {
    rules: { or_groups: true, useqacontact: false },
    kind: { groups: [1], is_creator_accessible: true, is_cc_accessible: false },
  },
]

describeOnEachEngine('a bug that the caller may not see', (world) => {
  const house = new House(world)
  before(() => house.build())

  for (const [place, { rules, kind }] of SETTINGS.entries())
    describe(`with ${JSON.stringify({ ...rules, ...kind })}`, () => {
      let target: Target
      before(async () => {
        target = await house.target(kind)
        await world.ada.put('/rest/parameters', rules)
      })
      after(() => world.ada.put('/rest/parameters', { or_groups: false, useqacontact: true }))

      const blind = Object.keys(VIEWERS).filter((name) => !sees(VIEWERS[name] as Viewer, kind, rules))
      const seeing = Object.keys(VIEWERS).filter((name) => !blind.includes(name))
      for (const { call, title } of sampled(callsAboutBugs, 2, place))
        it(`is not there for ${title}`, async () => {
          const ways = Object.entries(WAYS[title] ?? {})
          // A GET is not expected to write anything.
          const state = async () => (call.method !== 'GET' || isEveryCombination ? house.state(target) : undefined)
          const before = await state()
          for (const [index, [how, way]] of ways.entries())
            for (const name of sampledOn(world.engine, blind, blind.length, index))
              await askInVain(call, way, name, how)
          assert.deepEqual(await state(), before)
          for (const [index, [how, way]] of ways.entries())
            for (const name of sampledOn(world.engine, seeing, seeing.length, index)) await askForReal(way, name, how)
        })

      async function askInVain(call: Call, way: Way, name: string, how: string) {
        const reply = await way.ask(house.client(name), target, {})
        assert.doesNotMatch(reply.text.replaceAll(target.alias, ''), new RegExp(SECRET), `${how}, ${name}`)
        if (name === 'an anonymous caller' && needsLogin(call)) assertOnly(reply, 410, `${how}, ${name}`)
        else if (way.silence) way.silence(reply, target)
        else assertOnly(reply, 102, `${how}, ${name}`)
      }

      async function askForReal(way: Way, name: string, how: string) {
        const reply = await way.ask(house.client(name), target, { dry_run: true })
        assert.ok(reply.status < 300, `${how}, ${name}: ${reply.text}`)
        if (way.silence) assert.throws(() => way.silence?.(reply, target), assert.AssertionError, `${how}, ${name}`)
      }
    })
})

/** The error, and not a word besides. */
function assertOnly({ status, body, text }: Reply, code: number, who: string) {
  assert.deepEqual([status, body.code], [401, code], `${who}: ${text}`)
  const { values = {}, field: _, ...rest } = body as Refusal
  assert.deepEqual(Object.keys(rest).sort(), ['code', 'documentation', 'error', 'message', 'reason'])
  for (const value of Object.values(values)) assert.ok(body.message.includes(String(value)), `${who}: ${text}`)
}
