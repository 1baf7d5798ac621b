import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Param } from '../../src/platform/wire/params.ts'
import { attach, newFile } from '../support/attach.ts'
import type { BodyAt } from '../support/body-types.ts'
import { say } from '../support/discussion.ts'
import { everyCall } from '../support/every-call.ts'
import { fileBug, newBug } from '../support/file-bug.ts'
import { newType } from '../support/flags.ts'
import { sampled, sampledOnPostgres } from '../support/sample.ts'
import { type Client, describeOnEachEngine, describeOnSqlite, type Reply, type World } from '../support/world.ts'

/** Texts that are not what anybody expects, and yet nothing but text. */
const HOSTILE: Readonly<Record<string, string>> = {
  SQL: "'; drop table bugs; --",
  'right to left': '\u202etxet\u202c مرحبا',
  'four bytes': '😀𝒳',
  markup: '<script>alert(1)</script>',
}

/** Texts that none may hold. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  NUL: 'a\u0000b',
  'half a character': 'a\ud800',
}

const LONG = 'x'.repeat(70_000)

/** A bad value: what it is called, what it is, and with which number it is refused. */
type Bad = [name: string, value: unknown, code: number]

const forbidden = (wrap: (text: string) => unknown = (text) => text): Bad[] =>
  Object.entries(FORBIDDEN).map(([name, text]) => [name, wrap(text), 53])

/** What is of the wrong kind, for each kind of parameter. */
const WRONG: Readonly<Record<string, Bad[]>> = {
  text: [['an object', { a: 1 }, 53], ['a list', ['a', 'b'], 53], ['an empty list', [], 53], ...forbidden()],
  'yes or no': [
    ['a word', 'maybe', 53],
    ['a number', 2, 53],
    ['an object', {}, 53],
    ['a list', [true], 53],
    ['long', LONG, 53],
    ...forbidden(),
  ],
  'a list': [
    ['an object', {}, 58],
    ['a list of objects', [{}], 58],
    ['a list of lists', [['a']], 58],
    ['a list with null', [null], 58],
    ...forbidden((text) => [text]),
  ],
  'a list of numbers': [
    ['words', ['x'], 52],
    ['a fraction', [1.5], 52],
    ['a number that none can hold', ['99999999999999999999'], 52],
    ['a list of objects', [{}], 58],
    ['SQL', ['1; drop table bugs'], 52],
    ['long', [LONG], 52],
    ...forbidden((text) => [text]),
  ],
  'a change of a list': [
    ['a number', 5, 53],
    ['an unknown part', { bogus: ['x'] }, 53],
    ['text for a list', { add: 'x' }, 53],
    ['an object for a list', { remove: {} }, 53],
    ['a list of objects', { add: [{}] }, 58],
    ['a list with null', { set: [null] }, 58],
    ...forbidden((text) => ({ add: [text] })),
    ...forbidden((text) => ({ remove: [text] })),
  ],
  flags: [
    ['text', 'x', 53],
    ['an object', { name: 'ask', status: '?' }, 53],
    ['a list of numbers', [1], 53],
    ['a list with null', [null], 53],
    ['an object for a name', [{ name: {}, status: '?' }], 53],
    ['a word for a number', [{ id: 'x', status: '?' }], 52],
    ['neither yes nor no', [{ name: 'ask', status: '?', new: 'maybe' }], 53],
    ['too many', Array(101).fill({ name: 'ask', status: '?' }), 53],
    ...forbidden((text) => [{ name: text, status: '?' }]),
    ...forbidden((text) => [{ name: 'ask', status: '?', requestee: text }]),
  ],
}

function kindOf(param: Param<unknown>): string {
  const schema = param.schema
  if (schema.type === 'string') return 'text'
  if (schema.type === 'boolean') return 'yes or no'
  if (schema.type === 'integer') return 'a number'
  if (schema.type === 'array') return 'flags'
  // Hours are a number or a text; EXPECTED says what becomes of each.
  if (schema.anyOf?.[0].type === 'number') return 'other'
  if (schema.anyOf) return schema.anyOf[1].type === 'integer' ? 'a list of numbers' : 'a list'
  return schema.properties?.add ? 'a change of a list' : 'other'
}

/** What becomes of a value: refused with a number; kept as it is; cut to what is right; or taken for nothing at all. */
type Outcome = number | 'kept' | 'cut' | 'nothing'

interface Expected {
  /** For text that names nothing, or is otherwise odd. */
  odd?: Outcome
  /** For very long text; by default as for odd text. */
  long?: Outcome
  /** For null; by default it is as if the parameter were missing. */
  none?: Outcome
  /** For single values that differ from these. */
  but?: Readonly<Record<string, Outcome>>
  more?: readonly [name: string, value: unknown, outcome: Outcome][]
  /** Another parameter that would win. */
  without?: string
}

const user: Expected = { odd: 51 }
const value: Expected = { odd: 51, none: 50 }
const yesOrNo: Expected = {}
const text: Expected = { odd: 'kept', long: 104 }
const said: Expected = { odd: 'kept', long: 114 }
const ref: Expected = {
  odd: 100,
  more: [
    ['no such number', 99_999_999, 101],
    ['a number that none has', '99999999999', 101],
    ['less than nothing', -1, 100],
  ],
}
const refs: Expected = { ...ref, more: ref.more?.map(([name, one, outcome]) => [name, [one], outcome]) ?? [] }
const changeOfRefs: Expected = {
  odd: 100,
  more: [
    ['no such number', { add: [99_999_999] }, 101],
    ['no such number among all', { set: [99_999_999] }, 101],
    ['what is not there is taken away', { remove: ['no-such-bug'] }, 'nothing'],
    ['the bug itself', { add: ['the-bug'] }, 116],
  ],
}
const hours: Expected = {
  odd: 52,
  more: [
    ['an object', {}, 53],
    ['a list', [1], 53],
    ['too many', 100_000, 54],
    ['endless', 1e300, 52],
    ['a word', 'NaN', 52],
    ['an exponent', '1e3', 52],
  ],
}
const fewHours: Expected = { ...hours, more: [...(hours.more ?? []), ['less than none', -0.5, 55]] }
const flags: Expected = {
  odd: 53,
  more: [
    ['no such flag', [{ name: 'nosuch', status: '?' }], 51],
    ['no such status', [{ name: 'it', status: '!' }], 129],
    ['a long status', [{ name: 'it', status: LONG }], 129],
    ['nobody', [{ name: 'it', status: '?', requestee: 'nobody@nowhere.test' }], 51],
    ['no such number', [{ id: 99_999_999, status: '+' }], 51],
    [
      'one right, one wrong',
      [
        { name: 'it', status: '+' },
        { name: 'nosuch', status: '?' },
      ],
      51,
    ],
  ],
}

/** Items that are null are skipped, so that nothing is left of a list with nothing else. */
const skipsNull = (it: Expected): Expected => ({ ...it, but: { ...it.but, 'a list with null': 'nothing' } })

const commentTags: Expected = { odd: 126, long: 127, but: { 'four bytes': 128, markup: 127 } }

/** The same under Bugzilla's own names of fields, as far as there are such parameters. */
function withBugzillaNames(expected: Readonly<Record<string, Expected>>): Readonly<Record<string, Expected>> {
  const renamed = Object.entries(BUGZILLA_NAMES).flatMap(([name, apiName]): [string, Expected][] => {
    const it = expected[apiName]
    return it === undefined ? [] : [[name, { ...it, without: apiName }]]
  })
  return { ...Object.fromEntries(renamed), ...expected }
}

const BUGZILLA_NAMES = {
  blocked: 'blocks',
  bug_file_loc: 'url',
  bug_group: 'groups',
  bug_severity: 'severity',
  bug_status: 'status',
  bug_type: 'type',
  cclist_accessible: 'is_cc_accessible',
  commentprivacy: 'comment_is_private',
  dependson: 'depends_on',
  dup_id: 'dupe_of',
  longdesc: 'description',
  rep_platform: 'platform',
  reporter_accessible: 'is_creator_accessible',
  short_desc: 'summary',
  status_whiteboard: 'whiteboard',
}

const TO_UPDATE: Readonly<Record<string, Expected>> = withBugzillaNames({
  ids: refs,
  alias: {
    odd: 103,
    but: { 'four bytes': 'kept', markup: 'kept', 'a number': 103, 'a list with null': 'cut' },
    more: [
      ['a number', '12', 103],
      ['41 characters', { set: ['x'.repeat(41)] }, 103],
      ['40 of two places', '😀'.repeat(40), 'kept'],
    ],
  },
  assigned_to: value,
  blocks: skipsNull(changeOfRefs),
  cc: skipsNull({ ...user, more: [['nobody who goes', { remove: ['nobody@nowhere.test'] }, 51]] }),
  comment: {
    odd: 53,
    more: [
      ['too long', { body: LONG }, 114],
      ['an object in it', { body: {} }, 53],
      ['neither private nor public', { body: 'x', is_private: 'maybe' }, 53],
      ...forbidden((it) => ({ body: it })).map(([name, body]): [string, unknown, Outcome] => [
        `${name} in it`,
        body,
        53,
      ]),
      ...Object.entries(HOSTILE).map(([name, body]): [string, unknown, Outcome] => [`${name} in it`, { body }, 'kept']),
    ],
  },
  comment_is_private: {
    odd: 53,
    more: [
      ['a list', [1], 53],
      ['no number', { x: true }, 57],
      ['no such comment', { 99999999: true }, 117],
      ['SQL for a number', { '1; drop table comments': true }, 57],
      ['neither', { 1: 'maybe' }, 53],
    ],
  },
  comment_tags: commentTags,
  component: { odd: 51, none: 105 },
  deadline: { odd: 56, more: [['no day', '2026-02-30', 56]] },
  depends_on: skipsNull(changeOfRefs),
  dry_run: yesOrNo,
  dupe_of: { ...ref, more: [...(ref.more ?? []), ['the bug itself', 'the-bug', 118]] },
  estimated_time: fewHours,
  flags,
  groups: { odd: 120, more: [['none that goes', { remove: ['nosuch'] }, 120]] },
  is_cc_accessible: { none: 'cut' },
  is_creator_accessible: { none: 'cut' },
  keywords: skipsNull({ odd: 51, more: [['none at all', { set: ['nosuch'] }, 51]] }),
  needinfo: yesOrNo,
  // Without needinfo both are ignored.
  needinfo_from: skipsNull({ odd: 'nothing' }),
  needinfo_role: { odd: 'nothing' },
  longdesc: said,
  op_sys: value,
  platform: value,
  priority: value,
  product: { odd: 106, none: 50 },
  qa_contact: user,
  remaining_time: fewHours,
  reset_assigned_to: yesOrNo,
  reset_qa_contact: yesOrNo,
  restrict_comments: { none: 'nothing' },
  resolution: { ...value, more: [['one of closed bugs', 'FIXED', 122]] },
  see_also: {
    odd: 100,
    but: { markup: 112, 'a list with null': 'nothing' },
    more: [
      ['no tracker', { add: ['http://example.com/'] }, 112],
      ['a script', { add: ['javascript:alert(1)'] }, 112],
      ['no such number', { add: ['99999999'] }, 101],
    ],
  },
  severity: value,
  status: value,
  type: value,
  summary: {
    odd: 'kept',
    long: 104,
    none: 107,
    more: [
      ['255 of two places', '😀'.repeat(255), 'kept'],
      ['256 of them', '😀'.repeat(256), 104],
    ],
  },
  target_milestone: value,
  url: text,
  version: value,
  whiteboard: text,
  work_time: hours,
})

/** They matter only to keys that propose. */
const reasons: Readonly<Record<string, Expected>> = {
  proposal_reason: { odd: 'nothing', long: 104 },
  proposal_reasons: { odd: 53 },
}

const aliasesOfNew: Expected = {
  odd: 103,
  but: {
    'an object': 53,
    'a list of objects': 53,
    'a list of lists': 53,
    'a list with null': 'cut',
    'four bytes': 'kept',
    markup: 'kept',
  },
}
const standard: Expected = { odd: 51 }

const EXPECTED: Readonly<Record<string, Readonly<Record<string, Expected>>>> = {
  'PUT /rest/bug/:ref': { ...TO_UPDATE, ...reasons },
  'PUT /rest/bug/update': { ...TO_UPDATE, ...reasons, ids: { ...refs, none: 50 } },
  'POST /rest/bug': withBugzillaNames({
    ...reasons,
    product: { odd: 106, none: 50 },
    component: { odd: 51, none: 105 },
    summary: { odd: 'kept', long: 104, none: 107 },
    version: standard,
    description: said,
    comment: said,
    comment_is_private: yesOrNo,
    is_markdown: yesOrNo,
    comment_tags: commentTags,
    op_sys: standard,
    platform: standard,
    priority: standard,
    severity: standard,
    status: standard,
    type: standard,
    resolution: standard,
    alias: aliasesOfNew,
    assigned_to: user,
    qa_contact: user,
    cc: skipsNull({ odd: 504 }),
    groups: { odd: 120 },
    target_milestone: standard,
    keywords: skipsNull({ odd: 51 }),
    url: text,
    whiteboard: text,
    see_also: {
      odd: 100,
      but: { markup: 112, 'a list with null': 'nothing' },
      more: [['no tracker', ['http://example.com/'], 112]],
    },
    depends_on: skipsNull(refs),
    blocks: skipsNull(refs),
    deadline: { odd: 56 },
    estimated_time: fewHours,
    is_cc_accessible: yesOrNo,
    is_creator_accessible: yesOrNo,
    flags,
    needinfo: yesOrNo,
    needinfo_from: skipsNull({ odd: 51 }),
    needinfo_role: { odd: 'nothing' },
  }),
  'POST /rest/bug/:ref/comment': {
    ...reasons,
    comment: { ...said, none: 50 },
    is_private: yesOrNo,
    is_markdown: yesOrNo,
    private: yesOrNo,
    work_time: hours,
    comment_tags: commentTags,
  },
  'PUT /rest/bug/comment/:comment_id/tags': {
    add: commentTags,
    remove: { odd: 'nothing' },
  },
  'PUT /rest/bug/comment/:comment_id/reactions': {
    add: { odd: 137 },
    remove: { odd: 137 },
  },
  'PUT /rest/bug/comment/:comment_id/answer': { is_answer: yesOrNo },
  'POST /rest/bug/comment/render': {
    text: { odd: 'nothing', long: 114, none: 50 },
    id: ref,
    is_markdown: yesOrNo,
  },
  'POST /rest/bug/:ref/attachment': {
    ...reasons,
    ids: refs,
    data: { odd: 606, long: 'cut', none: 50 },
    file_name: { odd: 'kept', long: 'cut', none: 603, but: { 'right to left': 'cut', markup: 'cut' } },
    summary: { odd: 'kept', long: 104, none: 604 },
    content_type: { odd: 601, none: 601 },
    comment: said,
    in_comment: yesOrNo,
    is_patch: yesOrNo,
    is_private: yesOrNo,
    is_markdown: yesOrNo,
    flags,
  },
  'PUT /rest/bug/attachment/:attachment_id': {
    ...reasons,
    ids: { odd: 52, more: [['no such number', [99_999_999], 32000]] },
    file_name: { odd: 'kept', long: 'cut', but: { 'right to left': 'cut', markup: 'cut' }, more: [['empty', '', 603]] },
    summary: { odd: 'kept', long: 104, more: [['empty', ' ', 604]] },
    content_type: { odd: 601, more: [['empty', '', 601]] },
    comment: said,
    is_patch: yesOrNo,
    is_private: yesOrNo,
    is_markdown: yesOrNo,
    is_obsolete: yesOrNo,
    flags,
  },
  'PUT /rest/bug/:ref/votes': { votes: { odd: 52, none: 50 } },
  'PUT /rest/bug/:ref/tags': {
    add: {
      odd: 'kept',
      long: 53,
      more: [
        ['64 of two places', ['😀'.repeat(64)], 'kept'],
        ['a comma', ['a,b'], 53],
      ],
    },
    remove: { odd: 'nothing', long: 53 },
  },
  // Deleting is for administrators; wrong input is refused before that.
  'DELETE /rest/bug/attachment/:attachment_id': { reason: { odd: 304, none: 304 } },
  'DELETE /rest/bug/comment/:comment_id': { reason: { odd: 304, none: 304 } },
  'DELETE /rest/bug/:ref': { reason: { odd: 32614, none: 32614 } },
  'PUT /rest/bug/:ref/presence': { writing: yesOrNo },
  'DELETE /rest/bug/:ref/presence': {},
  'POST /rest/bug_user_last_visit/:ref': { ids: refs },
  'POST /rest/bug_user_last_visit': { ids: { ...refs, none: 50 } },
}

/** What is enough for the call, besides the parameter in question. */
const ENOUGH: Readonly<Record<string, (it: TargetIds) => Record<string, unknown>>> = {
  'POST /rest/bug': () => newBug(),
  'PUT /rest/bug/update': ({ bug }) => ({ ids: [bug] }),
  'POST /rest/bug/:ref/comment': () => ({ comment: 'Something' }),
  'POST /rest/bug/comment/render': () => ({ text: 'Something' }),
  'POST /rest/bug/:ref/attachment': () => newFile(),
}

const writingCalls = everyCall.filter(({ call }) => call.method !== 'GET' && call.path.startsWith('/bug'))

it('knows every parameter of every call that writes', () => {
  const known = Object.entries(EXPECTED).map(([title, params]) => [title, Object.keys(params).sort()])
  const there = writingCalls.map(({ call, title }) => [title, Object.keys(call.params).sort()])
  assert.deepEqual(Object.fromEntries(known), Object.fromEntries(there))
})

/** Every value to be tried for a parameter, and what becomes of it. */
function attemptsOf(param: Param<unknown>, { odd, long = odd, none = 'nothing', but = {}, more = [] }: Expected) {
  const kind = kindOf(param)
  const wrapped = (it: string) => (kind === 'a change of a list' ? { add: [it] } : kind === 'a list' ? [it] : it)
  const wrong = (WRONG[kind] ?? []).map(([what, it, outcome]) => ({ what, value: it, outcome, isOfWrongKind: true }))
  const attempts: [string, unknown, Outcome | undefined][] = [
    ...Object.entries(HOSTILE).map(([name, it]): [string, unknown, Outcome | undefined] => [name, wrapped(it), odd]),
    ['long', wrapped(LONG), long],
    ['null', null, none],
  ]
  const odds = attempts.map(([what, it, outcome]) => ({ what, value: it, outcome, isOfWrongKind: false }))
  const own = more.map(([what, it, outcome]) => ({ what, value: it, outcome, isOfWrongKind: false }))
  return [...[...wrong, ...odds].map((it) => ({ ...it, outcome: but[it.what] ?? it.outcome })), ...own].flatMap(
    ({ outcome, ...it }) => (outcome === undefined ? [] : { ...it, outcome }),
  )
}

type Attempt = ReturnType<typeof attemptsOf>[number]

/** What everything is tried on. */
interface TargetIds {
  bug: number
  comment: number
  attachment: number
}

const TABLES = [
  'bugs',
  'bug_aliases',
  'bug_cc',
  'bug_changes',
  'bug_dependencies',
  'bug_groups',
  'bug_keywords',
  'bug_see_also',
  'bug_tags',
  'comments',
  'comment_tags',
  'attachments',
  'flags',
  'last_visits',
  'outbox',
] as const

const FIELDS = '_all,description,comments,history,attachments,tags,comment_count'

async function readAll(client: Client, id: number) {
  const { status, body, text: returned } = await client.get(`/rest/bug/${id}?include_fields=${FIELDS}`)
  assert.equal(status, 200, returned)
  return body.bugs[0]
}

/** The only text in what was given. */
function textIn(given: unknown): string {
  return typeof given === 'string' ? given : textIn(Object.values(given as object)[0])
}

/** The bug with all that is on it, and how much there is of everything. */
async function stateOf({ db, sven }: World, { bug }: TargetIds) {
  const [counts] = await db.query((q) =>
    q.selectNoFrom((from) =>
      TABLES.map((table) =>
        from
          .selectFrom(table)
          .select((row) => row.fn.countAll<number>().as('count'))
          .as(table),
      ),
    ),
  )
  const { update_token: _, ...shown } = await readAll(sven, bug)
  return { bug: shown, counts }
}

/** A bug with something on it. It has the one alias that is not taken for nothing. */
async function newScene({ db, sven }: World): Promise<TargetIds> {
  await db.query((q) => q.deleteFrom('bug_aliases'))
  const bug = await fileBug(sven, { alias: 'the-bug' })
  return { bug, comment: await say(sven, bug, 'Something'), attachment: await attach(sven, bug) }
}

/** Two calls that read the very same parameters are tried out once, but for what says which bugs are meant. */
const tried = writingCalls.flatMap(({ call, title }, place) => {
  const isTwin = writingCalls.slice(0, place).some((other) => other.call.params === call.params)
  const params = Object.entries(call.params).filter(([name]) => !isTwin || name === 'ids')
  return params.map(([name, param]) => ({ call, title, name, param, expected: EXPECTED[title]?.[name] ?? {} }))
})

/** What is of the wrong kind is refused before the database is used, so one engine is enough. */
describeOnSqlite('input of the wrong kind', (world) => tryOut(world, ({ isOfWrongKind }) => isOfWrongKind))

describeOnEachEngine('odd input', (world) => tryOut(world, ({ isOfWrongKind }) => !isOfWrongKind))

function tryOut(world: World, isTried: (attempt: Attempt) => boolean) {
  const chosen = sampledOnPostgres(world.engine, tried, 60)
  let scene: TargetIds
  before(async () => {
    await world.ada.put('/rest/parameters', { insidergroup: 'security' })
    await newType(world, { name: 'it' })
    await newType(world, { name: 'it', target_type: 'attachment' })
    scene = await newScene(world)
  })

  for (const { call, title } of writingCalls) {
    const params = chosen.filter((it) => it.title === title)
    const attempts = params.flatMap(({ name, param, expected }, place) =>
      sampled(attemptsOf(param, expected).filter(isTried), 4, place).map((it) => ({ ...it, name, expected })),
    )
    if (attempts.length === 0) continue
    const makesSomething = call.method === 'POST' && call.path !== '/bug/comment/render'
    const isHarmless = ({ outcome }: { outcome: Outcome }) =>
      typeof outcome === 'number' || (outcome === 'nothing' && !makesSomething)

    it(`of ${title} is refused with the number for it, or does no harm`, async () => {
      const before = await stateOf(world, scene)
      for (const attempt of attempts.filter(isHarmless)) {
        const reply = await send(attempt)
        const got = reply.status < 300 ? 'nothing' : reply.body.code
        const said = `${attempt.name}: ${attempt.what}: `
        assert.equal(got, attempt.outcome, said + reply.text.slice(0, 300))
        assert.ok(reply.text.length < 2000, `${said}the answer repeats it all`)
      }
      assert.deepEqual(await stateOf(world, scene), before)
    })

    for (const { name } of params) {
      const others = attempts.filter((attempt) => attempt.name === name && !isHarmless(attempt))
      if (others.length === 0) continue
      it(`in ${name} of ${title} is kept as it is, or does no harm`, async () => {
        for (const attempt of others) {
          const reply = await send(attempt)
          assert.ok(reply.status < 300, `${attempt.what}: ${reply.text.slice(0, 300)}`)
          if (attempt.outcome !== 'kept') continue
          const shown = JSON.stringify(
            await readAll(
              world.sven,
              title === 'POST /rest/bug' ? (JSON.parse(reply.text) as BodyAt<'POST', '/rest/bug'>).id : scene.bug,
            ),
          )
          assert.ok(
            shown.includes(JSON.stringify(textIn(attempt.value)).slice(1, -1)),
            `${attempt.what} is kept as it is`,
          )
        }
        scene = await newScene(world)
      })
    }

    function send({ name, expected, value }: (typeof attempts)[number]): Promise<Reply> {
      const path = call.path
        .replace(':ref', String(scene.bug))
        .replace(':comment_id', String(scene.comment))
        .replace(':attachment_id', String(scene.attachment))
      const { [expected.without ?? '']: _, ...enough } = ENOUGH[title]?.(scene) ?? {}
      return world.sven.send(call.method, `/rest${path}`, { ...enough, [name]: value })
    }
  }
}
