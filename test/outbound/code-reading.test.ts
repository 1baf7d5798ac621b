import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it, type TestContext } from 'node:test'
import { deliver, headersOf, later, newSource, pullRequest, push, settled } from '../support/code-deliveries.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { newHiddenProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { until } from '../support/until.ts'
import { describeDeliveryOnOneEngine, describeWithDelivery, itOnce, itOnOneEngine } from '../support/world.ts'

const LOCAL = { webhook_networks: '127.0.0.0/8' }

/** The API of a forge: it answers each path with what is set for it, and 404 otherwise. */
async function newApi(test: TestContext) {
  const answers = new Map<string, unknown>()
  const asked: string[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    const path = decodeURIComponent(request.url ?? '')
    asked.push(`${request.method} ${path}`)
    for await (const _ of request);
    const answer = answers.get(path)
    response.statusCode = typeof answer === 'number' ? answer : answer === undefined ? 404 : 200
    response.end(JSON.stringify(answer ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  test.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, answers, asked }
}

describeWithDelivery('what sources of code report', (world) => {
  const codeOf = async (bug: number) => (await world.ada.get(`/rest/bug/${bug}/code`)).body.code

  itOnOneEngine(world, 'is recorded as made by the source, in history and comments', async () => {
    const bug = await fileBug(world.edna)
    const source = await newSource(world, 'github', { resolves: 'always', comments: 'all' })
    await deliver(world, source, 'pull_request', pullRequest({ title: `Bug ${bug}`, state: 'closed', merged: true }))
    await settled(world, source)
    const { history } = (await world.nobody.get(`/rest/bug/${bug}/history`)).body.bugs[0]
    assert.deepEqual([history[0]?.source.kind, history[0]?.source.name], ['code', source.name])
    const { body } = await world.nobody.get(`/rest/bug/${bug}/comment?include_fields=source`)
    assert.equal(body.bugs[bug]?.comments[1]?.source?.name, source.name)
    // So that all that it did can be taken back.
    const { undone } = (
      await world.edna.post('/rest/change/undo', { source: 'code', since: '2020-01-01T00:00:00Z', bugs: [bug] })
    ).body
    assert.deepEqual(
      undone.map(({ bug_id }) => bug_id),
      [bug],
    )
  })

  itOnOneEngine(
    world,
    'is signed as Forgejo signs a form, and a form that is written in another way is the same delivery',
    async () => {
      const bug = await fileBug(world.edna)
      const source = await newSource(world, 'forgejo')
      const json = JSON.stringify(pullRequest({ title: `Bug ${bug} + 100%`, body: 'ü & =' }))
      const headers = {
        ...headersOf(source, 'pull_request', json),
        'Content-Type': 'application/x-www-form-urlencoded',
      }
      const path = `/rest/code/${source.name}` as '/rest/code/x'
      const encoded = new URLSearchParams({ payload: json }).toString()
      assert.equal((await world.nobody.send('POST', path, encoded, headers)).status, 202)
      const otherwise = `x=1&payload=${encoded.slice('payload='.length).replaceAll('%7B', '%7b')}&y=2`
      assertRefused(await world.nobody.send('POST', path, otherwise, headers), 409, 32000)
      assertRefused(await world.nobody.send('POST', path, `payload=${encoded}`, headers), 401, 32000)
      await settled(world, source)
      assert.equal((await codeOf(bug))[0]?.title, `Bug ${bug} + 100%`)
    },
  )

  itOnOneEngine(
    world,
    'says who wants changes at GitLab, and that a reworked change of Gerrit was not reviewed',
    async () => {
      const bug = await fileBug(world.edna)
      const gitlab = await newSource(world, 'gitlab')
      const request = (reviewers: object[], attributes: object = {}) => ({
        object_kind: 'merge_request',
        user: { username: 'gil' },
        project: { path_with_namespace: 'acme/kettle', default_branch: 'main' },
        object_attributes: {
          iid: 4,
          title: `Bug ${bug}`,
          state: 'opened',
          created_at: '2025-12-01T00:00:00Z',
          updated_at: later(),
          ...attributes,
        },
        reviewers,
      })
      const states: string[] = []
      const step = async (source: typeof gitlab, payload: object) => {
        await deliver(world, source, '', payload)
        await settled(world, source)
        const link = (await codeOf(bug)).find((it) => it.source === source.name)
        states.push(`${link?.state} ${link?.reviews.map(({ user }) => user)}`)
        return link
      }
      const reviewers = (state: string) => [
        { username: 'rita', state },
        { username: 'rob', state: 'unreviewed' },
      ]
      const link = await step(gitlab, request(reviewers('requested_changes'), { action: 'update' }))
      assert.equal(link?.creation_time, '2025-12-01T00:00:00Z')
      await step(gitlab, request(reviewers('approved'), { action: 'approved' }))
      await step(gitlab, request(reviewers('unreviewed'), { action: 'update' }))
      const gerrit = await newSource(world, 'gerrit')
      const event = (type: string, kind: string, more: object = {}) => ({
        type,
        change: {
          project: 'kettle',
          number: 42,
          subject: `Bug ${bug}: steam`,
          commitMessage: `Bug ${bug}: steam`,
          status: 'NEW',
          owner: { username: 'gerda' },
          ...more,
        },
        patchSet: { revision: '9a'.repeat(20), kind },
        author: { username: 'rob' },
        approvals: type === 'comment-added' ? [{ type: 'Code-Review', value: '2' }] : undefined,
        eventCreatedOn: Math.floor(Date.parse(later()) / 1000),
      })
      await step(gerrit, event('comment-added', 'REWORK'))
      await step(gerrit, event('patchset-created', 'TRIVIAL_REBASE'))
      await step(gerrit, event('patchset-created', 'REWORK'))
      const hidden = await step(gerrit, event('comment-added', 'REWORK', { private: true }))
      assert.deepEqual([hidden?.title, hidden?.author], ['', ''])
      assert.deepEqual(states, [
        'changes wanted rita',
        'approved rita,gil',
        'approved gil',
        'approved rob',
        'approved rob',
        'open ',
        'approved ',
      ])
    },
  )

  itOnce(world, 'can be the same twice where the source has signed another id with it', async () => {
    const source = await newSource(world, 'gitlab', { secret: 'a-signing-token-of-the-source' })
    const { createHmac } = await import('node:crypto')
    const send = (id: string) => {
      const seconds = String(Math.floor(Date.now() / 1000))
      const hmac = createHmac('sha256', source.secret).update(`${id}.${seconds}.{"a":1}`).digest('base64')
      return world.nobody.send('POST', `/rest/code/${source.name}` as '/rest/code/x', '{"a":1}', {
        ...{ 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${hmac}` },
      })
    }
    assert.deepEqual(
      [(await send('one')).status, (await send('two')).status, (await send('one')).status],
      [202, 202, 409],
    )
  })

  itOnOneEngine(
    world,
    'shows no titles and people of code that is not public, also of what was reported before',
    async () => {
      const bug = await fileBug(world.edna)
      const source = await newSource(world, 'github', { comments: 'all', attaches: true })
      const title = `Bug ${bug} - the secret kettle`
      const review = { review: { state: 'approved', user: { login: 'rita' } } }
      await deliver(world, source, 'pull_request', pullRequest({ title }))
      await settled(world, source)
      await world.ada.put(`/rest/admin/code/${source.name}`, { is_private: true })
      assert.deepEqual([(await codeOf(bug))[0]?.title, (await codeOf(bug))[0]?.labels], ['', []])
      await deliver(world, source, 'pull_request_review', pullRequest({ title }, review))
      await deliver(world, source, 'pull_request', pullRequest({ number: 8, title }))
      await settled(world, source)
      for (const link of await codeOf(bug))
        assert.deepEqual([link.title, link.author, link.reviews, link.labels], ['', '', [], []])
      assert.equal((await codeOf(bug))[0]?.state, 'approved')
      const rows = await world.db.query((q) =>
        q
          .selectFrom('code_changes')
          .innerJoin('code_sources', 'code_sources.id', 'code_changes.source_id')
          .select(['code_changes.title', 'code_changes.author', 'code_changes.details'])
          .where('code_sources.name', '=', source.name),
      )
      assert.equal(rows.length, 2)
      assert.ok(!JSON.stringify(rows).includes('rita'))
      const later = (await world.edna.get(`/rest/bug/${bug}/comment`)).body.bugs[bug]?.comments.slice(3) ?? []
      assert.equal(later.length, 2)
      assert.ok(!JSON.stringify(later).includes('secret kettle'))
    },
  )

  itOnOneEngine(world, 'comments on a change whose number is the beginning of another one', async () => {
    const bug = await fileBug(world.edna)
    const source = await newSource(world, 'github', { comments: 'all' })
    for (const number of [42, 4])
      await deliver(world, source, 'pull_request', pullRequest({ number, title: `Bug ${bug}` }))
    await settled(world, source)
    assert.equal((await world.edna.get(`/rest/bug/${bug}/comment`)).body.bugs[bug]?.comments.length, 3)
  })

  itOnOneEngine(
    world,
    'resolves what a merge without a message fixes, and leaves open what is to stay open',
    async () => {
      const [bug, kept] = [await fileBug(world.edna), await fileBug(world.edna)]
      await world.ada.post('/rest/keyword', { name: 'leave-open', description: 'Has several parts' })
      await world.edna.put(`/rest/bug/${kept}`, { keywords: { add: ['leave-open'] } })
      const source = await newSource(world, 'gerrit', { resolves: 'words' })
      const change = { project: 'kettle', number: 1, subject: 'steam', branch: 'main' }
      const at = () => ({ eventCreatedOn: Math.floor(Date.parse(later()) / 1000) })
      const commitMessage = `steam\n\nfixes bug ${bug}, closes bug ${kept}`
      await deliver(world, source, '', {
        type: 'patchset-created',
        change: { ...change, commitMessage, status: 'NEW' },
        ...at(),
      })
      await deliver(world, source, '', { type: 'change-merged', change: { ...change, status: 'MERGED' }, ...at() })
      await settled(world, source)
      assert.deepEqual(
        [(await readBug(world.ada, bug)).status, (await readBug(world.ada, kept)).status],
        ['RESOLVED', 'CONFIRMED'],
      )
    },
  )

  it('changes nothing at a bug that is hidden from its account by now', async () => {
    const hidden = await newHiddenProduct(world)
    const bug = await fileBug(world.ada)
    const source = await newSource(world, 'github', { attaches: true, comments: 'all', resolves: 'always' })
    await deliver(world, source, 'pull_request', pullRequest({ title: `Bug ${bug}` }))
    await settled(world, source)
    const moved = await world.ada.put(`/rest/bug/${bug}`, { product: hidden.name, component: 'Core', version: '1.0' })
    assert.equal(moved.status, 200, moved.text)
    const before = (await readBug(world.ada, bug)).last_change_time
    await deliver(world, source, 'pull_request', pullRequest({ title: 'of no bug', state: 'closed', merged: true }))
    await settled(world, source)
    assert.deepEqual(
      (await codeOf(bug)).map((link) => link.source),
      [source.name],
    )
    assert.equal((await readBug(world.ada, bug)).last_change_time, before)
  })

  itOnOneEngine(world, 'is forgotten with the last bug that it names', async () => {
    const bug = await fileBug(world.edna)
    const source = await newSource(world, 'github')
    await deliver(world, source, 'push', push(`Bug ${bug} - a secret`))
    await settled(world, source)
    const count = async () =>
      (await world.db.query((q) => q.selectFrom('code_changes').select('id').where('title', 'like', '%a secret%')))
        .length
    assert.equal(await count(), 1)
    await world.withParameters({ allowbugdeletion: true }, () => world.ada.delete(`/rest/bug/${bug}?reason=Mistake`))
    await until(async () => (await count()) === 0)
  })
})

describeDeliveryOnOneEngine('the API of a source of code', (world) => {
  const codeOf = async (bug: number) => (await world.ada.get(`/rest/bug/${bug}/code`)).body.code
  const attach = async (bug: number, text: string, more: object = {}) => {
    const {
      status,
      body,
      text: said,
    } = await world.edna.post(`/rest/bug/${bug}/attachment`, {
      ids: [bug],
      data: Buffer.from(text).toString('base64'),
      file_name: 'link.txt',
      summary: 'A link',
      content_type: 'text/plain',
      ...more,
    })
    assert.equal(status, 201, said)
    return body.ids[0] as number
  }

  it('is read for the state of a change that somebody has attached', async (test) => {
    const { url, answers } = await newApi(test)
    const bug = await fileBug(world.edna)
    const host = new URL(url).host
    const pull = {
      html_url: `http://${host}/acme/kettle/pulls/7`,
      number: 7,
      title: 'Mend',
      state: 'open',
      user: { login: 'olga' },
    }
    answers.set('/api/v1/repos/acme/kettle/pulls/7', { ...pull, updated_at: later() })
    answers.set('/api/v1/repos/acme/kettle/pulls/7/reviews?per_page=100', [
      { state: 'APPROVED', user: { login: 'rita' } },
      { state: 'REQUEST_CHANGES', user: { login: 'rob' }, dismissed: true },
    ])
    const request = {
      iid: 3,
      title: 'Steam',
      state: 'opened',
      web_url: `http://${host}/lab/acme/kettle/-/merge_requests/3`,
    }
    answers.set('/lab/api/v4/projects/acme/kettle/merge_requests/3', {
      ...request,
      author: { username: 'gil' },
      draft: true,
    })
    answers.set('/lab/api/v4/projects/acme/kettle/merge_requests/3/reviewers', [
      { user: { username: 'rob' }, state: 'requested_changes' },
    ])
    const options = 'o=DETAILED_LABELS&o=DETAILED_ACCOUNTS&o=CURRENT_REVISION&o=CURRENT_COMMIT'
    const labels = { 'Code-Review': { all: [{ value: 2, username: 'rita' }] } }
    const change = {
      project: 'kettle',
      _number: 9,
      subject: 'Lid',
      status: 'NEW',
      owner: { username: 'gerda' },
      labels,
    }
    answers.set(`/g/a/changes/kettle~9?${options}`, change)
    await world.withParameters(LOCAL, async () => {
      const token = { api_token: 'token-of-the-source' }
      const source = await newSource(world, 'forgejo', { ...token, api_address: `${url}/api/v1` })
      await newSource(world, 'gitlab', { ...token, api_address: `${url}/lab/api/v4` })
      await newSource(world, 'gerrit', { ...token, api_address: `${url}/g` })
      const attached = await attach(bug, pull.html_url, { content_type: 'text/x-forgejo-pull-request' })
      await attach(bug, request.web_url, { content_type: 'text/x-gitlab-merge-request' })
      await attach(bug, `http://${host}/g/c/kettle/+/9`, { content_type: 'text/x-gerrit-change' })
      await attach(bug, `http://${host}/acme/kettle/pulls/8`, { content_type: 'text/x-forgejo-pull-request' })
      await until(async () => (await codeOf(bug)).filter(({ state }) => state !== 'unknown').length === 3)
      assert.deepEqual(
        (await codeOf(bug))
          .map(({ title, state, author, reviews }) => [title, state, author, reviews.map(({ user }) => user).join()])
          .sort(),
        [
          ['A link', 'unknown', '', ''],
          ['Lid', 'approved', 'gerda', 'rita'],
          ['Mend', 'approved', 'olga', 'rita'],
          ['Steam', 'draft', 'gil', 'rob'],
        ],
      )
      // It stays linked whatever its title is, as long as the attachment is there.
      const merged = pullRequest({ title: 'of no bug', state: 'closed', merged: true })
      merged.pull_request.html_url = pull.html_url
      await deliver(world, source, 'pull_request', merged)
      await settled(world, source)
      assert.equal((await codeOf(bug)).find(({ number }) => number === '7')?.state, 'merged')
      await world.edna.put(`/rest/bug/attachment/${attached}`, { ids: [attached], is_obsolete: true })
      await until(async () => (await codeOf(bug)).every(({ number }) => number !== '7'))
    })
  })

  it('is asked again after a fault that passes, so that nothing is lost', async (test) => {
    const { url, answers, asked } = await newApi(test)
    const bug = await fileBug(world.edna)
    const path = '/api/differential.revision.search'
    answers.set(path, 503)
    await world.withParameters(LOCAL, async () => {
      const source = await newSource(world, 'phabricator', {
        api_token: 'token-of-the-source',
        api_address: `${url}/api`,
      })
      await deliver(world, source, '', { object: { type: 'DREV', phid: 'PHID-DREV-a' }, action: { epoch: 1 } })
      await until(() => asked.length > 0)
      const fields = { title: `Bug ${bug}`, uri: 'https://phab.example/D1', status: { value: 'needs-revision' } }
      answers.set(path, { result: { data: [{ id: 1, fields }] }, error_code: null })
      await settled(world, source)
      assert.equal((await codeOf(bug))[0]?.state, 'changes wanted')
    })
  })

  itOnce(world, 'gets its token at another address only if that is sent again', async () => {
    const source = await newSource(world, 'github', { api_token: 'token-of-the-source' })
    const path = `/rest/admin/code/${source.name}` as '/rest/admin/code/x'
    const api_address = 'https://evil.example/api'
    assertRefused(await world.ada.put(path, { api_address }), 400, 53)
    assertRefused(await world.ada.put(path, { kind: 'forgejo' }), 400, 53)
    assert.equal((await world.ada.put(path, { api_address: '', resolves: 'words' })).status, 200)
    assert.equal((await world.ada.put(path, { api_address, api_token: 'another' })).status, 200)
  })

  it('gets one comment about a bug, and none about one that was hidden meanwhile', async (test) => {
    const { url, answers, asked } = await newApi(test)
    const hidden = await newHiddenProduct(world)
    const [bug, secret] = [await fileBug(world.ada), await fileBug(world.ada)]
    answers.set('/repos/acme/kettle/issues/7/comments', 503)
    await world.withParameters(LOCAL, async () => {
      const source = await newSource(world, 'github', { links_back: true, api_token: 'the-token', api_address: url })
      const comments = () => asked.filter((it) => it.startsWith('POST')).length
      await deliver(world, source, 'pull_request', pullRequest({ title: `Bug ${secret}` }))
      await until(() => comments() === 1)
      await world.ada.put(`/rest/bug/${secret}`, { product: hidden.name, component: 'Core', version: '1.0' })
      answers.set('/repos/acme/kettle/issues/7/comments', {})
      const jobs = () => world.db.query((q) => q.selectFrom('jobs').select('id').where('queue', '=', 'code'))
      await until(async () => (await jobs()).length === 0)
      assert.equal(comments(), 1)
      for (const title of [`Bug ${bug}`, 'none', `Bug ${bug}`, 'none', `Bug ${bug} again`])
        await deliver(world, source, 'pull_request', pullRequest({ title }))
      await settled(world, source)
      await until(async () => (await jobs()).length === 0)
      assert.equal(comments(), 2)
    })
  })
})
