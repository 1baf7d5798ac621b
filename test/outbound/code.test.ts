import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { deliver, headersOf, later, newSource, pullRequest, push, settled } from '../support/code-deliveries.ts'
import { fileBug } from '../support/file-bug.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { sampled } from '../support/sample.ts'
import { describeWithDelivery, itOnce, itOnOneEngine } from '../support/world.ts'

describeWithDelivery('code', (world) => {
  const codeOf = async (bug: number) => {
    const { body, text, status } = await world.nobody.get(`/rest/bug/${bug}/code`)
    assert.equal(status, 200, text)
    return body.code
  }

  it('shows a pull request with its state, as it changes', async () => {
    const bug = await fileBug(world.edna)
    const source = await newSource(world, 'github')
    const states: string[] = []
    const step = async (event: string, payload: object) => {
      assert.equal((await deliver(world, source, event, payload)).status, 202)
      await settled(world, source)
      const [link] = await codeOf(bug)
      states.push(`${link?.state} ${link?.checks}`)
      return link
    }
    const title = `Bug ${bug} - mend the kettle`
    await step('pull_request', pullRequest({ title, draft: true }))
    await step('pull_request', pullRequest({ title }))
    const review = (state: string) => ({ review: { state, user: { login: 'rita' } } })
    await step('pull_request_review', pullRequest({ title }, review('changes_requested')))
    await step('pull_request_review', pullRequest({ title }, review('commented')))
    await step('pull_request_review', pullRequest({ title }, review('approved')))
    const suite = { head_sha: 'a1'.repeat(20), status: 'completed', conclusion: 'failure', app: { slug: 'ci' } }
    const repository = { full_name: 'acme/kettle' }
    await step('check_suite', { check_suite: { ...suite, updated_at: later() }, repository })
    await step('check_suite', { check_suite: { ...suite, conclusion: 'success', updated_at: later() }, repository })
    // A new commit has not been checked.
    const link = await step('pull_request', pullRequest({ title, sha: 'c3'.repeat(20) }))
    assert.deepEqual(
      [link?.repository, link?.number, link?.author, link?.labels, link?.reviews, link?.source],
      ['acme/kettle', '7', 'octo', ['backend'], [{ user: 'rita', state: 'approved' }], source.name],
    )
    const found = async (query: string) =>
      (await world.nobody.get(`/rest/bug?id=${bug}&${query}` as '/rest/bug')).body.bugs.length
    assert.deepEqual(
      [await found('code_state=approved'), await found('open_changes=1'), await found('quicksearch=code:approved')],
      [1, 1, 1],
    )
    await step('pull_request', pullRequest({ title, state: 'closed', merged: true }))
    assert.deepEqual(states, [
      'draft unknown',
      'open unknown',
      'changes wanted unknown',
      'changes wanted unknown',
      'approved unknown',
      'approved failed',
      'approved passed',
      'approved unknown',
      'merged unknown',
    ])
    assert.deepEqual([await found('code_state=approved'), await found('open_changes=1')], [0, 0])
    const { body } = await world.nobody.get(`/rest/bug/${bug}?include_fields=code_state`)
    assert.deepEqual(body.bugs[0]?.code_state, ['merged'])
    const { pull_requests: pulls } = (await world.nobody.get(`/rest/githubpr/bug_pull_requests/${bug}`)).body
    assert.deepEqual([pulls[0]?.state, pulls[0]?.reviews], ['merged', [{ user: 'rita', state: 'APPROVED' }]])
    // No comment unless the source is set so.
    assert.equal((await world.edna.get(`/rest/bug/${bug}/comment`)).body.bugs[bug]?.comments.length, 1)
  })

  it('links and unlinks by the title, and deliveries in the wrong order change nothing', async () => {
    const [one, two] = [await fileBug(world.edna), await fileBug(world.edna)]
    const source = await newSource(world, 'forgejo')
    const [t1, t2, t3] = [later(), later(), later()]
    await deliver(world, source, 'pull_request', pullRequest({ title: `fixes bug ${one}`, at: t1 }))
    await deliver(
      world,
      source,
      'pull_request',
      pullRequest({ title: `bug ${two}`, state: 'closed', merged: true, at: t3 }),
    )
    await deliver(world, source, 'pull_request', pullRequest({ title: `fixes bug ${one}`, body: 'late', at: t2 }))
    await settled(world, source)
    assert.deepEqual(await codeOf(one), [])
    assert.deepEqual(
      (await codeOf(two)).map(({ state }) => state),
      ['merged'],
    )
    // Nor does a later one open it again.
    await deliver(world, source, 'pull_request', pullRequest({ title: `bug ${two}, bug ${one}` }))
    await settled(world, source)
    assert.deepEqual(
      (await codeOf(two)).map(({ state }) => state),
      ['merged'],
    )
    assert.deepEqual(
      (await codeOf(one)).map(({ state }) => state),
      ['merged'],
    )
    await deliver(world, source, 'pull_request', pullRequest({ title: 'of no bug' }))
    await settled(world, source)
    assert.deepEqual([...(await codeOf(one)), ...(await codeOf(two))], [])
  })

  it('resolves what a merge fixes, with the rights and in the name of its account', async () => {
    const { name: product } = await newProduct(world)
    const [fixed, named] = [await fileBug(world.edna, { product, component: 'Core' }), await fileBug(world.edna)]
    const bot = await world.newUser({ groups: { set: ['editbugs'] } })
    await world.ada.put(`/rest/user/${bot.id}`, { groups: { add: ['editbugs'] } })
    const source = await newSource(world, 'github', {
      user: bot.login,
      resolves: 'words',
      comments: 'commits',
      products: [product],
    })
    const pull = { title: 'Better steam', body: `Closes: #${fixed}\nsee bug ${named}` }
    await deliver(world, source, 'pull_request', pullRequest(pull))
    await settled(world, source)
    assert.equal((await world.edna.get(`/rest/bug/${fixed}`)).body.bugs[0]?.is_open, true)
    await deliver(world, source, 'pull_request', pullRequest({ ...pull, state: 'closed', merged: true }))
    // A commit of another product changes nothing, and one that is pushed again neither.
    await deliver(world, source, 'push', push(`Bug ${fixed} - mend\n\nfixes ${named}`))
    await deliver(world, source, 'push', { ...push(`Bug ${fixed} - mend\n\nfixes ${named}`), pusher: 'again' })
    await deliver(world, source, 'push', push(`Bug ${fixed}`, { id: 'd4'.repeat(20), ref: 'refs/heads/topic' }))
    await settled(world, source)
    const { status, resolution } = (await world.edna.get(`/rest/bug/${fixed}`)).body.bugs[0]
    assert.deepEqual([status, resolution], ['RESOLVED', 'FIXED'])
    assert.equal((await world.edna.get(`/rest/bug/${named}`)).body.bugs[0]?.is_open, true)
    const comments = (await world.edna.get(`/rest/bug/${fixed}/comment`)).body.bugs[fixed]?.comments ?? []
    assert.deepEqual(
      comments.slice(1).map(({ creator, text }) => `${creator}: ${text.split('\n')[0]}`),
      [
        `${bot.login}: Merged into acme/kettle (main) by octo:`,
        `${bot.login}: Pushed to acme/kettle (main) by Olga Octo:`,
      ],
    )
    assert.deepEqual(
      (await codeOf(fixed)).map(({ kind, state }) => `${kind} ${state}`),
      ['change merged', 'commit merged'],
    )
    // An account that may not edit the bug links, and resolves nothing.
    const weak = await world.newUser()
    const other = await fileBug(world.edna)
    const weakSource = await newSource(world, 'github', { user: weak.login, resolves: 'always' })
    await deliver(world, weakSource, 'push', push(`Bug ${other}`))
    const [delivery] = await settled(world, weakSource)
    assert.match(delivery?.note ?? '', /^new links: 1; refused: \w+$/)
    assert.equal((await world.edna.get(`/rest/bug/${other}`)).body.bugs[0]?.is_open, true)
    // A disabled account does nothing.
    await world.ada.put(`/rest/user/${weak.id}`, { login_denied_text: 'Left' })
    await deliver(world, weakSource, 'push', push(`Bug ${other}`, { id: 'e5'.repeat(20) }))
    assert.equal((await settled(world, weakSource))[0]?.outcome, 'stopped')
    assert.equal((await codeOf(other)).length, 1)
  })

  it('tells the sender nothing about hidden bugs, and links none that its account does not see', async () => {
    const hidden = await newHiddenProduct(world)
    const secret = await fileBug(world.sven, { product: hidden.name, component: 'Core' })
    const open = await fileBug(world.edna)
    const source = await newSource(world, 'github', { user: 'edna@lacewing.test', comments: 'all', resolves: 'always' })
    const replies = []
    for (const [index, bug] of [secret, 999_999, open].entries())
      replies.push(
        await deliver(world, source, 'pull_request', pullRequest({ number: index + 1, title: `Bug ${bug}` })),
      )
    assert.deepEqual(
      replies.map(({ status, text }) => `${status} ${text}`),
      Array(3).fill('202 {"accepted":true}'),
    )
    const headers = replies.map(({ headers }) =>
      [...headers.keys()]
        .filter((name) => name !== 'date')
        .sort()
        .join(),
    )
    assert.equal(new Set(headers).size, 1)
    const notes = (await settled(world, source)).map(({ outcome, note }) => `${outcome}: ${note}`)
    assert.deepEqual(notes.slice(1), Array(2).fill('left out: bugs that the source may not link: 1'))
    assert.equal((await world.sven.get(`/rest/bug/${secret}/code`)).body.code.length, 0)
    for (const bug of [secret, 999_999]) {
      const { status } = await world.nobody.get(`/rest/bug/${bug}/code` as '/rest/bug/1/code')
      assert.equal(status, (await world.nobody.get(`/rest/bug/${bug}` as '/rest/bug/1')).status)
    }
  })

  it('takes each delivery once, also two at the same moment', async () => {
    const bug = await fileBug(world.edna)
    const source = await newSource(world, 'github', { comments: 'all' })
    const payload = JSON.stringify(push(`Bug ${bug} - once`))
    const replies = await Promise.all([1, 2, 3].map(() => deliver(world, source, 'push', payload)))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [202, 409, 409])
    // The id of a delivery is not signed, so that another one does not make it new.
    const again = await deliver(world, source, 'push', payload, { 'X-GitHub-Delivery': 'another' })
    assertRefused(again, 409, 32000)
    await settled(world, source)
    assert.equal((await codeOf(bug)).length, 1)
    assert.equal((await world.edna.get(`/rest/bug/${bug}/comment`)).body.bugs[bug]?.comments.length, 2)
    // Two sources that name one bug at once both link it.
    const other = await newSource(world, 'forgejo', { comments: 'all' })
    await Promise.all([
      deliver(world, source, 'push', push(`Bug ${bug}`, { id: '1'.repeat(40) })),
      deliver(world, other, 'push', push(`Bug ${bug}`, { id: '2'.repeat(40) })),
    ])
    await settled(world, source)
    await settled(world, other)
    assert.equal((await codeOf(bug)).length, 3)
  })

  itOnOneEngine(world, 'reads GitLab, Gerrit and plain git', async () => {
    const bug = await fileBug(world.edna)
    const gitlab = await newSource(world, 'gitlab')
    const project = { path_with_namespace: 'acme/kettle', default_branch: 'main' }
    const request = (attributes: object) => ({
      object_kind: 'merge_request',
      user: { username: 'gil' },
      project,
      object_attributes: {
        iid: 4,
        title: `Draft: Bug ${bug}`,
        state: 'opened',
        url: 'https://gitlab.com/acme/kettle/-/merge_requests/4',
        last_commit: { id: 'f6'.repeat(20) },
        updated_at: later().replace('T', ' ').replace('Z', ' UTC'),
        ...attributes,
      },
    })
    const states: string[] = []
    const step = async (source: typeof gitlab, event: string, payload: object) => {
      const { status, text } = await deliver(world, source, event, payload)
      assert.equal(status, 202, text)
      await settled(world, source)
      const link = (await codeOf(bug)).find((it) => it.source === source.name)
      states.push(`${link?.number} ${link?.state} ${link?.checks}`)
    }
    await step(gitlab, 'Merge Request Hook', request({ action: 'open', draft: true }))
    await step(gitlab, 'Merge Request Hook', request({ action: 'approved' }))
    const pipeline = { sha: 'f6'.repeat(20), status: 'running', created_at: later() }
    await step(gitlab, 'Pipeline Hook', { object_kind: 'pipeline', object_attributes: pipeline, project })
    await step(gitlab, 'Merge Request Hook', request({ action: 'unapproved' }))
    await step(gitlab, 'Merge Request Hook', request({ action: 'merge', state: 'merged' }))

    const gerrit = await newSource(world, 'gerrit')
    const event = (type: string, change: object = {}, more: object = {}) => ({
      type,
      change: {
        project: 'kettle',
        branch: 'main',
        number: 42,
        subject: `Bug ${bug}: steam`,
        owner: { username: 'gerda' },
        url: 'https://review.example/c/kettle/+/42',
        commitMessage: `Bug ${bug}: steam\n\nChange-Id: I1`,
        status: 'NEW',
        ...change,
      },
      patchSet: { revision: '9a'.repeat(20) },
      eventCreatedOn: Math.floor(Date.parse(later()) / 1000),
      ...more,
    })
    await step(gerrit, '', event('patchset-created', { wip: true }))
    const approvals = [
      { type: 'Code-Review', value: '2' },
      { type: 'Verified', value: '-1' },
    ]
    await step(gerrit, '', event('comment-added', {}, { approvals, author: { username: 'rob' } }))
    await step(gerrit, '', event('change-abandoned', { status: 'ABANDONED' }))
    await step(gerrit, '', event('change-merged', { status: 'MERGED' }))

    const git = await newSource(world, 'git')
    const commits = [{ id: '7b'.repeat(20), message: `Bug ${bug}`, author: 'Gus', at: later() }]
    await step(git, '', { repository: 'kettle', branch: 'main', commits })
    assert.deepEqual(states, [
      '4 draft unknown',
      '4 approved unknown',
      '4 approved running',
      '4 open running',
      '4 merged running',
      '42 draft unknown',
      '42 approved failed',
      '42 closed failed',
      '42 merged failed',
      '7b7b7b7b7b7b merged unknown',
    ])
  })

  it('reads the revisions of Phabricator by its API, and writes back about public bugs', async (test) => {
    const bug = await fileBug(world.edna)
    const revision = {
      id: 12,
      fields: {
        title: `Bug ${bug} - steam`,
        uri: 'https://phab.example/D12',
        status: { value: 'accepted' },
        dateModified: 1_767_225_600,
      },
    }
    const received: string[] = []
    const api = createServer((request, response) => {
      received.push(request.url ?? '')
      const isSearch = request.url === '/api/differential.revision.search'
      response.end(JSON.stringify({ result: isSearch ? { data: [revision] } : {}, error_code: null }))
    })
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
    test.after(() => {
      api.close()
      api.closeAllConnections()
    })
    const { port } = api.address() as AddressInfo
    const payload = { object: { type: 'DREV', phid: 'PHID-DREV-abc' }, action: { epoch: 1 }, transactions: [] }
    const source = await newSource(world, 'phabricator')
    await deliver(world, source, '', payload)
    const [without] = await settled(world, source)
    assert.deepEqual([without?.outcome, without?.note], ['failed', 'the source has no address of its API'])
    const set = {
      api_address: `http://127.0.0.1:${port}/api`,
      api_token: 'api-token-of-the-source',
      links_back: true,
    }
    await world.ada.put(`/rest/admin/code/${source.name}`, set)
    // What failed may be sent again. The address is internal, so that it is not reached until an administrator allows it.
    assert.equal((await deliver(world, source, '', payload)).status, 202)
    assert.match((await settled(world, source))[0]?.note ?? '', /not a public one/)
    await world.withParameters({ webhook_networks: '127.0.0.0/8' }, async () => {
      assert.equal((await deliver(world, source, '', payload)).status, 202)
      await settled(world, source)
      const { body } = await world.nobody.get(`/rest/phabbugz/bug_revisions/${bug}`)
      assert.deepEqual(
        body.revisions.map(({ id, status }) => [id, status]),
        [['D12', 'accepted']],
      )
      const isWritten = () => received.includes('/api/differential.revision.edit')
      for (let tries = 0; tries < 300 && !isWritten(); tries++) await sleep(20)
      assert.ok(isWritten())
    })
  })

  itOnOneEngine(world, 'refuses whoever does not prove to be the source, with one and the same error', async () => {
    const bug = await fileBug(world.edna)
    for (const kind of ['github', 'gitlab', 'forgejo', 'gerrit', 'phabricator', 'git']) {
      const source = await newSource(world, kind)
      const text = JSON.stringify(push(`Bug ${bug}`))
      const good = headersOf(source, 'push', text)
      const [proof = ''] = Object.keys(good).filter((name) => !/event/i.test(name))
      const refused = [
        await deliver(world, { ...source, secret: `${source.secret}x` }, 'push', text),
        await deliver(world, { ...source, name: 'none' }, 'push', text),
        await deliver(world, source, 'push', text, { [proof]: '' }),
        await deliver(world, source, 'push', text, { [proof]: `sha256=${'0'.repeat(64)}` }),
        await world.ada.send('POST', `/rest/code/${source.name}` as '/rest/code/x', text, {}),
      ]
      if (!['gitlab', 'gerrit'].includes(kind))
        refused.push(await world.nobody.send('POST', `/rest/code/${source.name}` as '/rest/code/x', `${text} `, good))
      await world.ada.put(`/rest/admin/code/${source.name}`, { networks: ['192.0.2.0/24'] })
      refused.push(await deliver(world, source, 'push', text))
      await world.ada.put(`/rest/admin/code/${source.name}`, { networks: ['127.0.0.1'], is_active: false })
      refused.push(await deliver(world, source, 'push', text))
      for (const reply of refused) assertRefused(reply, 401, 32000)
      assert.equal(new Set(refused.map(({ text }) => text)).size, 1, kind)
    }
    assert.deepEqual(await codeOf(bug), [])
    // Gerrit cannot send a header, so the secret may be in the address, and GitLab can sign.
    const gerrit = await newSource(world, 'gerrit')
    const path = `/rest/code/${gerrit.name}?secret=${gerrit.secret}` as '/rest/code/x'
    assert.equal((await world.nobody.send('POST', path, '{}')).status, 202)
    const gitlab = await newSource(world, 'gitlab', { secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` })
    const signed = (seconds: number, text: string) => ({
      'webhook-id': 'm1',
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1,${createHmac('sha256', Buffer.alloc(32, 7)).update(`m1.${seconds}.${text}`).digest('base64')}`,
    })
    const now = Math.floor(Date.now() / 1000)
    const address = `/rest/code/${gitlab.name}` as '/rest/code/x'
    assert.equal((await world.nobody.send('POST', address, '{"a":1}', signed(now, '{"a":1}'))).status, 202)
    assertRefused(await world.nobody.send('POST', address, '{"a":2}', signed(now - 900, '{"a":2}')), 401, 32000)
    assertRefused(await world.nobody.send('POST', address, '{"a":3}', signed(now, '{"a":1}')), 401, 32000)
  })

  itOnce(world, 'takes payloads of every form without a fault', async () => {
    const bug = await fileBug(world.edna)
    const long = 'x'.repeat(1_000_000)
    const odd: unknown[] = [null, 7, true, [], {}, '\u202e\u0007\n', long, { toString: 1 }, ['a', { b: 1 }], -1e308]
    for (const kind of ['github', 'gitlab', 'forgejo', 'gerrit', 'phabricator', 'git']) {
      const source = await newSource(world, kind)
      const right = {
        ...pullRequest({ title: `Bug ${bug}` }),
        object_kind: 'merge_request',
        object_attributes: { iid: 1, title: `Bug ${bug}`, state: 'opened' },
        project: { path_with_namespace: 'a/b' },
        change: { project: 'a', number: 1, subject: `Bug ${bug}`, status: 'NEW' },
        object: { type: 'DREV', phid: 'PHID-DREV-a' },
      }
      const cases = Object.keys(right).flatMap((name) => odd.map((value) => ({ ...right, [name]: value })))
      for (const [name, part] of [
        ['pull_request', right.pull_request],
        ['change', right.change],
      ] as const)
        for (const inner of Object.keys(part))
          for (const value of odd) cases.push({ ...right, [name]: { ...part, [inner]: value } })
      for (const [index, payload] of sampled(cases, 40).entries()) {
        const { status, text } = await deliver(world, source, 'pull_request', { ...payload, index })
        assert.ok([202, 400].includes(status), `${kind}: ${status} ${text}`)
      }
      for (const text of [
        '',
        '[]',
        '"x"',
        '{',
        '{"a":'.repeat(100_000),
        '\u0000',
        '{"__proto__":{"object_kind":"push"}}',
      ])
        assert.ok([202, 400].includes((await deliver(world, source, 'push', text)).status), text.slice(0, 20))
      await settled(world, source)
    }
    for (const link of await codeOf(bug)) {
      assert.ok(link.title.length <= 300 && !/[\p{Cc}\p{Cf}]/u.test(link.title))
      assert.ok(link.url === '' || /^https?:\/\//.test(link.url), link.url)
    }
    const big = await newSource(world, 'git')
    assertRefused(await deliver(world, big, 'push', JSON.stringify({ a: 'x'.repeat(4 * 1024 * 1024) })), 413, 32000)
  })

  itOnOneEngine(world, 'are set up by administrators, who never read a secret again', async () => {
    const source = await newSource(world, 'github', { api_token: 'the-token-of-the-source' })
    const path = `/rest/admin/code/${source.name}` as '/rest/admin/code/x'
    for (const client of [world.edna, world.rhea]) {
      for (const verb of ['get', 'delete'] as const) assertRefused(await client[verb](path), 401, 304)
      for (const it of [
        await client.put(path),
        await client.post('/rest/admin/code'),
        await client.get('/rest/admin/code'),
      ])
        assertRefused(it, 401, 304)
    }
    assertRefused(await world.nobody.get(path), 401, 410)
    const { body, text } = await world.ada.get(path)
    assert.deepEqual([body.sources[0]?.has_token, body.sources[0]?.resolves], [true, 'never'])
    const changed = await world.ada.put(path, {
      secret: 'a-new-secret-for-it',
      resolves: 'words',
      products: [],
      api_token: '',
    })
    assert.deepEqual(changed.body.sources[0]?.changes, {
      resolves: { removed: 'never', added: 'words' },
      secret: { removed: '********', added: '********' },
      api_token: { removed: '********', added: '' },
    })
    const audit = await world.ada.get('/rest/audit?class=CodeSource' as '/rest/audit')
    for (const it of [text, changed.text, audit.text])
      for (const secret of [source.secret, 'a-new-secret-for-it', 'the-token-of-the-source'])
        assert.ok(!it.includes(secret))
    const wrong: [Record<string, unknown>, number][] = [
      [{ name: 'a/b' }, 53],
      [{ name: '' }, 50],
      [{ name: source.name }, 53],
      [{ kind: 'svn' }, 53],
      [{ user: 'nobody@lacewing.test' }, 51],
      [{ secret: 'short' }, 53],
      [{ api_address: 'file:///etc/passwd' }, 53],
      [{ api_address: 'https://a:b@c.example/' }, 53],
      [{ repositories: ['a b'] }, 53],
      [{ networks: ['10.0.0.0/99'] }, 53],
      [{ link_words: ['.*'] }, 53],
      [{ resolves: 'maybe' }, 53],
      [{ resolve_status: 'NEW' }, 53],
      [{ resolve_resolution: 'DUPLICATE' }, 53],
      [{ products: ['None'] }, 51],
      [{ unknown: 1 }, 53],
    ]
    for (const [more, code] of wrong) {
      const reply = await world.ada.post('/rest/admin/code', {
        name: world.unique('s'),
        kind: 'github',
        user: 'edna@lacewing.test',
        ...more,
      })
      assert.ok(reply.status >= 400 && reply.status < 500, reply.text)
      if (code !== 53) assert.equal(reply.body.code, code, reply.text)
    }
    const test = await world.ada.post(`/rest/admin/code/${source.name}/test`)
    assert.equal(test.body.is_good, false, test.text)
    assert.equal((await world.ada.delete(path)).status, 200)
    assertRefused(await world.ada.get(path), 404, 51)
  })
})
