import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeOnSqlite } from '../support/world.ts'

/** Links to a Bugzilla, each with where it leads here. */
const LINKS: readonly (readonly [old: string, address: string])[] = [
  ['/index.cgi', '/'],
  ['/1001', '/bug/1001'],
  ['/show_bug.cgi?id=1001', '/bug/1001'],
  ['/show_bug.cgi?id=my-alias', '/bug/my-alias'],
  ['/show_bug.cgi?id=1001,1002', '/bugs?id=1001%2C1002'],
  ['/show_bug.cgi?id=1001&id=1002', '/bugs?id=1001%2C1002'],
  ['/show_bug.cgi?ctype=xml&id=1001', '/rest/bug/?ids=1001&permissive=1'],
  ['/show_bug.cgi?ctype=xml&id=1001,1002', '/rest/bug/?ids=1001&ids=1002&permissive=1'],
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
  ['/userprefs.cgi?tab=account', '/settings'],
  ['/userprefs.cgi?tab=apikey', '/settings/keys'],
  ['/createaccount.cgi', '/join'],
  ['/page.cgi?id=quicksearch.html', '/help/searching'],
  ['/config.cgi', '/rest/field/bug'],
]

describeOnSqlite('addresses of Bugzilla', (world) => {
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
    const { status, body } = await world.edna.get('/rest.cgi/whoami')
    assert.equal(status, 200)
    assert.equal(body.real_name, 'Edna Editor')
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
