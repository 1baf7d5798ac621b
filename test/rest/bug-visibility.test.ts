import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { Call } from '../../src/access/call.ts'
import { attach, newFile } from '../support/attach.ts'
import type { AnyBody, Refusal } from '../support/body-types.ts'
import { cast } from '../support/cast.ts'
import { changeBug } from '../support/change-bug.ts'
import { say } from '../support/discussion.ts'
import { everyCall } from '../support/every-call.ts'
import { fileBug } from '../support/file-bug.ts'
import { flagsOf, newType } from '../support/flags.ts'
import { newMember, setControl } from '../support/new-member.ts'
import { newProduct } from '../support/new-product.ts'
import { newKey, type Proposal, proposeChange, proposeNew } from '../support/proposals.ts'
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
  product: string
  /** An open bug that is restricted in the same way, the only one of its component. */
  open: number
  component: string
  /** Two triage queues of this bug; in the second one it is snoozed. */
  queue: string
  settledQueue: string
  /** The number of a change of this bug alone. */
  change: number
  /** An open proposal to comment on this bug, and one to attach a file to it. */
  proposal: Proposal
  proposedFile: Proposal
  /** The request on this bug to each of those who are logged in. */
  requests: ReadonlyMap<Client, number>
  logins: ReadonlyMap<Client, string>
}

/** A product whose bugs can be restricted to two groups, and the people of the table. */
class House {
  readonly world: World
  readonly clients: Record<string, Client> = {}
  private readonly logins: Record<string, string> = {}
  private readonly groups: string[] = []
  private readonly signedIn = new Map<Client, string>()
  private flagName = ''
  private workers = ''
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
      if (!['an anonymous caller', 'an administrator'].includes(title)) this.signedIn.set(user.client, user.login)
    }
    this.signedIn.set(world.ada, cast.ada.login)
    this.clients['an anonymous caller'] = world.nobody
    this.clients['an administrator'] = world.ada
    const field = { name: 'cf_twin', type: 6, display_name: 'Twin', is_on_bug_entry: true }
    assert.equal((await world.ada.post('/rest/field/bug', field)).status, 201)
    const voting = { votesperuser: 1000, maxvotesperbug: 10 }
    assert.equal((await world.ada.put(`/rest/product/${this.product}`, voting)).status, 200)
    await world.ada.put('/rest/parameters', { edit_comments_admins_group: 'editbugs' })
    this.flagName = (await newType(world, { inclusions: [this.product] })).name
    this.workers = (await world.newGroup()).name
    for (const login of this.signedIn.values())
      assert.equal((await world.ada.put(`/rest/user/${login}`, { groups: { add: [this.workers] } })).status, 200)
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
    await this.discuss(commentId)
    const requests = await this.request(id)
    assert.equal((await world.edna.put(`/rest/bug/${id}/votes`, { votes: 1 })).status, 200)
    for (const client of this.signedIn.keys()) {
      assert.equal((await client.post(`/rest/bug_user_last_visit/${id}`)).status, 200)
      assert.equal((await client.put(`/rest/bug/${id}/tags`, { add: [SECRET] })).status, 200)
      assert.equal((await client.put(`/rest/bug/${id}/votes`, { votes: 1 })).status, 200)
    }
    const queues = { queue: await this.newQueue(id), settledQueue: await this.newQueue(id) }
    const decision = { bug: id, decision: 'snoozed', until: new Date(Date.now() + 86_400_000).toISOString() }
    assert.equal((await world.ada.post(`/rest/triage/${queues.settledQueue}/decision`, decision)).status, 201)
    const component = world.unique('Part')
    const part = { product: this.product, name: component, description: 'A part', default_assignee: cast.ada.login }
    assert.equal((await world.ada.post('/rest/component', part)).status, 201)
    const open = await this.file(kind, { component })
    const { client: robot } = await newKey(world, { id: 1, client: world.ada }, ['read', 'propose'])
    const proposals = {
      proposal: await proposeNew(robot, `/rest/bug/${id}/comment`, { comment: SECRET }),
      proposedFile: await proposeNew(robot, `/rest/bug/${id}/attachment`, newFile({ summary: SECRET })),
    }
    await proposeChange(robot, other, { depends_on: { add: [id] } })
    for (const bug of [id, open]) await this.restrict(bug, kind)
    const change = (await world.ada.get(`/rest/bug/${id}/history`)).body.bugs[0].history.at(-1)?.change_id ?? 0
    const refs = { id, change, alias, commentId, attachmentId, tag, neighbour, other, otherCommentId, open, component }
    return { ...kind, ...refs, ...queues, ...proposals, product: this.product, requests, logins: this.signedIn }
  }

  /** The comment has an earlier version, a reaction and a mark. */
  private async discuss(commentId: number) {
    const { ada } = this.world
    const edit = { new_comment: `${SECRET} again` }
    assert.equal((await ada.put(`/rest/editcomments/comment/${commentId}`, edit)).status, 200)
    assert.equal((await ada.put(`/rest/bug/comment/${commentId}/reactions`, { add: ['+1'] })).status, 200)
    assert.equal((await ada.put(`/rest/bug/comment/${commentId}/answer`, { is_answer: true })).status, 200)
  }

  /** Asks everybody. */
  private async request(id: number): Promise<ReadonlyMap<Client, number>> {
    const logins = [...this.signedIn.values()]
    const flags = logins.map((requestee) => ({ name: this.flagName, status: '?', requestee, new: true }))
    await changeBug(this.world.edna, id, { flags })
    // Who is asked is added to the CC list.
    const copied = logins.filter((login) => login !== this.logins['somebody on the CC list'])
    await changeBug(this.world.edna, id, { cc: { remove: copied } })
    const asked = await flagsOf(this.world, id)
    const requestOf = (login: string) => asked.find(({ requestee }) => requestee === login)?.id ?? 0
    return new Map([...this.signedIn].map(([client, login]) => [client, requestOf(login)]))
  }

  private async newQueue(id: number): Promise<string> {
    const name = this.world.unique('Queue')
    const queue = { name, query: `bug_id=${id}`, group: this.workers }
    assert.equal((await this.world.ada.post('/rest/triage', queue)).status, 201)
    return name
  }

  /** Under the next rules others would see it. */
  async remove({ id, open }: Target) {
    const { ada } = this.world
    await this.world.withParameters({ allowbugdeletion: true }, async () => {
      for (const bug of [id, open]) assert.equal((await ada.delete(`/rest/bug/${bug}?reason=Over`)).status, 200)
    })
  }

  /** All that there is about a bug, and how much there is in all. */
  async state({ id, neighbour, other }: Target) {
    const fields = '_all,description,comments,history,attachments,duplicates,comment_count'
    const { status, body, text } = await this.world.ada.get(
      `/rest/bug/${id}?ids=${neighbour}&ids=${other}&include_fields=${fields}&exclude_fields=update_token`,
    )
    assert.equal(status, 200, text)
    const tables = [
      ...([
        'bugs',
        'comments',
        'comment_tags',
        'attachments',
        'bug_changes',
        'bug_tags',
        'outbox',
        'bug_votes',
      ] as const),
      ...(['comment_versions', 'comment_reactions', 'reminders', 'inbox_entries', 'deferred_requests'] as const),
      ...([
        'triage_claims',
        'triage_decisions',
        'triage_snoozes',
        'bug_presences',
        'proposals',
        'proposal_rows',
      ] as const),
    ] as const
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
  'GET /rest/bug/:ref/votes': {
    'by number': get(({ id }) => `/bug/${id}/votes`),
    'by alias': get(({ alias }) => `/bug/${alias}/votes?limit=0`),
  },
  'PUT /rest/bug/:ref/votes': {
    'by number': refused((client, { id }) => client.put(`/rest/bug/${id}/votes`, { votes: 2 })),
    'to take them back': refused((client, { alias }) => client.put(`/rest/bug/${alias}/votes`, { votes: 0 })),
  },
  'GET /rest/user/:user/votes': {
    'among those of another': silent(
      (client) => client.get(`/rest/user/${cast.edna.login}/votes`),
      ({ body }, { id }) => assert.ok(body.bugs.every((bug) => bug.bug_id !== id)),
    ),
    'among those of the caller': silent(
      async (client, { id, logins }) => {
        if (logins.has(client)) await client.put(`/rest/bug/${id}/votes`, { votes: 1 })
        return client.get(`/rest/user/${logins.get(client) ?? cast.ada.login}/votes`)
      },
      ({ body }, { id }) => assert.ok(body.bugs.every((bug) => bug.bug_id !== id)),
    ),
  },
  'PUT /rest/user/:user/votes': {
    'among others': refused((client, { id, other, logins }) =>
      client.put(`/rest/user/${logins.get(client) ?? cast.ada.login}/votes`, {
        votes: [
          { bug: other, votes: 1 },
          { bug: id, votes: 1 },
        ],
      }),
    ),
  },
  'PUT /rest/bug/:ref/presence': {
    'by number': refused((client, { id }) => client.put(`/rest/bug/${id}/presence`, { writing: true })),
  },
  'DELETE /rest/bug/:ref/presence': {
    'by alias': refused((client, { alias }) => client.delete(`/rest/bug/${alias}/presence`)),
  },
  'GET /rest/bug/:ref/proposal': {
    'by number': get(({ id }) => `/bug/${id}/proposal`),
    'by alias': get(({ alias }) => `/bug/${alias}/proposal?status=all`),
    'in what is proposed for another': silent(
      (client, { other }) => client.get(`/rest/bug/${other}/proposal`),
      unnamed,
    ),
  },
  'GET /rest/proposal': {
    'as one of them': silent(
      (client) => client.get('/rest/proposal?status=all&limit=50'),
      ({ body }, { id }) => {
        assert.ok(body.proposals.every((proposal) => proposal.bug_id !== id))
        assert.equal(body.total, body.proposals.length)
      },
    ),
  },
  'GET /rest/proposal/:id': {
    'by a proposal for it': silent(
      (client, { proposal }) => client.get(`/rest/proposal/${proposal.id}`),
      noSuchProposal,
    ),
  },
  'GET /rest/proposal/:id/content': {
    'by a proposal for it': silent(
      (client, { proposedFile }) => client.get(`/rest/proposal/${proposedFile.id}/content`),
      noSuchProposal,
    ),
  },
  'POST /rest/proposal/:id/accept': {
    'by a proposal for it': silent(
      (client, { proposal: { id, digest } }) => client.post(`/rest/proposal/${id}/accept`, { digest, dry_run: true }),
      noSuchProposal,
    ),
  },
  'POST /rest/proposal/decide': {
    'by a proposal for it': silent(
      (client, { proposal: { id, digest } }) =>
        client.post('/rest/proposal/decide', { decision: 'accept', proposals: [{ id, digest }], dry_run: true }),
      ({ body }) =>
        assert.deepEqual(
          body.refused.map(({ reason }) => reason),
          ['no_such_object'],
        ),
    ),
  },
  'GET /rest/change/:id': {
    'by a change of it': silent(
      (client, { change }) => client.get(`/rest/change/${change}`),
      ({ status, body }) => assert.deepEqual([status, (body as AnyBody).reason], [404, 'no_such_object']),
    ),
  },
  'POST /rest/change/:id/undo': {
    'by a change of it': silent(
      (client, { change }) => client.post(`/rest/change/${change}/undo`, { dry_run: true }),
      ({ status, body }) => assert.deepEqual([status, (body as AnyBody).reason], [404, 'no_such_object']),
    ),
  },
  'GET /rest/bug/:ref/code': {
    'by number': get(({ id }) => `/bug/${id}/code`),
    'by alias': get(({ alias }) => `/bug/${alias}/code`),
  },
  'GET /rest/githubpr/bug_pull_requests/:ref': {
    'by number': get(({ id }) => `/githubpr/bug_pull_requests/${id}`),
  },
  'GET /rest/phabbugz/bug_revisions/:ref': { 'by number': get(({ id }) => `/phabbugz/bug_revisions/${id}`) },
  'GET /rest/bug/:ref/readers': { 'by number': get(({ id }) => `/bug/${id}/readers?nicks=ada`) },
  'GET /rest/bug/comment/:comment_id/reactions': {
    'by number': get(({ commentId }) => `/bug/comment/${commentId}/reactions`),
  },
  'PUT /rest/bug/comment/:comment_id/reactions': {
    'by number': refused((client, { commentId }) =>
      client.put(`/rest/bug/comment/${commentId}/reactions`, { add: ['+1'] }),
    ),
    'without a change': refused((client, { commentId }) => client.put(`/rest/bug/comment/${commentId}/reactions`, {})),
  },
  'GET /rest/bug/comment/:comment_id/versions': {
    'by number': get(({ commentId }) => `/bug/comment/${commentId}/versions`),
  },
  'PUT /rest/bug/comment/:comment_id/answer': {
    'by number': refused((client, { commentId }) =>
      client.put(`/rest/bug/comment/${commentId}/answer`, { is_answer: true }),
    ),
  },
  'GET /rest/editcomments/comment/:comment_id': {
    'by number': get(({ commentId }) => `/editcomments/comment/${commentId}`),
  },
  'GET /rest/editcomments/comment': {
    'among others': get(
      ({ commentId, otherCommentId }) => `/editcomments/comment?comment_ids=${otherCommentId}&comment_ids=${commentId}`,
    ),
  },
  'PUT /rest/editcomments/comment/:comment_id': {
    'by number': refused((client, { commentId }) =>
      client.put(`/rest/editcomments/comment/${commentId}`, { new_comment: `${SECRET} ${randomUUID()}` }),
    ),
  },
  'PUT /rest/editcomments/revision': {
    'by number': refused((client, { commentId }) =>
      client.put('/rest/editcomments/revision', { comment_id: commentId, version: 0, is_hidden: true }),
    ),
  },
  'GET /rest/inbox': {
    'as one of its entries': silent(
      (client) => client.get('/rest/inbox?limit=100'),
      ({ body: { entries, total, counts } }, { id }) => {
        assert.ok(entries.every((entry) => entry.id !== id))
        assert.deepEqual([total, counts.open], [entries.length, entries.length])
      },
    ),
  },
  'GET /rest/inbox/:ref': {
    'by number': get(({ id }) => `/inbox/${id}`),
    'by alias': get(({ alias }) => `/inbox/${alias}`),
  },
  'PUT /rest/inbox/:ref': {
    'by number': refused((client, { id }) => client.put(`/rest/inbox/${id}`, { is_unread: true })),
    'to ignore it no longer': refused((client, { id }) => client.put(`/rest/inbox/${id}`, { is_muted: false })),
  },
  'PUT /rest/inbox': {
    'among others': silent(
      (client, { id }) => client.put('/rest/inbox', { ids: [id], is_unread: true }),
      ({ body }) => assert.deepEqual(body, { changed: [], undo: null }),
    ),
    'with all that is asked': silent(
      (client) => client.put('/rest/inbox', { reason: 'all', is_unread: true }),
      ({ body }, { id }) => assert.ok(!body.changed.includes(id)),
    ),
  },
  'GET /rest/request': {
    'as what is asked': silent(
      (client) => client.get('/rest/request'),
      ({ body }, { id }) => assert.ok(body.requests.every((request) => request.bug_id !== id)),
    ),
  },
  'PUT /rest/request/:flag_id': {
    'by a flag': silent(
      (client, { requests }) => client.put(`/rest/request/${requests.get(client) ?? 0}`, { deferred_until: null }),
      ({ status, body }) => assert.deepEqual([status, (body as AnyBody).reason], [404, 'no_such_object']),
    ),
  },
  'POST /rest/reminder': {
    'by number': post(
      () => '/reminder',
      ({ id }) => ({ bug_id: id, reminder_ts: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10) }),
    ),
  },
  'GET /rest/triage': {
    'as one of a number': silent(
      (client) => client.get('/rest/triage'),
      ({ body }, { queue }) => assert.equal(body.queues.find(({ name }) => name === queue)?.bug_count, 0),
    ),
  },
  'GET /rest/triage/:queue': {
    'as what waits': silent((client, { queue }) => client.get(`/rest/triage/${queue}`), nothingInQueue),
    'as what was decided': silent(
      (client, { settledQueue }) => client.get(`/rest/triage/${settledQueue}`),
      nothingInQueue,
    ),
  },
  'GET /rest/triage/:queue/report': {
    'as one of a number': silent(
      (client, { queue }) => client.get(`/rest/triage/${queue}/report`),
      ({ body }) => assert.deepEqual([body.came_in, body.waiting], [0, 0]),
    ),
    'as what was decided': silent(
      (client, { settledQueue }) => client.get(`/rest/triage/${settledQueue}/report`),
      ({ body: { came_in, waiting, decisions, kinds, users } }) =>
        assert.deepEqual([came_in, waiting, decisions, kinds, users], [0, 0, 0, [], []]),
    ),
  },
  'PUT /rest/triage/:queue/claim': {
    'by number': refused((client, { id, settledQueue }) =>
      client.put(`/rest/triage/${settledQueue}/claim`, { bug: id }),
    ),
  },
  'POST /rest/triage/:queue/decision': {
    'by alias': post(
      ({ settledQueue }) => `/triage/${settledQueue}/decision`,
      ({ alias }) => ({ bug: alias, decision: 'asked' }),
    ),
  },
  'GET /rest/bmo/triage_owners': {
    'as one of a number': silent(
      (client, { product, component }) =>
        client.get(`/rest/bmo/triage_owners?product=${product}&component=${component}`),
      ({ body }, { product, component }) => assert.deepEqual(body[product]?.[component]?.bug_counts, { total: 0 }),
    ),
  },
}

function noSuchProposal({ status, body }: Reply<unknown>) {
  assert.deepEqual([status, (body as AnyBody).reason], [404, 'no_such_object'])
}

function nothingInQueue({ body }: Reply<{ queues: AnyBody[] }>) {
  const [{ bug_count, bugs, claims, snoozed, decided }] = body.queues as [AnyBody]
  assert.deepEqual([bug_count, bugs, claims, snoozed, decided], [0, [], [], [], []])
}

/** Calls of these pages have nothing to do with single bugs. What is made of searches is in found-hidden.test.ts. */
const WITHOUT_BUGS = new Set([
  'absence',
  'account',
  'activity',
  'admin',
  'api_key',
  'canned_reply',
  'classification',
  'component',
  'dashboard',
  'factor',
  'field',
  'flag_type',
  'group',
  'group_control',
  'info',
  'keyword',
  'mail',
  'mail_address',
  'milestone',
  'oauth',
  'passkey',
  'product',
  'provider',
  'rotation',
  'saved_report',
  'saved_search',
  'scheduled_mail',
  'series',
  'session',
  'user',
  'version',
  'watching',
  'webhook',
  'workflow',
])

/** These return only what the caller wrote or did themselves, whether or not they still see the bug of it. */
const OWN_RECORDS = new Set([
  'GET /rest/reminder',
  'GET /rest/reminder/:id',
  'DELETE /rest/reminder/:id',
  'POST /rest/inbox/undo',
  'DELETE /rest/triage/:queue/decision/:id',
  'GET /rest/user/:user/requests',
  'GET /rest/user/:user/presence',
  'PUT /rest/user/:user/presence',
  // In proposal-visibility.test.ts: only proposals that they can read.
  'POST /rest/proposal/:id/decline',
  'DELETE /rest/proposal/:id',
  // In change.test.ts: also of what they did, only what they still see.
  'POST /rest/change/undo',
  'PUT /rest/user/:user/requests',
])

/** A user who is not logged in gets 410 before anything else. */
function needsLogin({ method, path }: Call) {
  if (method !== 'GET') return path !== '/bug/comment/render'
  return /access$|comment\/tags|last_visit|readers$|proposal|^\/user\/|^\/(inbox|request|triage)/.test(path)
}

/** Without those that only administrators may make: other callers are refused before any bug is looked at. */
const callsAboutBugs = everyCall.filter(
  // The bug here is closed, and ages are those of open ones: see report-over-time.test.ts.
  ({ call, title }) =>
    !WITHOUT_BUGS.has(call.resource) &&
    !OWN_RECORDS.has(title) &&
    call.scope !== 'admin' &&
    call.path !== '/report/age' &&
    // Webhooks, whose responses say nothing about a hidden bug: see code.test.ts and code-bmo.test.ts.
    call.takesBytes === undefined,
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
      after(async () => {
        await world.ada.put('/rest/parameters', { or_groups: false, useqacontact: true })
        await house.remove(target)
      })

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
