import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { LOOK_PARAMETERS } from '../../shared/look.ts'
import type { Query } from '../support/body-types.ts'
import { cast } from '../support/cast.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnEachEngine, describeOnOneEngine, describeOnSqlite, itOnOneEngine } from '../support/world.ts'

describeOnSqlite('GET /rest/version', (world) => {
  it('returns the release to every caller', async () => {
    const { status, body, headers } = await world.nobody.get('/rest/version')
    assert.equal(status, 200)
    assert.match(body.version, /^[6-9]\.\d+\.\d+\+?$/)
    assert.match(headers.get('vary') ?? '', /^Accept, .*Cookie.*Authorization/)
  })
})

describeOnSqlite('GET /rest/extensions', (world) => {
  it('returns an object without extensions, as there are none', async () => {
    assert.deepEqual((await world.nobody.get('/rest/extensions')).body, { extensions: {} })
  })
})

describeOnSqlite('GET /rest/timezone', (world) => {
  it('returns UTC', async () => {
    assert.deepEqual((await world.nobody.get('/rest/timezone')).body, { timezone: '+0000' })
  })
})

describeOnOneEngine('GET /rest/time', (world) => {
  it('returns the time of the database and of the server, in UTC and whole seconds', async () => {
    const { body } = await world.nobody.get('/rest/time')
    const { db_time, web_time, ...rest } = body
    assert.deepEqual(rest, { web_time_utc: web_time, tz_offset: '+0000', tz_short_name: 'UTC', tz_name: 'UTC' })
    for (const time of [db_time, web_time]) {
      assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
      assert.ok(Math.abs(Date.parse(time) - Date.now()) < 5000)
    }
  })
})

/** The pages need them to hide what they do not show. */
const SEEN_BY_NAME = [
  ...LOOK_PARAMETERS,
  'collapsed_comment_tags',
  'use_see_also',
  'useqacontact',
  'usestatuswhiteboard',
  'usetargetmilestone',
  'link_templates',
]
const SEEN_BY_EVERYBODY = ['maintainer', 'requirelogin']
const SEEN_WHEN_LOGGED_IN = [
  'allowemailchange',
  'allowuserdeletion',
  'attachment_base',
  'commentonchange_resolution',
  'commentonduplicate',
  'confirm_password_minutes',
  'cookiepath',
  'default_bug_type',
  'defaultopsys',
  'defaultplatform',
  'defaultpriority',
  'defaultseverity',
  'duplicate_or_move_bug_status',
  'emailregexpdesc',
  'emailsuffix',
  'letsubmitterchoosemilestone',
  'letsubmitterchoosepriority',
  'mailfrom',
  'maintainer',
  'maxattachmentsize',
  'maxlocalattachment',
  'musthavemilestoneonaccept',
  'noresolveonopenblockers',
  'password_complexity',
  'password_length',
  'rememberlogin',
  'requirelogin',
  'search_allow_no_criteria',
  'urlbase',
  'use_comment_reactions',
  'use_markdown',
  'use_mcp',
  'use_presence',
  'use_see_also',
  'useclassification',
  'usemenuforusers',
  'useqacontact',
  'usestatuswhiteboard',
  'usetargetmilestone',
]

describeOnOneEngine('GET /rest/parameters', (world) => {
  const seenBy = async (who: 'nobody' | 'stan' | 'uma' | 'pam' | 'ada', query: Query = '') =>
    (await world[who].get(`/rest/parameters${query}`)).body.parameters

  itOnOneEngine(world, 'shows anonymous callers two', async () => {
    assert.deepEqual(await seenBy('nobody'), { maintainer: cast.ada.login, requirelogin: '0' })
    assert.deepEqual(Object.keys(await seenBy('nobody')).sort(), SEEN_BY_EVERYBODY)
  })

  itOnOneEngine(world, 'shows users who are logged in only the documented list', async () => {
    for (const who of ['stan', 'uma'] as const)
      assert.deepEqual(Object.keys(await seenBy(who)).sort(), SEEN_WHEN_LOGGED_IN)
  })

  it('shows members of tweakparams all, those of admin included', async () => {
    for (const who of ['pam', 'ada'] as const) {
      const seen = Object.keys(await seenBy(who))
      assert.ok(SEEN_WHEN_LOGGED_IN.every((name) => seen.includes(name)))
      for (const name of ['insidergroup', 'maxusermatches', 'webservice_email_filter', 'emailregexp', 'or_groups'])
        assert.ok(seen.includes(name), name)
    }
  })

  itOnOneEngine(world, 'returns every value as text', async () => {
    const seen = await seenBy('pam')
    assert.ok(Object.values(seen).every((value) => typeof value === 'string'))
    assert.deepEqual([seen.maxattachmentsize, seen.useqacontact, seen.requirelogin], ['1000', '1', '0'])
  })

  itOnOneEngine(world, 'ships with the values that were agreed on', async () => {
    const { defaultopsys, defaultplatform, defaultpriority, defaultseverity, ...more } = await seenBy('pam')
    assert.deepEqual([defaultopsys, defaultplatform, defaultpriority, defaultseverity], ['All', 'All', '---', 'normal'])
    assert.equal(more.default_bug_type, 'defect')
    for (const name of ['useqacontact', 'usestatuswhiteboard', 'usetargetmilestone', 'use_see_also'])
      assert.equal(more[name], '1', name)
    for (const name of [
      'webservice_email_filter',
      'requirelogin',
      'useclassification',
      'usevisibilitygroups',
      'or_groups',
    ])
      assert.equal(more[name], '0', name)
    assert.deepEqual(
      [more.maxusermatches, more.max_search_results, more.password_complexity, more.duplicate_or_move_bug_status],
      ['1000', '10000', 'no_constraints', 'RESOLVED'],
    )
  })

  itOnOneEngine(world, 'returns only those that are asked for, and never more than one may see', async () => {
    assert.deepEqual(await seenBy('stan', '?include_fields=requirelogin,insidergroup,nosuch'), { requirelogin: '0' })
    assert.deepEqual(
      Object.keys(await seenBy('nobody', '?include_fields=_all,defaultpriority')).sort(),
      [...SEEN_BY_NAME, ...SEEN_BY_EVERYBODY].sort(),
    )
    for (const name of SEEN_BY_NAME)
      assert.deepEqual(Object.keys(await seenBy('nobody', `?include_fields=${name}`)), [name])
    assert.deepEqual(Object.keys(await seenBy('nobody')).sort(), [...SEEN_BY_EVERYBODY].sort())
    for (const who of ['nobody', 'stan'] as const)
      assert.deepEqual(await seenBy(who, '?include_fields=collapsed_comment_tags,insidergroup'), {
        collapsed_comment_tags: 'obsolete, spam',
      })
    assert.deepEqual(await seenBy('nobody', '?exclude_fields=maintainer'), { requirelogin: '0' })
    assert.deepEqual(await seenBy('pam', '?include_fields=insidergroup'), { insidergroup: '' })
  })
})

describeOnEachEngine('GET /rest/last_audit_time', (world) => {
  const newest = async (...classes: string[]) => {
    const query = classes.map((name) => `class=${encodeURIComponent(name)}`).join('&')
    return (await world.nobody.get(`/rest/last_audit_time?${query}`)).body.last_audit_time
  }
  /** Times are whole seconds, so something that is to be later happens in another second. */
  const nextSecond = () => sleep(1000 - (Date.now() % 1000) + 20)

  itOnOneEngine(
    world,
    'returns the time of the last change of each class of the configuration, to every caller',
    async () => {
      assert.equal(await newest('Tracker::Keyword'), null)
      await world.ada.post('/rest/keyword', { name: 'timely', description: 'X' })
      const keyword = await newest('Tracker::Keyword')
      assert.ok(Math.abs(Date.parse(keyword) - Date.now()) < 5000)
      await nextSecond()
      await world.uma.post('/rest/user', { email: 'timely@lacewing.test' })
      const user = await newest('Tracker::User')
      assert.ok(user > keyword)
      assert.equal(await newest('Tracker::Keyword'), keyword)
      assert.equal(await newest(), user)
      await nextSecond()
      await world.pam.put('/rest/parameters', { whinedays: 3 })
      const parameter = await newest('Tracker::Parameter')
      assert.ok(parameter > user)
      assert.equal(await newest(), parameter)
      assert.equal(await newest('Tracker::User', 'Tracker::Keyword'), user)
    },
  )

  it('knows classes under Bugzilla’s name too', async () => {
    assert.equal(await newest('Bugzilla::User'), await newest('Tracker::User'))
  })

  itOnOneEngine(world, 'returns null for a class of which nothing is known', async () => {
    assert.equal(await newest('Tracker::Nonsense'), null)
    assert.equal(await newest('Tracker::User::Nonsense'), null)
  })

  itOnOneEngine(world, 'ignores unknown names of classes', async () => {
    for (const wrong of ['User', 'Other::User', '', 'Tracker::', 'Tracker::User;', "Tracker::' or 1=1"])
      assert.equal(await newest(wrong), await newest(), wrong)
    assert.equal(await newest('User', 'Tracker::Nonsense'), null)
  })

  itOnOneEngine(world, 'does not move when nothing changes, or a change is refused', async () => {
    const before = await newest()
    await nextSecond()
    assertRefused(await world.ada.post('/rest/keyword', { name: 'timely', description: 'X' }), 400, 32000)
    await world.uma.put('/rest/user/5', { full_name: cast.stan.realName })
    await world.stan.post('/rest/user/5/api_key')
    assert.equal(await newest(), before)
  })
})
