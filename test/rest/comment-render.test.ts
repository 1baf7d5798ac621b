import assert from 'node:assert/strict'
import { it } from 'node:test'
import { insertBug } from '../support/bug-rows.ts'
import { cast } from '../support/cast.ts'
import { countQueries } from '../support/count-queries.ts'
import { insertAttachment, readComments, silentBug, withInsiders } from '../support/discussion.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnSqlite, type World } from '../support/world.ts'

const plain = (world: World, more: object) =>
  insertBug(world, { product: 'TestProduct', component: 'TestComponent', assigned_to: cast.ada.login, ...more })

describeOnSqlite('POST /rest/bug/comment/render', (world) => {
  const html = async (text: string, who = world.nobody, id?: unknown): Promise<string> => {
    const { status, body, text: answer } = await who.post('/rest/bug/comment/render', { text, id })
    assert.equal(status, 200, answer)
    assert.deepEqual(Object.keys(body), ['html'])
    return body.html
  }
  const bugLink = (id: number, title: string, shown: string, more = '', kind = 'bug') =>
    `<a class="${kind}" href="${world.url}/show_bug.cgi?id=${id}${more}" title="${title}">${shown}</a>`

  it('leads to bugs, saying how they stand', async () => {
    const id = await plain(world, { summary: 'Say "hi" & <go>' })
    const title = 'CONFIRMED - Say &quot;hi&quot; &amp; &lt;go&gt;'
    assert.equal(await html(`see bug ${id}!`), `see ${bugLink(id, title, `bug ${id}`)}!`)
    assert.equal(await html(`bug ${id} comment 3`), bugLink(id, title, `bug ${id} comment 3`, '#c3'))
    const address = `${world.url}/show_bug.cgi?id=${id}#c2`
    assert.equal(await html(address), bugLink(id, title, address, '#c2'))
  })

  it('strikes closed bugs through', async () => {
    const id = await plain(world, { status: 'RESOLVED', resolution: 'FIXED', summary: 'Done' })
    const shown = bugLink(id, 'RESOLVED FIXED - Done', `<s>bug ${id}</s>`, '', 'bug closed')
    assert.equal(await html(`bug ${id}`), shown)
  })

  it('leaves bugs that the caller may not see as they would be if there were none', async () => {
    const id = await plain(world, { groups: ['security'], summary: 'Secret' })
    for (const who of [world.nobody, world.stan]) {
      assert.equal(await html(`bug ${id}`, who), `bug ${id}`)
      assert.equal(await html('bug 99999999 and bug 9999999999', who), 'bug 99999999 and bug 9999999999')
    }
    assert.match(await html(`bug ${id}`, world.sven), /title="CONFIRMED - Secret"/)
    const own = `${world.url}/show_bug.cgi?id=${id}`
    assert.equal((await html(own)).includes('Secret'), false)
  })

  it('leads to comments of the bug at hand, when there is one', async () => {
    const alias = world.unique('alias')
    const id = await silentBug(world)
    await world.db.query((q) => q.insertInto('bug_aliases').values({ bug_id: id, alias, alias_key: alias }))
    const link = `<a href="${world.url}/show_bug.cgi?id=${id}#c3">comment 3</a>`
    for (const ref of [id, String(id), alias]) assert.equal(await html('comment 3', world.nobody, ref), link)
    assert.equal(await html('comment 3'), 'comment 3')
    assert.equal(await html('comment 3', world.nobody, ''), 'comment 3')
  })

  it('leads to attachments that the caller may see', async () => {
    const bug = await silentBug(world)
    const hidden = await silentBug(world, 'security')
    const open = await insertAttachment(world, bug, { summary: '<Log>' })
    const old = await insertAttachment(world, bug, { is_obsolete: 1 })
    const secret = await insertAttachment(world, bug, { is_private: 1 })
    const unseen = await insertAttachment(world, hidden)
    const address = (id: number) => `${world.url}/attachment.cgi?id=${id}&amp;action=edit`
    const link = `<a class="attachment" href="${address(open)}" title="&lt;Log&gt;">attachment ${open}</a>`
    assert.equal(await html(`attachment ${open} [details]`), `${link} [details]`)
    assert.match(await html(`attachment ${old}`), new RegExp(`class="attachment obsolete".*<s>attachment ${old}</s>`))
    await withInsiders(world, async () => {
      for (const id of [secret, unseen]) {
        assert.equal(await html(`attachment ${id}`, world.edna), `attachment ${id}`)
        assert.match(await html(`attachment ${id}`, world.sven), /^<a /)
      }
    })
  })

  it('leads to addresses, and runs nothing', async () => {
    const rel = 'rel="nofollow noopener noreferrer"'
    assert.equal(
      await html("http://a.example/?x=1&y='2'"),
      `<a href="http://a.example/?x=1&amp;y=&#39;2" ${rel}>http://a.example/?x=1&amp;y=&#39;2</a>&#39;`,
    )
    assert.equal(await html('a@b.example'), '<a href="mailto:a@b.example">a@b.example</a>')
    for (const text of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html;base64,PHNjcmlwdD4=',
      'vbscript:x',
      'view-source:javascript:alert(1)',
    ])
      assert.equal(await html(text), text)
  })

  it('leads where the templates of the installation say, also in Markdown, but not in code', async () => {
    const rel = 'rel="nofollow noopener noreferrer"'
    const link = (text: string) => `<a href="https://j.test/?a=1&amp;id=${text}" ${rel}>${text}</a>`
    await world.withParameters({ link_templates: 'JIRA-{number} https://j.test/?a=1&id={0}' }, async () => {
      assert.equal(
        await html('See JIRA-7\n> JIRA-8'),
        `See ${link('JIRA-7')}\n<span class="quote">&gt; ${link('JIRA-8')}</span>`,
      )
      const markdown = { text: '*JIRA-9* `JIRA-10` [JIRA-11](https://a.test/)', is_markdown: true }
      const { body } = await world.nobody.post('/rest/bug/comment/render', markdown)
      assert.match(body.html, new RegExp(`<em>${RegExp.escape(link('JIRA-9'))}</em> <code>JIRA-10</code>`))
      assert.match(body.html, />JIRA-11<\/a>/)
      assert.ok(!body.html.includes('id=JIRA-11'))
    })
    assert.equal(await html('See JIRA-7'), 'See JIRA-7')
  })

  it('escapes everything else', async () => {
    assert.equal(
      await html('<script>alert("x")</script> \'&\''),
      '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &#39;&amp;&#39;',
    )
    const hostile = ['http://a.example/"onmouseover="x', 'http://a.example/<script>', 'a@b.example"><b>', 'bug 1"><b>']
    for (const text of hostile) {
      const shown = (await html(text)).replace(/<a( \w+="[^"<>]*")+>|<\/a>/g, '')
      assert.equal(/[<>"]/.test(shown), false, shown)
    }
  })

  it('marks quoted lines and keeps lines apart', async () => {
    assert.equal(
      await html('> a < b\r\nc\n\n>d'),
      '<span class="quote">&gt; a &lt; b</span>\nc\n\n<span class="quote">&gt;d</span>',
    )
    assert.equal(await html('bug\n1'), 'bug\n1')
    assert.equal(await html(''), '')
  })

  it('keeps nothing', async () => {
    const bug = await silentBug(world)
    await html('x', world.edna, bug)
    assert.deepEqual(await readComments(world.edna, bug), [])
  })

  it('is refused without a text, with too much of it, and for a bug that is not there', async () => {
    const post = (body: object) => world.stan.post('/rest/bug/comment/render', body)
    assertRefused(await post({}), 400, 50)
    assertRefused(await post({ text: null }), 400, 50)
    assertRefused(await post({ text: ['x'] }), 400, 53)
    assertRefused(await post({ text: 'x'.repeat(65_536) }), 400, 114)
    assertRefused(await post({ text: 'x', id: await silentBug(world, 'security') }), 401, 102)
    assertRefused(await post({ text: 'x', id: 99_999_999 }), 404, 101)
    assertRefused(await post({ text: 'x', id: 'nonsense' }), 400, 100)
  })

  it('asks the database as often for a text full of references as for one of each', async () => {
    const id = await silentBug(world)
    const line = `bug ${id} attachment ${id} comment 1 a@b.example http://a.example/ `
    const few = await countQueries(world, () => html(line, world.nobody, id))
    const many = await countQueries(world, () => html(line.repeat(1000).slice(0, 65_000), world.nobody, id))
    assert.equal(many, few)
  })
})
