import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Refusal } from '../support/body-types.ts'
import { fileBug } from '../support/file-bug.ts'
import { describeOnOneEngine, type Reply } from '../support/world.ts'

type Case = [sent: object, reason: string, field: string, values?: object]

const LONG = 'x'.repeat(65_536)
const user = { what: 'user', ref: 'nobody@x.test' }

/** What is wrong in the same way for a new bug and for a change. */
const COMMON: readonly Case[] = [
  [{ product: 'Nothing' }, 'product_not_accessible', 'product', { ref: 'Nothing' }],
  [{ component: 'Nothing' }, 'no_such_object', 'component', { what: 'component', ref: 'Nothing' }],
  [{ component: '' }, 'component_required', 'component'],
  [{ version: 'Nothing' }, 'no_such_object', 'version', { what: 'version', ref: 'Nothing' }],
  [{ target_milestone: 'Nothing' }, 'no_such_object', 'target_milestone', { what: 'milestone', ref: 'Nothing' }],
  [{ summary: ' ' }, 'summary_empty', 'summary'],
  [{ whiteboard: LONG }, 'text_too_long', 'whiteboard', { most: 65_535 }],
  [{ severity: 'Nothing' }, 'no_such_object', 'severity', { what: 'severity', ref: 'Nothing' }],
  [{ bug_severity: 'Nothing' }, 'no_such_object', 'severity', { what: 'severity', ref: 'Nothing' }],
  [{ rep_platform: '' }, 'parameter_required', 'platform'],
  [{ status: 'Nothing' }, 'no_such_object', 'status', { what: 'status', ref: 'Nothing' }],
  [{ assigned_to: 'nobody@x.test' }, 'no_such_object', 'assigned_to', user],
  [{ qa_contact: 'nobody@x.test' }, 'no_such_object', 'qa_contact', user],
  [{ deadline: 'soon' }, 'bad_day', 'deadline', { value: 'soon' }],
  [{ estimated_time: '1e9' }, 'not_hours', 'estimated_time', { value: '1e9' }],
  [{ cf_count: 'many' }, 'custom_field_not_a_number', 'cf_count'],
  [{ cf_twin: 4711 }, 'no_such_bug', 'cf_twin', { ref: '4711' }],
]

const ONLY_NEW: readonly Case[] = [
  [{ status: 'RESOLVED' }, 'status_change_not_allowed', 'status', { from: 'nothing', to: 'RESOLVED' }],
  [{ cc: ['nobody@x.test'] }, 'no_such_user_to_copy', 'cc', { login: 'nobody@x.test' }],
  [{ keywords: ['nothing'] }, 'no_such_object', 'keywords', { what: 'keyword', ref: 'nothing' }],
  [{ depends_on: [4711] }, 'no_such_bug', 'depends_on', { ref: '4711' }],
  [{ blocks: ['nothing'] }, 'no_such_alias', 'blocks', { ref: 'nothing' }],
  [{ see_also: ['4711'] }, 'no_such_bug', 'see_also', { ref: '4711' }],
  [{ alias: '17' }, 'alias_wrong', 'alias', { alias: '17' }],
  [{ groups: ['nothing'] }, 'group_not_settable', 'groups', { group: 'nothing' }],
  [{ flags: [{ name: 'nothing', status: '?' }] }, 'no_such_object', 'flags', { what: 'flag type', ref: 'nothing' }],
  [{ description: LONG }, 'comment_too_long', 'description', { most: 65_535 }],
  [{ comment_tags: ['a b'] }, 'comment_tag_wrong', 'comment_tags', { tag: 'a b' }],
]

const ONLY_CHANGED: readonly Case[] = [
  [{ status: 'RESOLVED' }, 'resolution_required', 'resolution', { status: 'RESOLVED' }],
  [
    { resolution: 'Nothing', status: 'RESOLVED' },
    'no_such_object',
    'resolution',
    { what: 'resolution', ref: 'Nothing' },
  ],
  [{ cc: { add: ['nobody@x.test'] } }, 'no_such_object', 'cc', user],
  [{ keywords: { add: ['nothing'] } }, 'no_such_object', 'keywords', { what: 'keyword', ref: 'nothing' }],
  [{ depends_on: { add: [4711] } }, 'no_such_bug', 'depends_on', { ref: '4711' }],
  [{ blocks: { set: ['nothing'] } }, 'no_such_alias', 'blocks', { ref: 'nothing' }],
  [{ see_also: { add: ['4711'] } }, 'no_such_bug', 'see_also', { ref: '4711' }],
  [{ alias: { add: ['17'] } }, 'alias_wrong', 'alias', { alias: '17' }],
  [{ groups: { add: ['nothing'] } }, 'group_not_settable', 'groups', { group: 'nothing' }],
  [{ flags: [{ name: 'nothing', status: '?' }] }, 'no_such_object', 'flags', { what: 'flag type', ref: 'nothing' }],
  [{ dupe_of: '4711' }, 'no_such_bug', 'dupe_of', { ref: '4711' }],
  [{ comment: { body: LONG } }, 'comment_too_long', 'comment', { most: 65_535 }],
  [{ work_time: 'long' }, 'not_hours', 'work_time', { value: 'long' }],
]

describeOnOneEngine('The data of an error', (world) => {
  let bug = 0

  before(async () => {
    for (const field of [
      { name: 'cf_count', type: 10, display_name: 'Count', is_on_bug_entry: true },
      { name: 'cf_twin', type: 6, display_name: 'Twin', is_on_bug_entry: true },
    ])
      assert.equal((await world.ada.post('/rest/field/bug', field)).status, 201)
    const given = { timetrackinggroup: 'editbugs', comment_taggers_group: 'editbugs', usetargetmilestone: 1 }
    assert.equal((await world.ada.put('/rest/parameters', given)).status, 200)
    bug = await fileBug(world.edna)
  })

  function assertData({ body, text }: Reply<Refusal>, [sent, reason, field, values]: Case) {
    const what = `${JSON.stringify(sent).slice(0, 100)}: ${text}`
    assert.deepEqual([body.reason, body.field, body.values], [reason, field, values], what)
  }

  it('is the reason, the field and the values, when a bug is filed', async () => {
    const whole = { product: 'TestProduct', component: 'TestComponent', version: 'unspecified', summary: 'x' }
    for (const it of [...COMMON, ...ONLY_NEW])
      assertData(await world.edna.post('/rest/bug', { ...whole, ...it[0] }), it)
  })

  it('is the reason, the field and the values, when a bug is changed', async () => {
    for (const it of [...COMMON, ...ONLY_CHANGED]) assertData(await world.edna.put(`/rest/bug/${bug}`, it[0]), it)
    const sent = { summary: 'y' }
    assertData(await world.stan.put(`/rest/bug/${bug}`, sent), [sent, 'field_not_yours', 'summary'])
  })

  it('is the parameter where a call is wrong, and the reason of each fault in a list', async () => {
    const { body } = await world.nobody.get('/rest/bug?limit=many')
    assert.deepEqual([body.reason, body.parameter, body.field], ['not_a_number', 'limit', undefined])
    const { body: found } = await world.ada.get('/rest/bug/4711?permissive=1')
    assert.deepEqual(found.faults, [
      { id: 4711, faultCode: 101, faultString: 'There is no bug 4711.', reason: 'no_such_bug' },
    ])
  })
})
