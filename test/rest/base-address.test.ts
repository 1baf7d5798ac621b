import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { BodyAt } from '../support/body-types.ts'
import { fileBug } from '../support/file-bug.ts'
import { describeOnOneEngine } from '../support/world.ts'

const BASE = 'https://bugs.example.com/tracker'
const HTML = { Accept: 'text/html' }

describeOnOneEngine(
  'A server whose base address has a path',
  (world) => {
    it('serves with the path and without it, as proxies pass requests on', async () => {
      for (const path of ['/tracker/rest/version', '/rest/version']) {
        const { status, text } = await world.nobody.get(path)
        assert.match(`${status} ${text}`, /^200 \{"version":"/)
      }
      assert.match((await world.nobody.get('/tracker/health')).text, /"status":"ok"/)
      assert.equal((await world.ada.get('/tracker/rest/product/Test%50roduct?include_fields=name')).status, 200)
      assert.equal((await world.ada.post('/tracker/rest/keyword', { name: 'k', description: 'd' })).status, 201)
    })

    it('does not take another path for its own', async () => {
      for (const path of ['/tracker', '/trackers/rest/version', '/other/rest/version', '/tracker/tracker/rest/version'])
        assert.equal((await world.nobody.get(path)).status, 404, path)
      const { status, headers } = await world.nobody.send('DELETE', '/tracker/rest/version')
      assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD, OPTIONS'])
    })

    it('has the path in every link of its pages', async () => {
      const other = await fileBug(world.edna)
      const linked = { description: `See bug ${other}.`, see_also: [`${BASE}/show_bug.cgi?id=${other}`] }
      const id = await fileBug(world.edna, linked)
      const paths = [
        '/rest/docs',
        '/rest/docs/errors',
        '/rest/version',
        `/rest/bug/${id}`,
        `/rest/bug/${id}/comment`,
        '/rest/product_selectable',
        '/rest/user/ada@lacewing.test',
        '/rest/nothing',
      ]
      for (const path of paths) {
        const { text } = await world.ada.get(`/tracker${path}`, HTML)
        const links = [...text.matchAll(/href="([^"#]*)[^"]*"/g)].map((match) => match[1] as string)
        const own = links.filter((link) => link !== '' && !link.startsWith('mailto:'))
        assert.ok(own.length > 0, path)
        assert.deepEqual(
          own.filter((link) => !link.startsWith('/tracker/rest/') && !link.startsWith(`${BASE}/`)),
          [],
          path,
        )
      }
    })

    it('has the path in every address that it answers', async () => {
      assert.equal((await world.nobody.get('/tracker/rest')).body.documentation, `${BASE}/rest/docs`)
      const refused = await world.nobody.get('/tracker/rest/bug/99999')
      assert.ok(refused.body.documentation.startsWith(`${BASE}/rest/docs/errors#error-`))
      const document = JSON.parse((await world.nobody.get('/tracker/rest/openapi.json')).text)
      assert.deepEqual(
        document.servers.map(({ url }: { url: string }) => url),
        [BASE],
      )
      const id = await fileBug(world.edna)
      const other = await fileBug(world.edna, { see_also: [`${BASE}/show_bug.cgi?id=${id}`] })
      const { text } = await world.edna.get(`/tracker/rest/bug/${id}`)
      const body: BodyAt<'GET', '/rest/bug/1'> = JSON.parse(text)
      assert.deepEqual(body.bugs[0].see_also, [`${BASE}/show_bug.cgi?id=${other}`])
      const feed = await world.edna.get(`/tracker/rest/bug?id=${id}&ctype=atom`)
      assert.ok(feed.text.includes(`${BASE}/rest/bug/${id}"`), feed.text)
    })
  },
  { LACEWING_BASE_URL: `${BASE}/` },
)
