import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { cast } from '../support/cast.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, describeOnEachEngine, itOnOneEngine, type Reply } from '../support/world.ts'

const NASTY = '=HYPERLINK("http://evil.example","x"),"\'<b>&amp;]]></title>;\\'

describeOnEachEngine('a list of bugs', (world) => {
  let product: string
  let ids: number[]

  before(async () => {
    product = (await newProduct(world)).name
    const place = { product, component: 'Core', version: '1.0' }
    ids = [
      await fileBug(world.rhea, { ...place, summary: 'The lamp is dark' }),
      await fileBug(world.rhea, { ...place, summary: NASTY, whiteboard: '@cmd' }),
    ]
    await world.ada.put(`/rest/bug/${ids[0]}`, { deadline: '2031-02-03', estimated_time: 4.5 })
    await world.ada.put(`/rest/bug/${ids[1]}`, { status: 'RESOLVED', resolution: 'FIXED' })
  })

  async function listed(who: Client, ctype: string, query = `product=${product}`): Promise<Reply> {
    const reply = await who.get(`/rest/bug?${query}&ctype=${ctype}`)
    assert.equal(reply.status, 200, reply.text)
    return reply
  }

  it('is CSV, with the columns of a list', async () => {
    const { text, headers } = await listed(world.nobody, 'csv')
    const [first, second] = await Promise.all(ids.map((id) => readBug(world.nobody, id)))
    assert.deepEqual(text.split('\r\n'), [
      '"id","product","component","assigned_to","status","resolution","summary","last_change_time"',
      `${ids[0]},"${product}","Core","${cast.ada.login}","${first?.status}","","The lamp is dark","${first?.last_change_time}"`,
      `${ids[1]},"${product}","Core","${cast.ada.login}","RESOLVED","FIXED","'${NASTY.replaceAll('"', '""')}","${second?.last_change_time}"`,
      '',
    ])
    assert.equal(headers.get('content-type'), 'text/csv; charset=UTF-8')
    assert.equal(headers.get('content-disposition'), 'attachment; filename="bugs.csv"')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
  })

  it('has the columns that include_fields or columnlist name, in that order', async () => {
    const head = async (query: string, who: Client = world.nobody) =>
      (await listed(who, 'csv', `product=${product}&limit=1&${query}`)).text.split('\r\n')[0]
    assert.equal(await head('include_fields=summary,id,nothing'), '"summary","id"')
    assert.equal(await head('include_fields=summary&include_fields=id&exclude_fields=id'), '"summary"')
    assert.equal(
      await head('columnlist=short_desc,changeddate,bug_status,nothing'),
      '"id","summary","last_change_time","status"',
    )
    assert.equal(await head('columnlist=constructor,__proto__'), '"id"')
    assert.match((await head('columnlist=all')) ?? '', /^"id","alias","summary",/)
    assert.match((await head('include_fields=_all')) ?? '', /"keywords",.*"tags"/)
  })

  itOnOneEngine(world, 'has the columns of a saved search, unless others are requested', async () => {
    const save = (name: string, columns: string) =>
      world.edna.post('/rest/saved_search', { name, query: `product=${product}&${columns}` })
    await save('From a page', 'columns=priority,summary,id')
    await save('From Bugzilla', 'columnlist=short_desc,changeddate')
    await save('Hostile', 'columns=constructor,__proto__&columns[]=x')
    const head = async (name: string, query = '') =>
      (await listed(world.edna, 'csv', `savedsearch=${encodeURIComponent(name)}${query}`)).text.split('\r\n')[0]
    assert.equal(await head('From a page'), '"id","priority","summary"')
    assert.equal(await head('From Bugzilla'), '"id","summary","last_change_time"')
    assert.equal(await head('Hostile'), '"id"')
    assert.equal(await head('From a page', '&include_fields=summary'), '"summary"')
    assert.equal(await head('From a page', '&columnlist=bug_status'), '"id","status"')
  })

  itOnOneEngine(world, 'makes what a spreadsheet would work out harmless in every column', async () => {
    const { text } = await listed(world.nobody, 'csv', `id=${ids[1]}&include_fields=summary,whiteboard`)
    assert.equal(text.split('\r\n')[1], `"'${NASTY.replaceAll('"', '""')}","'@cmd"`)
  })

  it('shows hours only to users who track time', async () => {
    const query = `id=${ids[0]}&include_fields=id,estimated_time`
    assert.equal((await listed(world.edna, 'csv', query)).text.split('\r\n')[1], `${ids[0]},4.5`)
    assert.equal((await listed(world.stan, 'csv', query)).text.split('\r\n')[1], `${ids[0]},""`)
  })

  itOnOneEngine(world, 'is Atom, with an entry for each bug', async () => {
    const { text, headers } = await listed(world.nobody, 'atom')
    assert.equal(headers.get('content-type'), 'application/atom+xml; charset=UTF-8')
    const root = parseXml(text)
    assert.deepEqual(
      root.filter(({ name }) => name === 'id').map((it) => it.text),
      [`${world.url}/rest/bug?product=${product}&ctype=atom`, ...ids.map((id) => `${world.url}/rest/bug/${id}`)],
    )
    const titles = root.filter(({ name }) => name === 'title').map((it) => it.text)
    assert.deepEqual(titles, ['Bugs', `[Bug ${ids[0]}] The lamp is dark`, `[Bug ${ids[1]}] ${NASTY}`])
    const authors = root.filter(({ name }) => name === 'name').map((it) => it.text)
    assert.deepEqual(authors, [cast.rhea.realName, cast.rhea.realName])
  })

  itOnOneEngine(world, 'is iCalendar, with something to do for each bug, due on its deadline', async () => {
    const { text, headers } = await listed(world.nobody, 'ics')
    assert.equal(headers.get('content-type'), 'text/calendar; charset=UTF-8')
    assert.ok(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75))
    const lines = text.replaceAll('\r\n ', '').split('\r\n')
    assert.deepEqual(
      lines.filter((line) => /^(BEGIN|END|STATUS|DUE|SUMMARY)/.test(line)),
      [
        'BEGIN:VCALENDAR',
        'BEGIN:VTODO',
        `SUMMARY:[Bug ${ids[0]}] The lamp is dark`,
        'STATUS:NEEDS-ACTION',
        'DUE;VALUE=DATE:20310203',
        'END:VTODO',
        'BEGIN:VTODO',
        `SUMMARY:[Bug ${ids[1]}] =HYPERLINK("http://evil.example"\\,"x")\\,"'<b>&amp\\;]]></title>\\;\\\\`,
        'STATUS:COMPLETED',
        'END:VTODO',
        'END:VCALENDAR',
      ],
    )
  })

  itOnOneEngine(world, 'comes in the form that Accept likes best, unless ctype says another', async () => {
    const kind = async (accept: string, query = '') => {
      const { headers } = await world.nobody.get(`/rest/bug?id=${ids[0]}${query}`, { Accept: accept })
      return headers.get('content-type')?.split(';')[0]
    }
    assert.equal(await kind('text/csv'), 'text/csv')
    assert.equal(await kind('application/atom+xml, application/json;q=0.5'), 'application/atom+xml')
    assert.equal(await kind('text/calendar;q=0.1, application/json'), 'application/json')
    assert.equal(await kind('application/json', '&ctype=ics'), 'text/calendar')
    assert.equal(await kind('text/csv', '&ctype=json'), 'application/json')
    assert.equal(await kind('text/csv', '&callback=hello'), 'text/javascript')
    assert.equal(await kind('application/json', '&ctype=rdf'), 'application/json')
  })

  itOnOneEngine(world, 'names no parameter of the form among those that it does not know', async () => {
    const { body } = await world.nobody.get(`/rest/bug?product=${product}&ctype=json&columnlist=all&include_fields=id`)
    assert.equal(body.ignored, undefined)
  })

  it('has only what the caller may see, in the order of the search', async () => {
    const hidden = await newHiddenProduct(world)
    const secret = await fileBug(world.ada, {
      product: hidden.name,
      component: 'Core',
      version: '1.0',
      summary: 'Secret',
    })
    const query = `id=${[...ids, secret].join()}&order=bug_id%20DESC&include_fields=id`
    const seen = async (who: Client) => (await listed(who, 'csv', query)).text.trim().split('\r\n').slice(1).map(Number)
    assert.deepEqual(await seen(world.stan), ids.toReversed())
    assert.deepEqual(await seen(world.sven), [secret, ...ids.toReversed()])
    for (const ctype of ['atom', 'ics']) assert.doesNotMatch((await listed(world.stan, ctype, query)).text, /Secret/)
  })

  it('is a list also where nothing is found', async () => {
    const nothing = 'product=TestProduct&summary=nothing-has-this'
    assert.equal((await listed(world.nobody, 'csv', `${nothing}&include_fields=id`)).text, '"id"\r\n')
    assert.equal(
      parseXml((await listed(world.nobody, 'atom', nothing)).text).filter(({ name }) => name === 'entry').length,
      0,
    )
    assert.match((await listed(world.nobody, 'ics', nothing)).text, /^BEGIN:VCALENDAR\r\n.*\r\nEND:VCALENDAR\r\n$/s)
  })

  itOnOneEngine(world, 'returns an error as JSON', async () => {
    assertRefused(await world.nobody.get('/rest/bug?ctype=csv&f1=nothing&o1=equals&v1=1'), 400, 108)
    assertRefused(await world.nobody.get('/rest/bug?offset=1', { Accept: 'text/csv' }), 400, 50)
  })

  itOnOneEngine(world, 'has no body for HEAD', async () => {
    const { status, text, headers } = await world.nobody.send('HEAD', `/rest/bug?product=${product}&ctype=csv`)
    assert.deepEqual([status, text, headers.get('content-type')], [200, '', 'text/csv; charset=UTF-8'])
  })
})

interface Element {
  name: string
  text: string
}

/** Reads XML strictly enough to notice what does not belong there; answers the elements with the text right inside them. */
function parseXml(xml: string): Element[] {
  const open: Element[] = []
  const all: Element[] = []
  const tokens = /<\?xml[^>]*\?>|<(\/?)(\w+)((?:\s+\w+="[^"<]*")*)\s*(\/?)>|([^<]+)/y
  while (tokens.lastIndex < xml.length) {
    const at = tokens.lastIndex
    const token = tokens.exec(xml)
    assert.ok(token, `no XML at ${at}: ${xml.slice(at, at + 50)}`)
    const [, closes, name, attributes = '', isEmpty, text] = token
    assert.doesNotMatch(attributes + (text ?? ''), /&(?!(?:amp|lt|gt|quot|#\d+);)/)
    const inner = open.at(-1)
    if (text !== undefined && inner) inner.text += unescaped(text)
    if (name === undefined) continue
    if (closes) assert.equal(open.pop()?.name, name)
    else {
      const element = { name, text: '' }
      all.push(element)
      if (!isEmpty) open.push(element)
    }
  }
  assert.deepEqual(open, [])
  return all
}

function unescaped(text: string) {
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }
  return text.replace(/&(?:#(\d+)|(\w+));/g, (_, code, name) =>
    code ? String.fromCodePoint(Number(code)) : (named[name] ?? ''),
  )
}
