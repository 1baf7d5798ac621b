import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { REPLACED_SCRIPTS } from '../../shared/addresses.ts'
import { cast } from '../support/cast.ts'
import { describeOnSqlite } from '../support/world.ts'

/** Links to a Bugzilla, each with where it leads here. */
const LINKS: readonly (readonly [old: string, address: string])[] = [
  ['/index.cgi', '/'],
  ['/1001', '/bug/1001'],
  ['/show_bug.cgi?id=1001', '/bug/1001'],
  ['/show_bug.cgi?id=my-alias', '/bug/my-alias'],
  ['/show_bug.cgi?id=1001,1002', '/bugs?id=1001%2C1002'],
  ['/show_bug.cgi?id=1001&id=1002', '/bugs?id=1001%2C1002'],
  ['/show_bug.cgi', '/bugs?quicksearch=ALL'],
  ['/show_bug.cgi?id=22;list_id=5', '/bug/22'],
  ['/show_bug.cgi?list_id=5;id=22;id=23', '/bugs?id=22%2C23'],
  ['/show_activity.cgi?id=1001', '/bug/1001?view=history'],
  ['/showdependencytree.cgi?id=1001', '/bug/1001?view=tree'],
  ['/showdependencygraph.cgi?id=1001', '/bug/1001?view=graph'],
  ['/buglist.cgi?product=TestProduct&bug_status=__open__', '/bugs?product=TestProduct&bug_status=__open__'],
  ['/buglist.cgi?quicksearch=lamp&list_id=5', '/bugs?quicksearch=lamp'],
  ['/buglist.cgi?product=TestProduct&ctype=csv', '/rest/bug?product=TestProduct&ctype=csv'],
  ['/buglist.cgi?product=TestProduct&ctype=atom&title=x', '/rest/bug?product=TestProduct&ctype=atom'],
  ['/buglist.cgi?cmdtype=dorem&remaction=run&namedcmd=My%20bugs&sharer_id=7', '/bugs?sharer_id=7&savedsearch=My+bugs'],
  ['/buglist.cgi?product=A%3BB;short_desc=why?;list_id=5', '/bugs?product=A%3BB&short_desc=why%3F'],
  ['/query.cgi?product=TestProduct', '/bugs?product=TestProduct&view=search'],
  ['/enter_bug.cgi', '/file'],
  ['/enter_bug.cgi?product=A%20B&component=C%2FD&short_desc=Hello', '/file/A%20B/C%2FD?short_desc=Hello'],
  ['/attachment.cgi?id=7', '/rest/bug/attachment/7/data'],
  ['/attachment.cgi?id=7&action=edit', '/attachment/7'],
  ['/attachment.cgi?id=7&action=diff', '/attachment/7'],
  ['/attachment.cgi?id=2002;action=diff', '/attachment/2002'],
  ['/attachment.cgi?bugid=1001&action=enter', '/bug/1001#attach'],
  ['/describecomponents.cgi?product=TestProduct', '/product/TestProduct'],
  ['/describecomponents.cgi', '/products'],
  ['/request.cgi', '/requests'],
  ['/request.cgi?action=queue&type=all', '/requests'],
  [
    '/request.cgi?requestee=edna@lacewing.test&product=TestProduct&type=review',
    '/bugs?product=TestProduct&j_top=AND_G&f1=flagtypes.name&o1=equals&v1=review%3F&f2=requestees.login_name&o2=equals&v2=edna%40lacewing.test',
  ],
  [
    '/request.cgi?requestee=-&type=all',
    '/bugs?j_top=AND_G&f1=flagtypes.name&o1=substring&v1=%3F&f2=requestees.login_name&o2=isempty',
  ],
  ['/admin.cgi', '/admin'],
  ['/relogin.cgi', '/login'],
  ['/token.cgi?a=reqpw&loginname=x', '/forgot'],
  ['/editwhines.cgi', '/settings/scheduled-mail'],
  ['/userprefs.cgi?tab=account', '/settings'],
  ['/userprefs.cgi?tab=apikey', '/settings/keys'],
  ['/editproducts.cgi', '/admin/products'],
  ['/editproducts.cgi?action=edit&product=Big+kettle', '/admin/products/Big%20kettle'],
  ['/editcomponents.cgi?product=a/b', '/admin/products/a%2Fb#components'],
  ['/editmilestones.cgi?product=TestProduct', '/admin/products/TestProduct#milestones'],
  ['/editproducts.cgi?action=editgroupcontrols&product=TestProduct', '/admin/products/TestProduct#groups'],
  ['/editproducts.cgi?action=del&product=TestProduct', '/admin/products/TestProduct#danger'],
  ['/editproducts.cgi?action=constructor&product=TestProduct', '/admin/products/TestProduct'],
  ['/editclassifications.cgi', '/admin/classifications'],
  ['/editgroups.cgi?action=changeform&group=5', '/admin/groups/5'],
  ['/editgroups.cgi?group=../x', '/admin/groups'],
  ['/editfields.cgi?action=edit&name=cf_found_by', '/admin/fields/cf_found_by'],
  ['/editfields.cgi', '/admin/fields'],
  ['/editvalues.cgi?field=priority&value=High&action=edit', '/admin/fields/priority'],
  ['/editvalues.cgi?field=../x', '/admin/fields'],
  ['/editflagtypes.cgi?action=edit&id=5', '/admin/flag-types/5'],
  ['/editflagtypes.cgi?action=enter&id=../x', '/admin/flag-types'],
  ['/editparams.cgi', '/admin/parameters'],
  ['/editparams.cgi?section=mta', '/admin/mail'],
  ['/editparams.cgi?section=auth', '/admin/parameters#log-in'],
  ['/editparams.cgi?section=ldap', '/admin/providers'],
  ['/view_job_queue.cgi', '/admin/mail'],
  ['/describekeywords.cgi', '/help/words#keywords'],
  ['/long_list.cgi?id=1001', '/bug/1001'],
  ['/showattachment.cgi?attach_id=7', '/rest/bug/attachment/7/data'],
  ['/query.cgi?format=create-series&product=TestProduct', '/reports?kind=over_time&product=TestProduct'],
  ['/query.cgi?format=specific', '/bugs?view=search'],
  ['/userprefs.cgi?tab=component_watch', '/settings/mail'],
  ['/editparams.cgi?section=constructor', '/admin/parameters'],
  ['/userprefs.cgi?tab=email', '/settings/mail'],
  ['/userprefs.cgi?tab=mfa', '/settings/factors'],
  ['/userprefs.cgi?tab=sessions', '/settings/access'],
  ['/userprefs.cgi?tab=settings', '/settings'],
  ['/userprefs.cgi?tab=permissions', '/settings'],
  ['/userprefs.cgi?tab=saved-searches', '/settings/searches'],
  ['/createaccount.cgi', '/join'],
  [
    '/report.cgi?x_axis_field=bug_status&y_axis_field=product&format=table&action=wrap&product=TestProduct',
    '/reports?x_axis_field=bug_status&y_axis_field=product&product=TestProduct&kind=table',
  ],
  [
    '/report.cgi?x_axis_field=bug_status&y_axis_field=product&format=table&action=wrap&product=TestProduct&ctype=csv',
    '/rest/report?x_axis_field=bug_status&y_axis_field=product&product=TestProduct&ctype=csv',
  ],
  ['/report.cgi?product=TestProduct&ctype=csv', '/reports?product=TestProduct&kind=table'],
  ['/query.cgi?format=report-table&product=TestProduct', '/reports?product=TestProduct&kind=table'],
  ['/chart.cgi?category=-All-&subcategory=-All-&name=New', '/reports?kind=over_time'],
  ['/reports.cgi', '/reports?kind=over_time'],
  ['/reports.cgi?product=TestProduct&datasets=NEW', '/reports?kind=over_time&product=TestProduct'],
  ['/reports.cgi?product=-All-&datasets=NEW', '/reports?kind=over_time'],
  ['/chart.cgi?category=A%26B&subcategory=Core&name=All+Open', '/reports?kind=over_time&product=A%26B&component=Core'],
  [
    '/chart.cgi?action=wrap&line0=12&label0=Open&line1=13&line1=x&gt=1&datefrom=2020-01-01&dateto=',
    '/reports?series=12&series=13&from=2020-01-01',
  ],
  ['/report.cgi?y_axis_field=product&format=pie&action=wrap', '/reports?y_axis_field=product&kind=table&chart=pie'],
  [
    '/report.cgi?y_axis_field=product&x_axis_field=priority&format=pie',
    '/reports?y_axis_field=product&x_axis_field=priority&kind=table',
  ],
  ['/page.cgi?id=quicksearch.html', '/help/searching'],
  ['/page.cgi?id=fields.html', '/help/words'],
  ['/page.cgi?id=user_profile.html&login=edna@lacewing.test', '/user/edna%40lacewing.test'],
  ['/config.cgi', '/rest/field/bug'],
  ['/votes.cgi?action=show_user&bug_id=7', '/bug/7'],
  ['/votes.cgi?bug_id=../x', '/settings/votes'],
  ['/page.cgi?id=voting/bug.html&bug_id=7', '/bug/7'],
  ['/page.cgi?id=voting/user.html', '/settings/votes'],
]

/** The scripts of Bugzilla 5 that a browser can open. */
const SCRIPTS = [
  ...['admin', 'attachment', 'buglist', 'chart', 'colchange', 'config', 'createaccount', 'describecomponents'],
  ...['describekeywords', 'duplicates', 'editclassifications', 'editcomponents', 'editfields', 'editflagtypes'],
  ...['editgroups', 'editkeywords', 'editmilestones', 'editparams', 'editproducts', 'editsettings', 'editusers'],
  ...['editvalues', 'editversions', 'editwhines', 'editworkflow', 'enter_bug', 'index', 'page', 'post_bug'],
  ...['process_bug', 'query', 'quips', 'relogin', 'report', 'reports', 'request', 'sanitycheck', 'search_plugin'],
  ...['show_activity', 'show_bug', 'showdependencygraph', 'showdependencytree', 'summarize_time', 'token', 'userprefs'],
  ...['view_job_queue', 'votes', 'xml'],
]

/** Links whose meaning nothing here has yet: each leads to its place on a help page, for now. */
const HELPED: readonly (readonly [old: string, place: string])[] = [
  ...REPLACED_SCRIPTS.map((script) => [`/${script}.cgi?x_axis_field=product&id=1`, script] as const),
  ['/token.cgi?t=SeCrEt&a=cfmpw', 'token'],
  ['/page.cgi?id=release-notes.html', 'page'],
]

describeOnSqlite('addresses of Bugzilla', (world) => {
  it('leads every script to a page, and passes no token on', async () => {
    for (const script of SCRIPTS) {
      const { status, url, text } = await opened(`/${script}.cgi${script === 'token' ? '?t=SeCrEt' : ''}`)
      assert.ok(status === 200, `${script}: ${status}`)
      if (script === 'token') assert.doesNotMatch(url + text, /SeCrEt/)
    }
  })

  const opened = async (path: string) => {
    const response = await fetch(world.url + path, { headers: { 'X-TRACKER-API-KEY': cast.edna.apiKey } })
    return { status: response.status, url: response.url, text: await response.text() }
  }

  for (const [old, place] of HELPED)
    it(`leads ${old} to what replaces it, for now`, async () => {
      const response = await fetch(world.url + old, { redirect: 'manual' })
      assert.equal(response.status, 302)
      assert.equal(response.headers.get('location'), `/help/bugzilla#${place}`)
      assert.equal(response.headers.get('cache-control'), 'no-store')
    })

  it('names on the help page only documentation that exists', async () => {
    const source = readFileSync(new URL('../../web/views/help/bugzilla.tsx', import.meta.url), 'utf8')
    const addresses = new Set([...source.matchAll(/, '(\/[^']*)'\]/g)].map(([, address]) => address))
    assert.ok(addresses.size > 5)
    for (const address of addresses) assert.equal((await fetch(world.url + address)).status, 200, address)
  })

  it('returns bugs as XML that a program can parse, with only what the caller may see', async () => {
    const group = await world.newGroup({ is_active: true })
    const summary = 'A <b> & "quotes" \u0001 ]]> \u{1F41B}'
    const filed = { product: 'TestProduct', component: 'TestComponent', summary, description: 'First & <last>' }
    const [open, hidden] = [
      (await world.ada.post('/rest/bug', filed)).body.id,
      (await world.ada.post('/rest/bug', { ...filed, summary: 'hidden words' })).body.id,
    ]
    await world.db.query((q) => q.insertInto('bug_groups').values({ bug_id: hidden, group_id: group.id }))
    const comment = { comment: 'private words', is_private: true }
    await world.withParameters({ insidergroup: 'admin' }, async () => {
      assert.equal((await world.ada.post(`/rest/bug/${open}/comment`, comment)).status, 201)
      const file = { ids: [open], data: 'aGVsbG8=', file_name: 'a&b.txt', summary: 's', content_type: 'text/plain' }
      await world.ada.post(`/rest/bug/${open}/attachment`, file)
      const read = async (query: string, key = '') => {
        const headers: Record<string, string> = key === '' ? {} : { 'X-BUGZILLA-API-KEY': key }
        const response = await fetch(`${world.url}/show_bug.cgi?ctype=xml&${query}`, { headers })
        assert.match(response.headers.get('content-type') ?? '', /^text\/xml/)
        assert.equal(response.headers.get('cache-control'), 'no-store')
        const text = await response.text()
        assertWellFormed(text)
        return text
      }
      const own = await read(`id=${open},${hidden},999999,no-alias`)
      assert.match(own, /<short_desc>A &lt;b&gt; &amp; &quot;quotes&quot; +\]\]&gt; \u{1F41B}<\/short_desc>/u)
      assert.match(own, /<thetext>First &amp; &lt;last&gt;<\/thetext>/)
      assert.match(own, /<filename>a&amp;b\.txt<\/filename>/)
      assert.match(own, /<creation_ts>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000<\/creation_ts>/)
      assert.match(own, /<bug error="NotFound">\n<bug_id>999999</)
      assert.doesNotMatch(own, /hidden words|private words|aGVsbG8/)
      assert.match(own, new RegExp(`<bug error="NotPermitted">\\n<bug_id>${hidden}<`))
      const all = await read(`id=${open}&id=${hidden}`, cast.ada.apiKey)
      assert.match(all, /hidden words/)
      assert.match(all, /<long_desc isprivate="1">[\s\S]*private words/)
      assert.deepEqual(
        [...(await read(`id=${open}`, cast.ada.apiKey)).matchAll(/^<(\w+)>/gm)].map(([, name]) => name).slice(1, 23),
        [
          ...['bug_id', 'creation_ts', 'delta_ts', 'reporter_accessible', 'cclist_accessible', 'everconfirmed'],
          ...['short_desc', 'classification', 'product', 'component', 'version', 'rep_platform', 'op_sys'],
          ...['bug_status', 'priority', 'bug_severity', 'target_milestone', 'estimated_time', 'remaining_time'],
          ...['actual_time', 'bug_type', 'token'],
        ],
      )
      assert.match(await read(`id=${open}&Bugzilla_api_key=${cast.ada.apiKey}`), /private words/)
      assert.match(await read(`id=${open}&field=attachment&field=attachmentdata`), />aGVsbG8=<\/data>/)
      const semicolons = await fetch(`${world.url}/show_bug.cgi?id=${open};ctype=xml;excludefield=long_desc`)
      assert.match(await semicolons.text(), new RegExp(`<bug_id>${open}<`))
      const less = await read(`id=${open}&excludefield=long_desc&excludefield=attachment`)
      assert.doesNotMatch(less, /<long_desc|<attachment/)
      assert.match(await read(`id=${Array.from({ length: 51 }, (_, id) => id + 1)}`), /<error>At most 50 bugs/)
    })
  })

  for (const [old, address] of LINKS)
    it(`leads ${old} to ${address}`, async () => {
      const response = await fetch(world.url + old, { redirect: 'manual' })
      assert.equal(response.status, 301)
      assert.equal(response.headers.get('location'), address)
    })

  it('never leads to another host', async () => {
    for (const old of [
      '/show_bug.cgi?id=//evil.example',
      '/enter_bug.cgi?product=//evil.example',
      '/show_bug.cgi?id=%0d%0aX: y',
    ]) {
      const address = (await fetch(world.url + old, { redirect: 'manual' })).headers.get('location') ?? ''
      assert.match(address, /^\/(bug|file|bugs)\b/)
      assert.doesNotMatch(address, /[\r\n]/)
    }
  })

  it('serves the same calls under rest.cgi', async () => {
    const { status, text } = await world.edna.get('/rest.cgi/whoami')
    assert.equal(status, 200)
    assert.match(text, /"real_name":"Edna Editor"/)
    const filed = { product: 'TestProduct', component: 'TestComponent', summary: 'By the other address' }
    assert.equal((await world.edna.post('/rest.cgi/bug', filed)).status, 200)
  })

  it('leads an attachment to its bug', async () => {
    const filed = { product: 'TestProduct', component: 'TestComponent', summary: 'With a file' }
    const bug = (await world.edna.post('/rest/bug', filed)).body.id
    const file = { ids: [bug], data: 'aGVsbG8=', file_name: 'a.txt', summary: 's', content_type: 'text/plain' }
    const [attachment] = (await world.edna.post(`/rest/bug/${bug}/attachment`, file)).body.ids
    const shown = await fetch(`${world.url}/attachment/${attachment}`, { redirect: 'manual' })
    assert.equal(shown.status, 302)
    assert.equal(shown.headers.get('location'), `/bug/${bug}#a${attachment}`)
    const missing = await fetch(`${world.url}/attachment/999999`, { redirect: 'manual' })
    assert.equal(missing.status, 404)
  })
})

/** Every element is closed in order, and text has no bare special character. */
function assertWellFormed(text: string) {
  const open: string[] = []
  const body = text.replace(/^<\?xml [^?]*\?>\n/, '')
  for (const [tag, slash, name] of body.matchAll(/<(\/?)([a-z_]\w*)(?: \w+="[^"<]*")*>/g)) {
    if (slash === '/') assert.equal(open.pop(), name, tag)
    else open.push(name ?? '')
  }
  assert.deepEqual(open, [])
  const rest = body.replaceAll(/<\/?[a-z_]\w*(?: \w+="[^"<]*")*>/g, '')
  assert.doesNotMatch(rest, /[<>]|&(?!amp;|lt;|gt;|quot;|apos;)|[^\P{Cc}\t\n\r]/u)
}
