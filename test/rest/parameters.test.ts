import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cast } from '../support/cast.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres, sampled } from '../support/sample.ts'
import { sure } from '../support/sure.ts'
import { describeOnEachEngine, itOnce, itOnOneEngine, type World } from '../support/world.ts'

/** A kind of parameter: values that it takes, with what is answered then, and values that it refuses. */
interface Kind {
  takes: [unknown, string][]
  refuses: unknown[]
}

const LINE_REFUSES = [
  'two\nlines',
  'a\r\nBcc: b@c.test',
  'a\u2028b',
  '\u0007',
  'x'.repeat(1001),
  true,
  false,
  ['a'],
  {},
]

const PROVIDER = { name: 'corp', title: 'Example Corp', issuer: 'https://id.example.com', client_id: 'bugs' }
const PROVIDER_DEFAULTS = {
  client_secret: '',
  scopes: 'openid email profile',
  address_claim: 'email',
  trusts_addresses: false,
  domains: [],
  creates_accounts: false,
  is_only: false,
  is_disabled: false,
  groups_claim: 'groups',
  groups: {},
}

const KINDS = {
  onOff: {
    takes: [
      [true, '1'],
      [false, '0'],
      [1, '1'],
      [0, '0'],
      ['1', '1'],
      ['0', '0'],
      ['true', '1'],
      ['false', '0'],
      ['1', '1'],
      ['', '0'],
      ['1', '1'],
      [null, '0'],
    ],
    refuses: ['on', 'off', 'yes', 2, -1, '2', [], [true], {}],
  },
  count: {
    takes: [
      [100_000, '100000'],
      ['200000', '200000'],
      ['0300000', '300000'],
      [' 400000 ', '400000'],
      [0, '0'],
    ],
    refuses: [-1, '-1', 1.5, '1.5', 'x', '', ' ', null, true, false, '1e3', 1e21, 9_999_999_999, [5], {}],
  },
  text: {
    takes: [
      ['<b>Down</b>\ntomorrow', '<b>Down</b>\ntomorrow'],
      ['  blanks around  ', 'blanks around'],
      ['', ''],
      [5, '5'],
      [null, ''],
    ],
    refuses: ['x'.repeat(10_001), true, false, ['a'], {}],
  },
  line: {
    takes: [
      ['some words', 'some words'],
      [' trimmed ', 'trimmed'],
      ['', ''],
      [null, ''],
    ],
    refuses: LINE_REFUSES,
  },
  mailAddress: {
    takes: [
      ['bugs@lacewing.test', 'bugs@lacewing.test'],
      ['', ''],
      ['daemon@localhost', 'daemon@localhost'],
    ],
    refuses: [
      ...LINE_REFUSES,
      'nobody',
      'a b@c.test',
      'Name <a@b.test>',
      'a@b.test, c@d.test',
      'a@b.test\nBcc: c@d.test',
    ],
  },
  webAddress: {
    takes: [
      ['https://lacewing.test/tracker/', 'https://lacewing.test/tracker/'],
      ['http://[::1]:8080/', 'http://[::1]:8080/'],
      ['', ''],
    ],
    refuses: [...LINE_REFUSES, 'lacewing.test', 'javascript:alert(1)', 'ftp://a/', 'http://', 'https://a b/', '//a/'],
  },
  suffix: {
    takes: [
      ['@lacewing.test', '@lacewing.test'],
      ['', ''],
    ],
    refuses: [...LINE_REFUSES, '@a b', '@a>', '@a,b@c', 'x'.repeat(101)],
  },
  pattern: {
    takes: [
      ['^[a-z]+@lacewing\\.test$', '^[a-z]+@lacewing\\.test$'],
      ['', ''],
      ['.*', '.*'],
    ],
    refuses: ['(', '[a', '(?=a)', '(a)\\1', 'a{1001}', '(?:a?){1000}(?:a?){1000}', 'x'.repeat(2001), true, ['a'], {}],
  },
  addresses: {
    takes: [
      ['10.0.0.1', '10.0.0.1'],
      ['10.0.0.0/8, ::1 ,fe80::/10', '10.0.0.0/8, ::1 ,fe80::/10'],
      ['', ''],
      ['*', '*'],
    ],
    refuses: [
      'proxy.test',
      '10.0.0',
      '10.0.0.999',
      '10.0.0.0/33',
      '::1/129',
      '10.0.0.0/8/8',
      '10.0.0.0/x',
      ';',
      ['::1'],
      true,
    ],
  },
  group: {
    takes: [
      ['security', 'security'],
      ['SECURITY', 'security'],
      [' canconfirm ', 'canconfirm'],
      ['', ''],
      [null, ''],
    ],
    refuses: ['nosuchgroup', 8, '8', 'security, canconfirm', true, ['security'], {}],
  },
  passwordComplexity: {
    takes: [
      ['mixed_letters', 'mixed_letters'],
      ['letters_numbers', 'letters_numbers'],
      ['letters_numbers_specialchars', 'letters_numbers_specialchars'],
      ['no_constraints', 'no_constraints'],
    ],
    refuses: ['', 'none', 'MIXED_LETTERS', 1, true, null, ['mixed_letters']],
  },
  rememberLogin: {
    takes: [
      ['off', 'off'],
      ['defaulton', 'defaulton'],
      ['defaultoff', 'defaultoff'],
      ['on', 'on'],
    ],
    refuses: ['', '1', true, null, 'sometimes'],
  },
  type: {
    takes: [
      ['Task', 'task'],
      ['--', '--'],
      ['', ''],
    ],
    refuses: ['wish', true, ['task']],
  },
  opSys: {
    takes: [
      ['linux', 'Linux'],
      ['', ''],
    ],
    refuses: ['BeOS', 'two\nlines', true, ['Linux']],
  },
  platform: {
    takes: [
      ['PC', 'PC'],
      ['', ''],
    ],
    refuses: ['Amiga', true, ['PC']],
  },
  priority: {
    takes: [
      ['High', 'High'],
      ['', ''],
    ],
    refuses: ['Urgent', true, ['High']],
  },
  severity: {
    takes: [
      ['major', 'major'],
      ['', ''],
    ],
    refuses: ['terrible', true, ['major']],
  },
  // Without an address, s3 is no place to keep anything; see attachment-store.test.ts.
  store: { takes: [['local', 'local']], refuses: ['', 'disk', 'LOCAL', 's3', true, null, ['local']] },
  secret: {
    takes: [
      ['correct horse', '********'],
      ['********', '********'],
      ['', ''],
      [null, ''],
    ],
    refuses: LINE_REFUSES,
  },
  mailServer: {
    takes: [
      ['smtps://bugs:p%40ss@mail.test:465', 'smtps://********@mail.test:465'],
      ['smtp://mail.test:587?requireTLS=true', 'smtp://mail.test:587?requireTLS=true'],
      ['smtp://[::1]:2525', 'smtp://[::1]:2525'],
      ['', ''],
    ],
    refuses: [
      ...LINE_REFUSES,
      ...['http://mail.test', 'smtp://', 'mail.test:25', 'smtp://bugs@mail.test', 'smtp://:word@mail.test'],
      ...['smtp://mail.test/x', 'smtp://mail.test#x', 'smtp://mail.test?tls.rejectUnauthorized=false'],
      ...['smtp://mail.test?requireTLS=true&proxy=http://10.0.0.1', 'smtps://mail.test?requireTLS=true'],
      ...['smtp://mail.test:99999', 'smtp://mail.test:0', 'smtp://a b@mail.test', 'smtp://m\u00e9l.test'],
      ...['smtp://bugs:%zz@mail.test', 'smtp://********@mail.test', 'smtp://********:x@mail.test'],
    ],
  },
  providers: {
    takes: [
      [
        [{ ...PROVIDER, client_secret: 'x' }],
        JSON.stringify([{ ...PROVIDER_DEFAULTS, ...PROVIDER, client_secret: '********' }]),
      ],
      ['', ''],
      [null, ''],
    ],
    refuses: [
      'text',
      {},
      [{}],
      [null],
      true,
      [{ ...PROVIDER, issuer: 'http://id.example.com' }],
      [{ ...PROVIDER, issuer: 'javascript:alert(1)' }],
      [{ ...PROVIDER, name: '../x' }],
      [{ ...PROVIDER, domains: 'example.com' }],
      [{ ...PROVIDER, is_only: true }],
      [{ ...PROVIDER, groups: { a: 1 } }],
      [{ ...PROVIDER, color: 'red' }],
      [PROVIDER, PROVIDER],
    ],
  },
  siteName: {
    takes: [
      ['Acme bugs', 'Acme bugs'],
      ['', ''],
    ],
    refuses: ['x'.repeat(61), 'two\nlines', true, ['x']],
  },
  picture: {
    takes: [
      ['data:image/png;base64,iVBORw0KGgo=', 'data:image/png;base64,iVBORw0KGgo='],
      ['', ''],
    ],
    refuses: [
      'https://a.test/logo.png',
      'data:text/html;base64,PGI+',
      'data:image/svg+xml,<svg onload=alert(1)>',
      `data:image/png;base64,${'A'.repeat(8000)}`,
      'javascript:alert(1)',
      true,
    ],
  },
  color: {
    takes: [
      ['#0b6A7d', '#0b6A7d'],
      ['', ''],
    ],
    refuses: ['red', '#fff', '#0b6a7d;}', 'url(x)', 0, true],
  },
  footerLinks: {
    takes: [
      ['Imprint https://a.test/imprint\nPrivacy /privacy', 'Imprint https://a.test/imprint\nPrivacy /privacy'],
      ['', ''],
    ],
    refuses: [
      'Imprint',
      'Run javascript:alert(1)',
      'https://a.test/',
      'Look data:text/html,x',
      'a /b\n'.repeat(11),
      true,
    ],
  },
  linkTemplates: {
    takes: [
      [
        'CVE-{number}-{number} https://a.test/{0}\nJIRA-{number} https://j.test/{1}',
        'CVE-{number}-{number} https://a.test/{0}\nJIRA-{number} https://j.test/{1}',
      ],
      ['', ''],
    ],
    refuses: [
      'CVE-{number}',
      'CVE-{number} javascript:alert({1})',
      'CVE-{number} https://{1}/',
      '(a+)+$ https://a.test',
      'ab{text} https://a.test/{1}',
      'ab{word} https://a.test/\n'.repeat(21),
      true,
    ],
  },
  duplicateStatus: { takes: [['verified', 'VERIFIED']], refuses: ['', null, 'CONFIRMED', 'SHUT', true, ['VERIFIED']] },
} satisfies Record<string, Kind>

/** Every parameter there is. */
const PARAMETERS: Record<string, keyof typeof KINDS> = {
  maintainer: 'mailAddress',
  urlbase: 'webAddress',
  announcehtml: 'text',
  cookiepath: 'line',
  inbound_proxies: 'addresses',
  rate_limit_anonymous: 'count',
  rate_limit_anonymous_searches: 'count',
  publish_sitemap: 'onOff',
  site_name: 'siteName',
  site_logo: 'picture',
  accent_color: 'color',
  footer_links: 'footerLinks',
  login_text: 'text',
  rate_limit_signed_in: 'count',
  allowbugdeletion: 'onOff',
  allowemailchange: 'onOff',
  allowuserdeletion: 'onOff',
  last_visit_keep_days: 'count',
  attachment_base: 'webAddress',
  allow_attachment_display: 'onOff',
  allow_attachment_deletion: 'onOff',
  maxattachmentsize: 'count',
  maxlocalattachment: 'count',
  attachment_store: 'store',
  s3_endpoint: 'webAddress',
  s3_region: 'line',
  s3_bucket: 'line',
  s3_access_key: 'line',
  s3_secret_key: 'secret',
  requirelogin: 'onOff',
  webservice_email_filter: 'onOff',
  emailregexp: 'pattern',
  emailregexpdesc: 'line',
  emailsuffix: 'suffix',
  createemailregexp: 'pattern',
  account_link_hours: 'count',
  invitation_days: 'count',
  account_mails_per_address: 'count',
  account_mails_per_network: 'count',
  new_account_days: 'count',
  new_account_bugs: 'count',
  new_account_comments: 'count',
  new_account_attachments: 'count',
  new_account_mails: 'count',
  new_account_denied: 'text',
  proposal_days: 'count',
  proposals_open_per_key: 'count',
  proposals_open_per_account: 'count',
  proposals_hourly_per_key: 'count',
  proposals_hourly_per_account: 'count',
  password_length: 'count',
  password_complexity: 'passwordComplexity',
  rememberlogin: 'rememberLogin',
  session_idle_days: 'count',
  session_days: 'count',
  confirm_password_minutes: 'count',
  sign_in_providers: 'providers',
  smtp_url: 'mailServer',
  factor_group: 'group',
  use_mcp: 'onOff',
  oauth_registration: 'onOff',
  oauth_grant_days: 'count',
  maxusermatches: 'count',
  usemenuforusers: 'onOff',
  commentonchange_resolution: 'onOff',
  commentonduplicate: 'onOff',
  collapsed_comment_tags: 'line',
  default_bug_type: 'type',
  defaultopsys: 'opSys',
  defaultplatform: 'platform',
  defaultpriority: 'priority',
  defaultseverity: 'severity',
  duplicate_or_move_bug_status: 'duplicateStatus',
  allow_global_initial_comment_editing: 'onOff',
  edit_comments_minutes: 'count',
  letsubmitterchoosemilestone: 'onOff',
  letsubmitterchoosepriority: 'onOff',
  musthavemilestoneonaccept: 'onOff',
  noresolveonopenblockers: 'onOff',
  use_comment_reactions: 'onOff',
  use_presence: 'onOff',
  use_markdown: 'onOff',
  link_templates: 'linkTemplates',
  use_see_also: 'onOff',
  useclassification: 'onOff',
  useqacontact: 'onOff',
  usestatuswhiteboard: 'onOff',
  usetargetmilestone: 'onOff',
  chartgroup: 'group',
  comment_taggers_group: 'group',
  edit_comments_group: 'group',
  edit_comments_admins_group: 'group',
  restrict_comments_enable_group: 'group',
  debug_group: 'group',
  insidergroup: 'group',
  querysharegroup: 'group',
  timetrackinggroup: 'group',
  makeproductgroups: 'onOff',
  or_groups: 'onOff',
  strict_isolation: 'onOff',
  usevisibilitygroups: 'onOff',
  default_search_limit: 'count',
  max_search_results: 'count',
  search_allow_no_criteria: 'onOff',
  mailfrom: 'mailAddress',
  globalwatchers: 'line',
  whinedays: 'count',
  nag_interval: 'count',
  reminders_enabled: 'onOff',
  reminders_group: 'group',
  keep_events_days: 'count',
  feed_listeners: 'count',
  keep_mail_days: 'count',
  backup_expected_hours: 'count',
  slow_search_milliseconds: 'count',
  incoming_address: 'mailAddress',
  webhookgroup: 'group',
  webhook_networks: 'addresses',
}

async function textOf(world: World, name: string): Promise<string> {
  return sure((await world.pam.get(`/rest/parameters?include_fields=${name}`)).body.parameters[name])
}

describeOnEachEngine('PUT /rest/parameters', (world) => {
  itOnOneEngine(world, 'takes every parameter that there is, and the list in this test is whole', async () => {
    const { body } = await world.pam.get('/rest/parameters')
    assert.deepEqual(Object.keys(body.parameters).sort(), Object.keys(PARAMETERS).sort())
    assert.deepEqual((await world.pam.put('/rest/parameters', { ...body.parameters, urlbase: '' })).body.changes, {})
  })

  for (const [place, [name, kind]] of Object.entries(PARAMETERS).entries()) {
    itOnce(world, `takes for ${name} just what is a ${kind}`, async () => {
      const { takes, refuses }: Kind = KINDS[kind]
      const shipped = await textOf(world, name)
      // Many parameters are of one kind; each of them is given other values.
      const isShared = Object.values(PARAMETERS).filter((it) => it === kind).length > 3
      for (const value of sampled(refuses, isShared ? Math.min(refuses.length, 6) : 3, place)) {
        const reply = await world.ada.put('/rest/parameters', { [name]: value })
        assert.deepEqual([reply.status, reply.body.code], [400, 53], `${JSON.stringify(value)}: ${reply.text}`)
      }
      assert.equal(await textOf(world, name), shipped)
      // Without an urlbase, the address of the server is returned.
      const returned = (text: string) => (name === 'urlbase' && text === '' ? `${world.url}/` : text)
      let before = name === 'urlbase' ? '' : shipped
      for (const [value, stored] of sampled(takes, isShared ? Math.min(takes.length, 3) : 1, place)) {
        const { status, body } = await world.ada.put('/rest/parameters', { [name]: value })
        assert.equal(status, 200, JSON.stringify(body))
        assert.deepEqual(body.changes, before === stored ? {} : { [name]: { removed: before, added: stored } })
        assert.equal(await textOf(world, name), returned(stored))
        before = stored
      }
      if (name !== 'urlbase') await world.ada.put('/rest/parameters', { [name]: shipped })
    })
  }

  itOnOneEngine(world, 'refuses users outside of tweakparams and anonymous callers', async () => {
    for (const who of ['stan', 'edna', 'uma', 'greta'] as const)
      assertRefused(await world[who].put('/rest/parameters', { maxusermatches: 5 }), 401, 304)
    assertRefused(await world.nobody.put('/rest/parameters', { maxusermatches: 5 }), 401, 410)
    assert.equal(await textOf(world, 'maxusermatches'), '1000')
    assert.equal((await world.ada.put('/rest/parameters', { maxusermatches: 999 })).status, 200)
  })

  itOnOneEngine(world, 'refuses a parameter that does not exist', async () => {
    for (const name of ['nosuchparameter', 'MaxUserMatches', 'constructor', 'toString', '__proto__'])
      assertRefused(await world.pam.put('/rest/parameters', `{"${name}": "1"}`), 404, 51)
  })

  itOnOneEngine(world, 'changes none when one of several cannot be', async () => {
    for (const [wrong, status, code] of [
      [{ nosuchparameter: 1 }, 404, 51],
      [{ useqacontact: 'perhaps' }, 400, 53],
      [{ insidergroup: 'nosuchgroup' }, 400, 53],
      [{ defaultpriority: 'Urgent' }, 400, 53],
    ] as const) {
      assertRefused(await world.pam.put('/rest/parameters', { whinedays: 3, ...wrong, cookiepath: '/x' }), status, code)
      assert.deepEqual([await textOf(world, 'whinedays'), await textOf(world, 'cookiepath')], ['7', '/'])
    }
    const { body } = await world.ada.get('/rest/audit?class=Tracker::Parameter&limit=1000')
    assert.ok(body.audit.every(({ field, added }) => field !== 'cookiepath' || added !== '/x'))
  })

  itOnOneEngine(world, 'returns no changes for an empty body, and for what is so already', async () => {
    assert.deepEqual((await world.pam.put('/rest/parameters')).body, { changes: {} })
    assert.deepEqual((await world.pam.put('/rest/parameters', { useqacontact: true, whinedays: 7 })).body, {
      changes: {},
    })
    assert.deepEqual((await world.pam.put('/rest/parameters?include_fields=x&exclude_fields=y')).body, { changes: {} })
  })

  itOnOneEngine(world, 'takes them from the query string too, which wins, but each only once', async () => {
    const { body } = await world.pam.put('/rest/parameters?whinedays=5', { whinedays: 6 })
    assert.deepEqual(body.changes, { whinedays: { removed: '7', added: '5' } })
    assertRefused(await world.pam.put('/rest/parameters?whinedays=7&whinedays=8'), 400, 53)
    await world.pam.put('/rest/parameters', { whinedays: 7 })
  })

  itOnOneEngine(world, 'takes effect with the next request', async () => {
    const match = async () => (await world.stan.get('/rest/user?match=lacewing')).body.users.length
    assert.ok((await match()) > 2)
    await world.withParameters({ maxusermatches: 2 }, async () => assert.equal(await match(), 2))
    assert.ok((await match()) > 2)
  })

  itOnOneEngine(world, 'writes every change into the audit log, with who made it', async () => {
    await world.pam.put('/rest/parameters', { whinedays: 9, useqacontact: false })
    const { body } = await world.ada.get('/rest/audit?class=Tracker::Parameter&limit=2')
    assert.deepEqual(body.audit.map(({ who, id, field, removed, added }) => [who, id, field, removed, added]).sort(), [
      [cast.pam.login, 0, 'useqacontact', '1', '0'],
      [cast.pam.login, 0, 'whinedays', '7', '9'],
    ])
    await world.pam.put('/rest/parameters', { whinedays: 7, useqacontact: true })
  })

  it('lists every parameter with its meaning, default and last change, to members of tweakparams', async () => {
    for (const [who, code] of [
      [world.nobody, 410],
      [world.edna, 304],
      [world.uma, 304],
    ] as const)
      assertRefused(await who.get('/rest/admin/parameters'), 401, code)
    const { body: all } = await world.pam.get('/rest/admin/parameters')
    const { body: values } = await world.pam.get('/rest/parameters')
    const stored = Object.fromEntries(all.parameters.map(({ name, value }) => [name, value]))
    assert.deepEqual({ ...stored, urlbase: '' }, { ...values.parameters, urlbase: '' })
    for (const it of all.parameters) assert.ok(it.title !== '' && it.about !== '' && it.group !== '', it.name)
    await world.pam.put('/rest/parameters', { whinedays: 11 })
    await world.ada.put('/rest/parameters', { s3_secret_key: 'never shown' })
    const names = '?name=whinedays&name=s3_secret_key&name=defaultpriority&name=password_complexity'
    const [days, secret, priority, complexity] = (await world.ada.get(`/rest/admin/parameters${names}`)).body.parameters
    assert.equal(
      `${days?.value} ${days?.default} ${days?.kind} ${days?.last_change?.who}`,
      `11 7 number ${cast.pam.login}`,
    )
    assert.deepEqual([secret?.value, secret?.is_for_administrators], ['********', true])
    assert.deepEqual([priority?.kind, priority?.choices?.slice(0, 2)], ['choice', ['', 'Highest']])
    assert.equal(complexity?.choices?.length, 4)
    const seen = await world.pam.get(`/rest/admin/parameters${names}`)
    assert.deepEqual([seen.body.parameters[1]?.last_change?.who, seen.text.includes('never shown')], [null, false])
    for (const wrong of ['constructor', '__proto__', '', "' or 1=1 --"])
      assertRefused(await world.ada.get(`/rest/admin/parameters?name=${encodeURIComponent(wrong)}`), 404, 51)
    await world.ada.put('/rest/parameters', { s3_secret_key: '', whinedays: 7 })
  })

  it('refuses with If-Match a parameter that somebody else has changed since, and no other', async () => {
    const { version } = (await world.pam.get('/rest/admin/parameters')).body
    const headers = { 'If-Match': `"${version}"` }
    await world.ada.put('/rest/parameters', { whinedays: 20 })
    const late = await world.pam.put('/rest/parameters', { whinedays: 21 }, headers)
    assertRefused(late, 412, 32000)
    assert.equal(await textOf(world, 'whinedays'), '20')
    assert.equal((await world.pam.put('/rest/parameters', { keep_mail_days: 31 }, headers)).status, 200)
    assertRefused(await world.pam.put('/rest/parameters', { whinedays: 21 }, { 'If-Match': 'new' }), 400, 53)
    const { version: next } = (await world.pam.get('/rest/admin/parameters')).body
    const save = (days: number) => world.pam.put('/rest/parameters', { whinedays: days }, { 'If-Match': `"${next}"` })
    const both = await Promise.all([save(22), save(23)])
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 412])
    await world.pam.put('/rest/parameters', { whinedays: 7, keep_mail_days: 30 })
  })

  it('loses no change of two who change parameters at once', async () => {
    const wanted = [{ whinedays: 1 }, { last_visit_keep_days: 2 }, { cookiepath: '/here' }, { use_see_also: false }]
    const replies = await Promise.all(
      wanted.map((change, at) => (at % 2 ? world.ada : world.pam).put('/rest/parameters', change)),
    )
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    const names = 'whinedays,last_visit_keep_days,cookiepath,use_see_also'
    const { body } = await world.pam.get(`/rest/parameters?include_fields=${names}`)
    assert.deepEqual(body.parameters, {
      whinedays: '1',
      last_visit_keep_days: '2',
      cookiepath: '/here',
      use_see_also: '0',
    })
  })

  itOnPostgres(world, 'puts those who change the same parameter at once one after another', async () => {
    await world.pam.put('/rest/parameters', { whinedays: 100 })
    const replies = await Promise.all(
      [101, 102, 103, 104].map((days) => world.pam.put('/rest/parameters', { whinedays: days })),
    )
    const changes = replies.map(({ body }) => sure(body.changes.whinedays))
    const end = await textOf(world, 'whinedays')
    const chain = [end]
    for (let value = end; value !== '100'; value = chain[0] as string)
      chain.unshift(sure(changes.find(({ added }) => added === value)).removed)
    assert.equal(chain.length, 5)
  })
})
