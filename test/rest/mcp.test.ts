import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { TOOLS } from '../../shared/mcp/tools.ts'
import { cast } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { GENERATIONS, McpClient } from '../support/mcp-client.ts'
import { describeOnOneEngine, describeOnSqlite } from '../support/world.ts'

describeOnOneEngine('MCP', (world) => {
  let agent: McpClient
  before(async () => {
    agent = await McpClient.connect(world, cast.edna.apiKey)
  })
  after(() => agent.close())

  it('finds bugs, page by page', async () => {
    for (let number = 0; number < 5; number++) await fileBug(world.edna, { summary: `Paged antenna ${number}` })
    const first = await agent.call('search_bugs', { quicksearch: 'antenna', order: 'bug_id', limit: 2 })
    assert.equal(first.data.bugs.length, 2)
    assert.equal(first.data.total, 5)
    assert.deepEqual(first.structured.next, { offset: 2 })
    const last = await agent.call('search_bugs', { quicksearch: 'antenna', order: 'bug_id', limit: 2, offset: 4 })
    assert.deepEqual(
      [last.data.bugs.map(({ summary }: { summary: string }) => summary), last.structured.next],
      [['Paged antenna 4'], undefined],
    )
    const { bugs } = await agent.data('search_bugs', {
      product: ['TestProduct'],
      summary: ['antenna'],
      status: ['__open__'],
    })
    assert.equal(bugs.length, 5)
    assert.deepEqual(Object.keys(bugs[0]).sort(), [
      'assigned_to',
      'component',
      'id',
      'last_change_time',
      'priority',
      'product',
      'resolution',
      'severity',
      'status',
      'summary',
      'type',
    ])
  })

  it('reads a bug: fields, comments, history, attachments', async () => {
    const id = await fileBug(world.edna, { summary: 'Read me', description: 'The lamp flickers' })
    await world.edna.post(`/rest/bug/${id}/comment`, { comment: 'It does' })
    await world.edna.put(`/rest/bug/${id}`, { priority: 'High' })
    const data = Buffer.from('line one\nline two').toString('base64')
    await world.edna.post(`/rest/bug/${id}/attachment`, {
      data,
      file_name: 'a.log',
      summary: 'log',
      content_type: 'text/plain',
    })
    const parts = ['fields', 'comments', 'history', 'attachments']
    const read = await agent.data('get_bug', { bug: id, parts })
    assert.equal(read.bug.summary, 'Read me')
    assert.deepEqual(
      read.comments.slice(0, 2).map(({ text }: { text: string }) => text),
      ['The lamp flickers', 'It does'],
    )
    assert.deepEqual([read.comment_count, read.change_count], [3, 1])
    assert.ok(
      read.history.some(({ changes }: { changes: { field_name: string }[] }) => changes[0]?.field_name === 'priority'),
    )
    assert.deepEqual([read.attachments.length, read.attachments[0].data], [1, undefined])
    const attachment = await agent.data('get_attachment', { attachment: read.attachments[0].id })
    assert.deepEqual([attachment.text, attachment.text_length], ['line one\nline two', 17])
  })

  it('reads long discussions and long comments in parts', async () => {
    const id = await fileBug(world.edna, { description: 'The description' })
    for (let number = 1; number <= 14; number++)
      await world.edna.post(`/rest/bug/${id}/comment`, {
        comment: number === 3 ? 'x'.repeat(7000) : `Comment ${number}`,
      })
    const counts = ({ comments }: { comments: { count: number }[] }) => comments.map(({ count }) => count)
    const first = await agent.call('get_bug', { bug: id, parts: ['comments'] })
    assert.deepEqual(counts(first.data), [0, 6, 7, 8, 9, 10, 11, 12, 13, 14])
    assert.deepEqual([first.data.comment_count, first.structured.next], [15, { comments_from: 1 }])
    const second = await agent.call('get_bug', { bug: id, parts: ['comments'], comments_from: 1 })
    assert.deepEqual(counts(second.data), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    assert.deepEqual(second.structured.next, { comments_from: 11 })
    const [, , long] = second.data.comments
    assert.deepEqual([long.text.length, long.text_length], [3000, 7000])
    const rest = await agent.data('get_bug', {
      bug: id,
      parts: ['comments'],
      comments_from: 3,
      comments_count: 1,
      text_from: 6000,
    })
    assert.deepEqual([rest.comments.length, rest.comments[0].text.length], [1, 1000])
    const last = await agent.call('get_bug', { bug: id, parts: ['comments'], comments_from: 11 })
    assert.deepEqual([counts(last.data), last.structured.next], [[11, 12, 13, 14], undefined])
  })

  it('looks for duplicates and products, and counts', async () => {
    const id = await fileBug(world.edna, { summary: 'The periscope leaks at depth' })
    const { bugs } = await agent.data('find_duplicates', { summary: 'periscope leaks' })
    assert.ok(bugs.some((bug: { id: number }) => bug.id === id))
    const { products } = await agent.data('get_product')
    assert.ok(products.some(({ name }: { name: string }) => name === 'TestProduct'))
    const { product, values } = await agent.data('get_product', { product: 'TestProduct' })
    assert.equal(product.components[0].name, 'TestComponent')
    assert.ok(
      values.bug_severity.includes('normal') && values.priority.length > 0 && values.bug_type.includes('defect'),
    )
    const counted = await agent.data('count_bugs', { by: 'product', and_by: 'status', quicksearch: 'periscope' })
    assert.deepEqual(counted, { total: 1, counts: [{ by: 'TestProduct', and_by: 'CONFIRMED', bugs: 1 }] })
    assert.deepEqual(await agent.data('count_bugs', { quicksearch: 'periscope' }), { total: 1 })
  })

  it('files a bug once for each request_id, comments and attaches', async () => {
    const bug = {
      product: 'TestProduct',
      component: 'TestComponent',
      summary: 'Filed by an agent',
      description: 'Seen it',
    }
    const first = await agent.call('file_bug', { ...bug, request_id: 'one' })
    const again = await agent.call('file_bug', { ...bug, request_id: 'one' })
    assert.equal(first.structured.is_done, true)
    assert.equal(again.data.id, first.data.id)
    assert.equal(first.data.url, `${world.url}/bug/${first.data.id}`)
    assert.match(first.text, /^Filed as bug \d+\.\n/)
    const comment = await agent.data('add_comment', { bug: first.data.id, comment: 'Also here' })
    const attached = await agent.data('attach_file', {
      bug: first.data.id,
      file_name: 'ünï.txt',
      summary: 'text',
      text: 'Ünïcode ✓'.repeat(3000),
    })
    const { body } = await world.edna.get(`/rest/bug/${first.data.id}/comment`)
    assert.ok(body.bugs[String(first.data.id)]?.comments.some(({ id }) => id === comment.id))
    const { text } = await agent.data('get_attachment', { attachment: attached.id })
    assert.equal(text, 'Ünïcode ✓'.repeat(3000).slice(0, 12_000))
    const bytes = Buffer.from([0, 1, 2, 255]).toString('base64')
    const binary = await agent.data('attach_file', {
      bug: first.data.id,
      file_name: 'a.bin',
      summary: 'x',
      base64: bytes,
    })
    const unread = await agent.call('get_attachment', { attachment: binary.id })
    assert.deepEqual([unread.data.text, unread.data.attachment.size], [undefined, 4])
  })

  it('changes a bug in two steps, and only what was tried, as it was tried', async () => {
    const id = await fileBug(world.edna, { summary: 'Change me' })
    const change = { bug: id, changes: { priority: 'Low', keywords: { add: [] } }, comment: 'Not so important' }
    const before = (await world.edna.get(`/rest/bug/${id}`)).body.bugs[0]
    const tried = await agent.call('change_bug', change)
    assert.equal(tried.structured.is_done, false)
    assert.equal(tried.data.changes.priority.added, 'Low')
    assert.equal((await world.edna.get(`/rest/bug/${id}`)).body.bugs[0].priority, before.priority, 'nothing is changed')

    const { confirm } = tried.structured
    const other = await agent.call('change_bug', { ...change, changes: { priority: 'High' }, confirm })
    assert.ok(other.isError && /does not belong/.test(other.data.message))
    for (const wrong of ['x', 'x.y', `${confirm}x`, '.'])
      assert.ok((await agent.call('change_bug', { ...change, confirm: wrong })).isError)
    const done = await agent.call('change_bug', {
      ...change,
      changes: { keywords: { add: [] }, priority: 'Low' },
      confirm,
    })
    assert.equal(done.structured.is_done, true, done.text)
    assert.equal((await world.edna.get(`/rest/bug/${id}`)).body.bugs[0].priority, 'Low')
    const again = await agent.call('change_bug', { ...change, confirm })
    assert.ok(again.isError && again.data.message.includes('was changed since'), again.text)

    const second = await agent.call('change_bug', { bug: id, changes: { severity: 'minor' } })
    await world.ada.put(`/rest/bug/${id}`, { whiteboard: 'meanwhile' })
    const late = await agent.call('change_bug', {
      bug: id,
      changes: { severity: 'minor' },
      confirm: second.structured.confirm,
    })
    assert.equal(late.data.code, 412)
  })

  it('has the bugs and the searches of the user as resources', async () => {
    const id = await fileBug(world.edna, { summary: 'A resourceful bug' })
    const { body: saved } = await world.edna.post('/rest/saved_search', {
      name: 'Resourceful',
      query: 'short_desc=resourceful',
    })
    await world.ada.post('/rest/saved_search', { name: 'Of Ada', query: 'x=y', shared_with: 'editbugs' })
    const { resources } = await agent.sdk.listResources()
    const own = resources.filter(({ title }) => title?.includes('Resourceful'))
    assert.deepEqual(
      own.map(({ uri }) => uri),
      [`lacewing://saved-search/${saved.id}`],
    )
    assert.ok(!JSON.stringify(resources).includes('Of Ada'), 'names that others chose are not listed')
    const { resourceTemplates } = await agent.sdk.listResourceTemplates()
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      ['lacewing://bug/{bug}', 'lacewing://search/{quicksearch}'],
    )
    for (const uri of [
      `lacewing://bug/${id}`,
      'lacewing://search/resourceful',
      `lacewing://saved-search/${saved.id}`,
    ]) {
      const [content] = (await agent.sdk.readResource({ uri })).contents
      const text = String((content as { text?: string }).text)
      assert.match(text, /<untrusted-data-[0-9a-f]{16}>\n.*A resourceful bug.*\n<\/untrusted-data/s, uri)
    }
    for (const uri of [
      'lacewing://bug/999999',
      'lacewing://saved-search/999999',
      'lacewing://x/1',
      'file:///etc/passwd',
    ])
      await assert.rejects(agent.sdk.readResource({ uri }), uri)
  })

  it('acts with the rights of its user: hidden bugs, comments and attachments are nowhere', async () => {
    const group = await world.newGroup()
    await world.ada.put(`/rest/user/${cast.ada.login}`, { groups: { add: [group.name] } })
    await world.ada.put(`/rest/product/TestProduct/group_control/${group.name}`, {
      membercontrol: 'Shown',
      othercontrol: 'NA',
    })
    const id = await fileBug(world.ada, { summary: 'Zebrafish secret', groups: [group.name] })
    const shown = await fileBug(world.ada, { summary: 'Zebrafish shown', depends_on: [id] })
    const data = Buffer.from('zebrafish').toString('base64')
    const { body } = await world.ada.post(`/rest/bug/${id}/attachment`, {
      data,
      file_name: 'z.txt',
      summary: 'zebrafish',
      content_type: 'text/plain',
    })
    const found = await agent.call('search_bugs', { quicksearch: 'zebrafish' })
    assert.deepEqual([found.data.bugs.map((bug: { id: number }) => bug.id), found.data.total], [[shown], 1])
    assert.deepEqual(await agent.data('count_bugs', { quicksearch: 'zebrafish' }), { total: 1 })
    const counted = await agent.data('count_bugs', { quicksearch: 'zebrafish', by: 'product' })
    assert.equal(counted.total, 1)
    const similar = await agent.data('find_duplicates', { summary: 'Zebrafish secret' })
    assert.ok(!similar.bugs.some((bug: { id: number }) => bug.id === id))
    assert.deepEqual((await agent.data('get_bug', { bug: shown })).bug.depends_on, [])
    const missing = await agent.call('get_bug', { bug: 999_999 })
    const refusals = [
      await agent.call('get_bug', { bug: id }),
      await agent.call('get_bug', { bug: id, parts: ['comments'] }),
      await agent.call('get_bug', { bug: id, parts: ['history'] }),
      await agent.call('get_bug', { bug: id, parts: ['attachments'] }),
      await agent.call('add_comment', { bug: id, comment: 'x' }),
      await agent.call('change_bug', { bug: id, changes: { priority: 'Low' } }),
      await agent.call('attach_file', { bug: id, file_name: 'x', summary: 'x', text: 'x' }),
      await agent.call('get_attachment', { attachment: body.ids[0] }),
      await agent.call('find_duplicates', { bug: id }),
    ]
    assert.ok(missing.isError)
    for (const refused of refusals) {
      assert.ok(refused.isError, refused.text)
      assert.ok(!/zebrafish/i.test(refused.text), refused.text)
    }
    await assert.rejects(agent.sdk.readResource({ uri: `lacewing://bug/${id}` }))
  })
})

describeOnSqlite('MCP in both generations of the protocol', (world) => {
  for (const generation of GENERATIONS)
    describe(generation, () => {
      it('lists tools with schemas, annotations and the warning', async () => {
        const agent = await McpClient.connect(world, cast.edna.apiKey, generation)
        const { tools } = await agent.sdk.listTools()
        assert.deepEqual(
          tools.map(({ name }) => name),
          TOOLS.map(({ name }) => name),
        )
        for (const { name, description = '', annotations, inputSchema, outputSchema } of tools) {
          const isRead = /^(search|get|find|count)_/.test(name)
          assert.match(description, /never instructions/, name)
          assert.equal(annotations?.readOnlyHint, isRead, name)
          assert.equal(annotations?.destructiveHint, name === 'change_bug', name)
          assert.equal(annotations?.idempotentHint, isRead || name === 'change_bug', name)
          assert.equal(inputSchema.additionalProperties, false, name)
          assert.deepEqual(outputSchema?.required, ['notice', 'untrusted_data', 'is_cut'], name)
        }
        assert.ok(JSON.stringify(tools).length < 36_000, `${JSON.stringify(tools).length} characters`)
        assert.match(agent.sdk.getInstructions() ?? '', /never instructions/)
        assert.equal(agent.sdk.getServerVersion()?.name, 'lacewing')
        await agent.close()
      })

      it('answers a tool, an unknown tool and wrong arguments', async () => {
        const agent = await McpClient.connect(world, cast.edna.apiKey, generation)
        const id = await fileBug(world.edna, { summary: 'Generations' })
        assert.equal((await agent.data('get_bug', { bug: String(id) })).bug.summary, 'Generations')
        await assert.rejects(agent.sdk.callTool({ name: 'drop_tables', arguments: {} }), { code: -32602 })
        const wrong = [
          {},
          { bug: 1, x: 2 },
          { bug: [1] },
          { bug: 1, parts: ['everything'] },
          { bug: 1, comments_count: 21 },
          { bug: 'x'.repeat(101) },
          { bug: 1, parts: Array.from({ length: 3000 }, () => 'fields') },
        ]
        for (const args of wrong) {
          const { isError, text } = await agent.call('get_bug', args)
          assert.ok(isError && text.startsWith('Wrong arguments for get_bug'), text.slice(0, 200))
        }
        await agent.close()
      })
    })
})
