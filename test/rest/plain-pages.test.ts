import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { ROWS_AT_ONCE } from '../../shared/first-calls.ts'
import { commentTexts, MOST_WITH_LINKS } from '../../src/pages/plain/comment-text.ts'
import { copyBug } from '../support/bug-rows.ts'
import { say } from '../support/discussion.ts'
import { fileBug } from '../support/file-bug.ts'
import { setControl } from '../support/new-member.ts'
import { newProduct } from '../support/new-product.ts'
import { type Client, describeOnEachEngine, itOnOneEngine } from '../support/world.ts'

const HOSTILE = `</noscript><script>alert(1)</script>"'&amp;`

/** What a page shows without scripts, and what programs read in its head. */
async function plain(who: Client, path: string) {
  const { status, text } = await who.get(path, { Accept: 'text/html' })
  const shown = /<noscript>([\s\S]*?)<\/noscript>/.exec(text)?.[1] ?? ''
  return { status, head: text.slice(0, text.indexOf('</head>')), shown }
}

it('the texts of long comments are written in several turns of the event loop', async () => {
  let turns = 0
  let next = setImmediate(function count() {
    turns++
    next = setImmediate(count)
  })
  await commentTexts(new Array(60).fill('<&'.repeat(30_000)), { bug: 1, root: '', templates: undefined })
  clearImmediate(next)
  assert.ok(turns > 2, `${turns} turns`)
})

describeOnEachEngine('pages without scripts', (world) => {
  let [bug, hidden] = [0, 0]
  let product = ''

  before(async () => {
    product = (await newProduct(world)).name
    await world.ada.put(`/rest/product/${encodeURIComponent(product)}`, { description: `Lamps ${HOSTILE}` })
    const description = `It shakes, see bug 1 and https://a.test/?b=1&c . ${HOSTILE}`
    bug = await fileBug(world.ada, { product, component: 'Core', summary: `Loose ${HOSTILE}`, description })
    const group = await world.newGroup()
    await setControl(world, product, group.name, { membercontrol: 'Shown', othercontrol: 'NA' })
    hidden = await fileBug(world.ada, {
      product,
      component: 'Core',
      summary: 'Nobody reads this',
      groups: [group.name],
    })
  })

  itOnOneEngine(world, 'show a bug, and name it in the head', async () => {
    const { status, head, shown } = await plain(world.nobody, `/bug/${bug}`)
    assert.equal(status, 200)
    assert.match(shown, /It shakes, see <a href="\/bug\/1">bug 1<\/a>/)
    assert.match(shown, /<a href="https:\/\/a\.test\/\?b=1&#38;c" rel="nofollow/)
    assert.ok(!`${head}${shown}`.includes('<script>alert'))
    assert.match(head, new RegExp(`<link rel="canonical" href="${world.url}/bug/${bug}">`))
    assert.match(head, /<meta name="description" content="It shakes, see bug 1/)
    assert.match(head, /<title>\d+ Loose &#60;/)
  })

  itOnOneEngine(world, 'show every comment of a long discussion', async () => {
    const long = await fileBug(world.ada, { product, component: 'Core', summary: 'Much is said' })
    for (let number = 1; number <= 60; number++) await say(world.ada, long, `Word ${number}.`)
    const { shown } = await plain(world.nobody, `/bug/${long}`)
    assert.ok(shown.includes('Word 5.') && shown.includes('Word 60.') && !shown.includes('Word 30.'))
    const parts = [...shown.matchAll(/href="(\/bug\/\d+\?comments_from=\d+)"/g)].map(([, path]) => String(path))
    const texts = await Promise.all(parts.map(async (path) => (await plain(world.nobody, path)).shown))
    for (let number = 1; number <= 60; number++)
      assert.equal(texts.filter((text) => text.includes(`Word ${number}.`)).length, 1)
    for (const wrong of ['x', '-1', '99999999999', '1e5'])
      assert.equal((await plain(world.nobody, `/bug/${long}?comments_from=${wrong}`)).status, 200)
  })

  itOnOneEngine(world, 'have the links that templates of the installation make', async () => {
    const linked = await fileBug(world.ada, {
      product,
      component: 'Core',
      summary: 'Linked',
      description: 'See JIRA-7.',
    })
    await world.withParameters({ link_templates: 'JIRA-{number} https://j.test/{1}?a&b' }, async () => {
      const { shown } = await plain(world.nobody, `/bug/${linked}`)
      assert.match(shown, /See <a href="https:\/\/j\.test\/7\?a&#38;b" rel="nofollow[^"]*">JIRA-7<\/a>\./)
    })
  })

  itOnOneEngine(world, 'have links in the first comments only, where the texts are long', async () => {
    const wordy = await fileBug(world.ada, { product, component: 'Core', summary: 'Wordy', description: 'Short.' })
    const text = `see bug 1 ${'.'.repeat(MOST_WITH_LINKS / 2 - 100)}`
    for (let count = 0; count < 3; count++) await say(world.ada, wordy, text)
    const { shown } = await plain(world.nobody, `/bug/${wordy}`)
    assert.deepEqual([shown.split('see bug 1').length, shown.split('see <a href="/bug/1">').length], [2, 3])
  })

  it('show lists part by part, and products', async () => {
    const { name: many } = await newProduct(world)
    const first = await fileBug(world.ada, { product: many, component: 'Core', summary: 'Lamp' })
    await copyBug(
      world,
      first,
      Array.from({ length: ROWS_AT_ONCE + 4 }, (_, place) => `Lamp ${place}`),
    )
    const search = `/bugs?product=${encodeURIComponent(many)}`
    const { shown, head } = await plain(world.nobody, search)
    assert.match(head, /<meta name="robots" content="noindex">/)
    const next = /href="([^"]+)">Next bugs/.exec(shown)?.[1]?.replaceAll('&#38;', '&') ?? ''
    const later = (await plain(world.nobody, next)).shown
    const numbers = (text: string) => [...text.matchAll(/<tr><td><a href="\/bug\/(\d+)"/g)].map(([, id]) => id)
    assert.deepEqual([numbers(shown).length, numbers(later).length], [ROWS_AT_ONCE, 5])
    assert.equal(new Set([...numbers(shown), ...numbers(later)]).size, ROWS_AT_ONCE + 5)
    assert.match(later, /Previous bugs/)
    const { shown: products } = await plain(world.nobody, '/products')
    assert.ok(products.includes(`>${product}</a>`))
    const about = (await plain(world.nobody, `/product/${encodeURIComponent(product)}`)).shown
    assert.ok(about.includes('Lamps &#60;/noscript&#62;') && about.includes('Component'))
  })

  itOnOneEngine(
    world,
    'have the name of the installation without a session, also after one has ended, and nothing else of it',
    async () => {
      const look = { site_name: 'Sky <b>lark', accent_color: '#123456', requirelogin: true }
      const ended = world.as({ Cookie: `lacewing_${new URL(world.url).port}=1-ended` })
      await world.withParameters({ ...look, rate_limit_anonymous: 1000 }, async () => {
        for (const who of [world.nobody, ended])
          for (const path of ['/', '/login', '/forgot', `/bug/${bug}`, '/no-such-page']) {
            const { text } = await who.get(path, { Accept: 'text/html' })
            assert.match(text, /<title>(.* · )?Sky &#60;b&#62;lark<\/title>/, path)
            // The scripts of the page read it from its first data.
            assert.match(text, /"site_name":"Sky (\\u003c|<|&#60;)b/, path)
            assert.ok(text.includes('/look/123456.css') && !text.includes('Lacewing') && !text.includes('shakes'), path)
          }
        const { text } = await ended.get('/login', { Accept: 'text/html' })
        assert.ok(text.includes('token_invalid') && !text.includes('"mailfrom":'), text)
      })
    },
  )

  it('show nothing that the reader may not see', async () => {
    const missing = await plain(world.nobody, '/bug/999999')
    assert.equal((await plain(world.nobody, '/product/Nothing')).status, 404)
    assert.equal((await plain(world.nobody, `/product/${encodeURIComponent(product)}`)).status, 200)
    const other = await plain(world.nobody, `/bug/${hidden}`)
    assert.ok(!other.head.includes('canonical'))
    assert.match(other.head, /<title>Lacewing<\/title>/)
    assert.ok(!JSON.stringify([other, missing]).includes('Nobody reads'))
    const { shown } = await plain(world.nobody, `/bugs?product=${encodeURIComponent(product)}`)
    assert.ok(shown.includes('Loose') && !shown.includes('Nobody reads'))
    await world.withParameters({ requirelogin: true }, async () => {
      assert.ok(!JSON.stringify(await plain(world.nobody, `/bug/${bug}`)).includes('shakes'))
      assert.match((await world.nobody.get('/robots.txt')).text, /^Disallow: \/$/m)
    })
  })

  it('are named in a sitemap if an administrator wants it, without hidden bugs', async () => {
    assert.equal((await world.nobody.get('/sitemap.xml')).status, 404)
    assert.doesNotMatch((await world.nobody.get('/robots.txt')).text, /Sitemap/)
    await world.withParameters({ publish_sitemap: true }, async () => {
      const { text: robots, headers } = await world.nobody.get('/robots.txt')
      assert.match(headers.get('content-type') ?? '', /^text\/plain/)
      assert.match(robots, /^User-agent: \*$/m)
      assert.match(robots, /^Disallow: \/rest\/$/m)
      assert.ok(robots.includes(`Sitemap: ${world.url}/sitemap.xml`))
      const { text: index } = await world.nobody.get('/sitemap.xml')
      assert.ok(index.includes(`<loc>${world.url}/sitemap/0.xml</loc>`))
      for (const who of [world.nobody, world.ada]) {
        const { text: part } = await who.get('/sitemap/0.xml')
        assert.match(part, new RegExp(`<loc>${world.url}/bug/${bug}</loc><lastmod>20..-..-..T..:..:..Z</lastmod>`))
        assert.ok(!part.includes(`/bug/${hidden}<`))
      }
      assert.doesNotMatch((await world.nobody.get('/sitemap/7.xml')).text, /<url>/)
      assert.equal((await world.nobody.get('/sitemap/214748.xml')).status, 200)
      for (const wrong of ['x.xml', '1', '-1.xml', '214749.xml', '999999.xml', '1234567.xml'])
        assert.equal((await world.nobody.get(`/sitemap/${wrong}`)).status, 404)
      await world.withParameters({ requirelogin: true }, async () =>
        assert.equal((await world.nobody.get('/sitemap/0.xml')).status, 404),
      )
    })
  })
})
