import assert from 'node:assert/strict'
import { it } from 'node:test'
import { attach, newFile } from '../support/attach.ts'
import { changeBug } from '../support/change-bug.ts'
import { readComments, say, silentBug } from '../support/discussion.ts'
import { fileBug, newBug, readBug } from '../support/file-bug.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnOneEngine, describeOnSqlite } from '../support/world.ts'

const flags = (comments: readonly { is_markdown: boolean }[]) => comments.map(({ is_markdown }) => is_markdown)

describeOnOneEngine('comments in Markdown', (world) => {
  const allowed = <Result>(work: () => Promise<Result>) => world.withParameters({ use_markdown: '1' }, work)

  it('are refused while the parameter is off, and leave nothing behind', async () => {
    const bug = await fileBug(world.edna, { description: 'plain' })
    const attempts = [
      await world.edna.post(`/rest/bug/${bug}/comment`, { comment: '*a*', is_markdown: true }),
      await world.edna.put(`/rest/bug/${bug}`, { comment: { body: '*a*', is_markdown: true }, priority: 'High' }),
      await world.edna.post('/rest/bug', newBug({ description: '*a*', is_markdown: true })),
      await world.edna.post(`/rest/bug/${bug}/attachment`, newFile({ comment: '*a*', is_markdown: true })),
    ]
    for (const attempt of attempts) assertRefused(attempt, 400, 140)
    assert.equal((await readComments(world.edna, bug)).length, 1)
    assert.notEqual((await readBug(world.edna, bug)).priority, 'High')
    await say(world.edna, bug, 'plain', { is_markdown: false })
  })

  it('are marked as such, and plain comments have the fields of Bugzilla alone', async () => {
    const bug = await allowed(async () => {
      const id = await fileBug(world.edna, { description: '# One', is_markdown: true })
      await say(world.rhea, id, '**two**', { is_markdown: true })
      await changeBug(world.edna, id, { comment: { body: '`three`', is_markdown: true }, priority: 'High' })
      await attach(world.edna, id, { comment: '*four*', is_markdown: true })
      await say(world.edna, id, '*plain*')
      return id
    })
    const comments = await readComments(world.nobody, bug)
    assert.deepEqual(flags(comments), [true, true, true, true, undefined])
    assert.equal('is_markdown' in comments[4], false)
    assert.equal(comments[1].text, '**two**')
    const { body } = await world.nobody.get(`/rest/bug/comment/${comments[2].id}?include_fields=is_markdown`)
    assert.deepEqual(body.comments, { [comments[2].id]: { is_markdown: true } })
    const exported = await readBug(world.nobody, bug, '?include_fields=comments')
    assert.deepEqual(exported.comments, comments)
  })

  it('are not mixed up in a change of several bugs, and in one that marks a duplicate', async () => {
    const [one, other, target] = [await fileBug(world.edna), await fileBug(world.edna), await fileBug(world.edna)]
    await allowed(async () => {
      const comment = { body: '*both*', is_markdown: true }
      await world.edna.put(`/rest/bug/${one}`, { ids: [one, other], comment })
      await changeBug(world.edna, one, { dupe_of: target, comment })
    })
    assert.deepEqual(flags(await readComments(world.edna, one)).slice(1), [true, true])
    assert.deepEqual(flags(await readComments(world.edna, other)).slice(1), [true])
    assert.deepEqual(flags(await readComments(world.edna, target)).slice(1), [undefined], 'the sentence of the tracker')
  })

  it('stay Markdown when the parameter is switched off', async () => {
    const bug = await allowed(() => fileBug(world.edna, { description: '*a*', is_markdown: true }))
    assert.deepEqual(flags(await readComments(world.edna, bug)), [true])
  })

  it('are found by their words, and are not in the history', async () => {
    const word = world.unique('lantern')
    const bug = await allowed(async () => {
      const id = await fileBug(world.edna)
      await say(world.edna, id, `## A **${word}**`, { is_markdown: true })
      return id
    })
    const { body } = await world.edna.get(
      `/rest/bug?quicksearch=${encodeURIComponent(`ALL content:${word}`)}&include_fields=id`,
    )
    assert.deepEqual(body.bugs, [{ id: bug }])
    const { body: history } = await world.edna.get(`/rest/bug/${bug}/history`)
    assert.deepEqual(history.bugs[0].history, [])
  })

  it('are plain text after their text was deleted', async () => {
    const bug = await allowed(() => fileBug(world.edna, { description: '*a*', is_markdown: true }))
    const [{ id }] = await readComments(world.edna, bug)
    await world.ada.delete(`/rest/bug/comment/${id}?reason=*why*`)
    const [left] = await readComments(world.edna, bug)
    assert.equal('is_markdown' in left, false)
  })

  it('take is_markdown only as yes or no', async () => {
    const bug = await fileBug(world.edna)
    const answer = await world.edna.post(`/rest/bug/${bug}/comment`, { comment: 'a', is_markdown: 'perhaps' })
    assertRefused(answer, 400, 53)
  })
})

describeOnSqlite('POST /rest/bug/comment/render with is_markdown', (world) => {
  const html = async (text: string, more: object = {}): Promise<string> => {
    const answer = await world.nobody.post('/rest/bug/comment/render', { text, is_markdown: true, ...more })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.html
  }

  it('renders Markdown, also while the parameter is off', async () => {
    assert.equal(await html('# A\n\n*b* `c<` ~~d~~'), '<h3>A</h3><p><em>b</em> <code>c&lt;</code> <s>d</s></p>')
    assert.equal(await html('- [x] a\n- b'), '<ul><li><input type="checkbox" disabled checked> a</li><li>b</li></ul>')
    assert.equal(
      await html('|a|\n|-:|\n|b|'),
      '<table><thead><tr><th class="right">a</th></tr></thead><tbody><tr><td class="right">b</td></tr></tbody></table>',
    )
    assert.equal(await html('```js\n<i>\n```'), '<pre><code>&lt;i&gt;</code></pre>')
    assert.equal(await html('*a*', { is_markdown: false }), '*a*')
  })

  it('links references outside of code and of links, to what the caller may see', async () => {
    const bug = await fileBug(world.edna, { summary: 'Dark' })
    const secret = await silentBug(world, 'security')
    const link = `<a class="bug" href="${world.url}/show_bug.cgi?id=${bug}" title="CONFIRMED - Dark">bug ${bug}</a>`
    assert.equal(await html(`*bug ${bug}* \`bug ${bug}\``), `<p><em>${link}</em> <code>bug ${bug}</code></p>`)
    assert.equal(await html(`bug ${secret}`), `<p>bug ${secret}</p>`)
    const rel = 'rel="nofollow noopener noreferrer"'
    assert.equal(
      await html(`[bug ${bug}](https://a.example/)`),
      `<p><a href="https://a.example/" ${rel}>bug ${bug}</a></p>`,
    )
    assert.equal(await html('[a](/bugs) [b](#c3)'), `<p><a href="${world.url}/bugs" ${rel}>a</a> b</p>`)
    const own = `<a href="${world.url}/show_bug.cgi?id=${bug}#c3" ${rel}>b</a>`
    assert.equal(await html('[b](#c3)', { id: bug }), `<p>${own}</p>`)
  })

  it('contains nothing that the author chose as HTML', async () => {
    const hostile = [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '[a](javascript:alert(1))',
      '![a](https://a.example/b.png"onerror="x)',
      '[a](https://b.example/"onclick="x)',
      '```"><script>\na\n```',
      '<https://a.example/"onclick="x>',
    ]
    for (const text of hostile) {
      const answer = await html(text)
      assert.doesNotMatch(answer, /<script|<img|href="javascript|"\s*on\w+=/, text)
    }
  })

  it('renders a text that is too long or too deep as plain text', async () => {
    assert.equal(await html(`${'>'.repeat(5000)} *a*`), `<span class="quote">${'&gt;'.repeat(5000)} *a*</span>`)
    assert.equal(await html(`${'a '.repeat(5000)}*b*`), `${'a '.repeat(5000)}*b*`)
  })
})
