import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newFile } from '../support/attach.ts'
import { cast } from '../support/cast.ts'
import { everyCall, makeCall } from '../support/every-call.ts'
import { fileBug, newBug, readBug } from '../support/file-bug.ts'
import { newType } from '../support/flags.ts'
import { changedMeanwhile } from '../support/interleave.ts'
import { inOneWorld } from '../support/one-world.ts'
import { listed, newKey, newProposer, proposeChange, proposedBy, proposeNew, rowsOf } from '../support/proposals.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, itOnce, itOnOneEngine, type World } from '../support/world.ts'

const describeTogether = inOneWorld()

/** All that a write to bugs leaves behind. */
async function traces(world: World) {
  const tables = [
    'bugs',
    'bug_changes',
    'comments',
    'attachments',
    'flags',
    'bug_cc',
    'outbox',
    'changes',
    'stored_contents',
  ] as const
  const counts: unknown[] = []
  for (const table of tables)
    counts.push(await world.db.query((q) => q.selectFrom(table).select(({ fn }) => fn.countAll<number>().as(table))))
  const revisions = await world.db.query((q) =>
    q.selectFrom('bugs').select(['id', 'revision', 'changed_at']).orderBy('id'),
  )
  return JSON.stringify([counts, revisions])
}

async function newAttachment(who: Client, bug: number): Promise<number> {
  const { body, text } = await who.post(`/rest/bug/${bug}/attachment`, newFile())
  assert.ok(body.ids, text)
  return body.ids[0] as number
}

describeTogether('An API key with the scope propose', (world) => {
  it('writes nothing: each call returns what it would do as a proposal', async () => {
    const { robot, login, key } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna, { keywords: [] })
    const file = await newAttachment(world.edna, bug)
    const before = await traces(world)
    const change = await proposeChange(robot, bug, { priority: 'High', comment: { body: 'It burns.' } })
    const filed = await proposeNew(robot, '/rest/bug', newBug({ description: 'Smoke', priority: 'Low' }))
    const comment = await proposeNew(robot, `/rest/bug/${bug}/comment`, { comment: 'Still burns.' })
    const attached = await proposeNew(robot, `/rest/bug/${bug}/attachment`, newFile())
    const [described] = proposedBy(await robot.put(`/rest/bug/attachment/${file}`, { summary: 'Better' }))
    const [alone] = proposedBy(await robot.put('/rest/bug/update', { ids: [bug], severity: 'critical' }))
    assert.equal(await traces(world), before)
    const kinds = [change, filed, comment, attached, described, alone].map((it) => it?.kind)
    assert.deepEqual(kinds, ['change', 'bug', 'comment', 'attachment', 'attachment_change', 'change'])
    assert.deepEqual(rowsOf(change), [
      ['priority', 'priority: --- → High'],
      ['comment', 'comment:  → It burns.'],
    ])
    assert.deepEqual(rowsOf(comment), [['comment', 'comment:  → Still burns.']])
    assert.deepEqual(rowsOf(described), [['summary', 'attachments.description: A file → Better']])
    const [whole] = rowsOf(filed) as [string[]]
    for (const line of [
      'summary:  → Something is wrong',
      'priority:  → Low',
      `assigned_to:  → ${cast.ada.login}`,
      'comment:  → Smoke',
    ])
      assert.ok(whole.includes(line), `${line} is not in ${whole}`)
    assert.deepEqual(
      [change.author, change.source, change.status],
      [login, { kind: 'key', id: key.id, name: 'The robot' }, 'open'],
    )
    assert.equal(change.url, `${world.url}/proposals?id=${change.id}`)
  })

  itOnOneEngine(world, 'is refused all other writes, and reads only with the scope read', async () => {
    const { robot, ...user } = await newProposer(world, 'editbugs')
    const refusal = await robot.put('/rest/bug/1/tags', { add: ['x'] })
    assertRefused(refusal, 401, 304)
    assert.match(refusal.body.message, /lacks the scope write; with the scope propose it can propose only/)
    const blind = await newKey(world, user, ['propose'])
    const bug = await fileBug(world.edna)
    assertRefused(await blind.client.get(`/rest/bug/${bug}`), 401, 304)
    const { id } = await proposeChange(blind.client, bug, { priority: 'High' })
    assertRefused(await blind.client.get(`/rest/proposal/${id}`), 401, 304)
    assert.equal((await blind.client.delete(`/rest/proposal/${id}`)).status, 200)
  })

  itOnce(world, 'is refused whatever acts or decides later, however it is asked', async () => {
    const { robot, key, ...user } = await newProposer(world, 'admin')
    const secret = robot.headers['X-TRACKER-API-KEY'] ?? ''
    const bug = await fileBug(world.edna)
    const proposal = await proposeChange(robot, bug, { priority: 'High' })
    const { digest, id } = proposal
    const tries: [string, string, object?][] = [
      ['POST', `/rest/proposal/${id}/accept`, { digest }],
      ['POST', '/rest/proposal/decide', { decision: 'accept', proposals: [{ id, digest }] }],
      ['POST', `/rest/proposal/${id}/decline`, {}],
      ['POST', `/rest/user/${user.id}/api_key`, { scopes: ['write'] }],
      ['PUT', `/rest/user/${user.id}/api_key/${key.id}`, { scopes: ['read', 'write'] }],
      ['DELETE', `/rest/user/${user.id}/api_key/${key.id}`],
      ['POST', '/rest/webhook', { url: 'http://127.0.0.1:9/' }],
      ['GET', `/rest/user/${user.id}/mail_address`],
      ['POST', `/rest/user/${user.id}/mail_address`, {}],
      ['PUT', '/rest/admin/changes', { calls: [{ method: 'PUT', path: `/bug/${bug}`, body: { priority: 'High' } }] }],
      ['POST', '/rest/change/1/undo', {}],
      ['DELETE', `/rest/bug/${bug}`, { reason: 'x' }],
      ['PUT', `/rest/bug/${bug}/votes`, { votes: 1 }],
    ]
    for (const [method, path, body] of tries) assertRefused(await robot.send(method, path, body), 401, 304)
    const before = await traces(world)
    for (const headers of [
      { 'X-HTTP-Method-Override': 'PUT' },
      { 'X-Method-Override': 'POST' },
      { 'X-Lacewing-Scope': 'write', 'X-Forwarded-User': cast.ada.login },
    ] as Record<string, string>[])
      await robot.put(`/rest/bug/${bug}`, { priority: 'High', scopes: ['write'], scope: 'write' }, headers)
    const nobody = world.nobody
    for (const where of [`?api_key=${secret}`, `?Bugzilla_api_key=${secret}&api_key=`, `?callback=f&api_key=${secret}`])
      await nobody.put(`/rest/bug/${bug}${where}`, { severity: 'critical' })
    await nobody.put(`/rest/bug/${bug}`, { severity: 'critical', Bugzilla_api_key: secret })
    await nobody.get(`/rest/bug/${bug}?callback=f&api_key=${secret}&priority=High&method=PUT`)
    assert.equal(await traces(world), before)
  })

  itOnce(world, 'cannot be sent with other credentials to get more', async () => {
    const { robot, apiKey } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const before = await readBug(world.ada, bug)
    // The first credential counts, and it is one key: two of them are refused.
    const twice = await robot.put(`/rest/bug/${bug}?api_key=${apiKey}&api_key=${apiKey}`, { priority: 'High' })
    assertRefused(twice, 400, 53)
    assert.deepEqual(await readBug(world.ada, bug), before)
  })

  itOnOneEngine(world, 'writes as before with the scope write beside it', async () => {
    const { id, client } = await newProposer(world, 'editbugs')
    const both = await newKey(world, { id, client }, ['write', 'propose'])
    const bug = await fileBug(world.edna)
    assert.equal((await both.client.put(`/rest/bug/${bug}`, { priority: 'High', proposal_reason: 'x' })).status, 200)
    const { body } = await client.get(`/rest/user/${id}/api_key`)
    assert.deepEqual(body.api_keys.at(-1)?.scopes, ['write', 'propose'])
  })

  itOnOneEngine(
    world,
    'is made by keys that may write, and ends with what it has proposed when its maker does',
    async () => {
      const user = await newProposer(world, 'editbugs')
      const maker = await newKey(world, user, ['read', 'write', 'admin'])
      const made = await newKey(world, { id: user.id, client: maker.client }, ['propose'])
      const bug = await fileBug(world.edna)
      const { id } = await proposeChange(made.client, bug, { priority: 'High' })
      const other = await proposeChange(user.robot, bug, { priority: 'Low' })
      assert.equal((await user.client.delete(maker.path)).status, 200)
      assert.equal((await world.edna.get(`/rest/proposal/${id}`)).body.proposal.status, 'ended')
      assert.equal((await world.edna.get(`/rest/proposal/${other.id}`)).body.proposal.status, 'open')
      assert.equal((await user.client.put(user.key.path, { scopes: ['read'] })).status, 200)
      assert.equal((await world.edna.get(`/rest/proposal/${other.id}`)).body.proposal.status, 'ended')
    },
  )

  itOnOneEngine(world, 'proposes nothing when it loses the scope meanwhile', async () => {
    const { robot, client, key } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const late = await changedMeanwhile(
      world,
      () => robot.put(`/rest/bug/${bug}`, { priority: 'High' }),
      () => client.put(key.path, { scopes: ['read'] }),
    )
    assertRefused(late, 401, 304)
    assert.deepEqual(await listed(client, `status=all&key_id=${key.id}`), [])
  })

  itOnOneEngine(world, 'gets the errors of the call itself, and stores nothing then', async () => {
    const { robot, client, key } = await newProposer(world)
    const bug = await fileBug(world.edna)
    for (const [method, path, content] of [
      ['PUT', `/rest/bug/${bug}`, { priority: 'Highest' }],
      ['PUT', `/rest/bug/${bug}`, { priority: 'High' }],
      ['PUT', '/rest/bug/99999999', { priority: 'High' }],
      ['POST', '/rest/bug', newBug({ version: 'no such version' })],
      ['POST', '/rest/bug', newBug({ sumary: 'x' })],
      ['POST', `/rest/bug/${bug}/comment`, { comment: ' ' }],
      ['POST', `/rest/bug/${bug}/comment`, { comment: 'x', is_private: true }],
      ['POST', `/rest/bug/${bug}/attachment`, newFile({ file_name: '' })],
      ['POST', `/rest/bug/${bug}/attachment`, newFile({ flags: [{ name: 'no such flag', status: '?' }] })],
    ] as const) {
      const [proposed, written] = [await robot.send(method, path, content), await client.send(method, path, content)]
      assert.ok(proposed.status >= 400, proposed.text)
      assert.equal(proposed.text, written.text)
    }
    assert.deepEqual(await listed(client, `status=all&key_id=${key.id}`), [])
    assertRefused(await robot.put(`/rest/bug/${bug}`, { whiteboard: 'x' }, { 'If-Match': '"old"' }), 412, 32000)
  })

  itOnOneEngine(world, 'stores nothing of a dry run, nor of a change that changes nothing', async () => {
    const { robot, key } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna, { priority: 'High' })
    const tried = await robot.put(`/rest/bug/${bug}`, { dry_run: true, severity: 'critical' })
    assert.equal(tried.status, 200)
    assert.deepEqual(tried.body.bugs[0].changes, { severity: { removed: 'normal', added: 'critical' } })
    const same = await robot.put(`/rest/bug/${bug}`, { priority: 'High' })
    assert.deepEqual([same.status, same.body.bugs[0].changes], [200, {}])
    assert.deepEqual(await listed(robot, `status=all&key_id=${key.id}`), [])
  })

  it('proposes once with an Idempotency-Key, and never in the transaction that stores the response', async () => {
    const { robot, client } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const before = await traces(world)
    const headers = { 'Idempotency-Key': world.unique('once') }
    for (const [path, content] of [
      ['/rest/bug', newBug({ description: 'x' })],
      [`/rest/bug/${bug}/comment`, { comment: 'x' }],
      [`/rest/bug/${bug}/attachment`, newFile()],
    ] as const) {
      const own = { 'Idempotency-Key': `${headers['Idempotency-Key']} ${path}` }
      const replies = [await robot.post(path, content, own), await robot.post(path, content, own)]
      assert.deepEqual(
        replies.map((it) => it.status),
        [202, 202],
      )
      assert.equal(replies[0]?.text, replies[1]?.text)
      assert.equal(replies[1]?.headers.get('idempotent-replayed'), 'true')
      // A key with other scopes would not get the same response.
      assertRefused(await client.post(path, content, own), 422, 32000)
    }
    assert.equal(await traces(world), before)
  })

  itOnOneEngine(world, 'gives reasons, for the whole and for single fields, in the body or in the query', async () => {
    const { robot } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const changes = { priority: 'High', severity: 'critical', resolution: 'FIXED', status: 'RESOLVED' }
    const reasons = { priority: 'Three customers', resolution: 'See 1f3c' }
    const proposal = await proposeChange(robot, bug, {
      ...changes,
      proposal_reason: ' Triage ',
      proposal_reasons: reasons,
    })
    assert.equal(proposal.reason, 'Triage')
    assert.deepEqual(
      proposal.rows.map(({ name, reason }) => [name, reason]),
      [
        ['status', 'See 1f3c'],
        ['priority', 'Three customers'],
        ['severity', ''],
      ],
    )
    const [asked] = proposedBy(await robot.post(`/rest/bug/${bug}/comment?proposal_reason=Because`, { comment: 'x' }))
    assert.equal(asked?.reason, 'Because')
    for (const wrong of [
      { proposal_reason: 'x'.repeat(2001) },
      { proposal_reason: ['x'] },
      { proposal_reasons: 'x' },
      { proposal_reasons: [1] },
    ])
      assert.ok((await robot.put(`/rest/bug/${bug}`, { priority: 'High', ...wrong })).status === 400)
  })

  itOnOneEngine(world, 'proposes a change of several bugs as one for each that it changes', async () => {
    const { robot } = await newProposer(world, 'editbugs')
    const bugs = [await fileBug(world.edna), await fileBug(world.edna, { priority: 'High' }), await fileBug(world.edna)]
    const proposals = proposedBy(await robot.put('/rest/bug/update', { ids: bugs, priority: 'High' }))
    const [first] = proposals
    assert.deepEqual(
      proposals.map((it) => [it.bug_id, it.batch]),
      [
        [bugs[0], first?.id],
        [bugs[2], first?.id],
      ],
    )
    assert.deepEqual(await listed(robot, `batch=${first?.id}`), proposals.map(({ id }) => id).toReversed())
    const many = Array.from({ length: 51 }, (_, place) => place + 1)
    assertRefused(await robot.put('/rest/bug/update', { ids: many, priority: 'High' }), 400, 53)
  })

  it('keeps only what has an effect, with the values that were shown', async () => {
    const { robot, login } = await newProposer(world, 'editbugs')
    const question = await newType(world, {
      name: world.unique('ask'),
      is_question: true,
      target_type: 'bug',
      inclusions: ['TestProduct'],
    })
    assert.ok(question.id)
    const bug = await fileBug(world.edna)
    const reply = await robot.put(`/rest/bug/${bug}`, {
      short_desc: 'Renamed',
      cf_none: 'x',
      nonsense: 1,
      needinfo: true,
      needinfo_role: 'user',
    })
    const [proposal] = proposedBy(reply)
    assert.deepEqual(JSON.parse(reply.text).ignored, ['cf_none', 'nonsense'])
    assert.deepEqual(
      proposal?.rows.map(({ name }) => name),
      ['summary', 'flags'],
    )
    const rows = await world.db.query((q) =>
      q
        .selectFrom('proposal_rows')
        .select(['name', 'params'])
        .where('proposal_id', '=', proposal?.id ?? 0)
        .orderBy('id'),
    )
    assert.deepEqual(
      rows.map(({ params }) => JSON.parse(params)),
      [{ summary: 'Renamed' }, { needinfo: true, needinfo_role: 'other', needinfo_from: [login] }],
    )
  })
})

describeTogether('Proposals are limited', (world) => {
  const LIMITS = [
    'proposals_open_per_key',
    'proposals_open_per_account',
    'proposals_hourly_per_key',
    'proposals_hourly_per_account',
  ] as const

  for (const limit of LIMITS)
    it(`by ${limit}, also if they come at once`, async () => {
      const { robot, ...user } = await newProposer(world, 'editbugs')
      const bug = await fileBug(world.edna)
      const comment = (who: Client) => who.post(`/rest/bug/${bug}/comment`, { comment: 'x' })
      await world.withParameters({ [limit]: 2 }, async () => {
        const replies = await Promise.all(Array.from({ length: 4 }, () => comment(robot)))
        const statuses = replies.map(({ status }) => status).sort()
        assert.deepEqual(statuses, [202, 202, 429, 429])
        const refused = replies.find(({ status }) => status === 429)
        assert.equal(refused?.body.values.limit, limit)
        const other = await newKey(world, user, ['propose'])
        assert.equal((await comment(other.client)).status, limit.endsWith('_key') ? 202 : 429)
        const [open] = await listed(robot, `user=${user.login}`)
        assert.equal((await robot.delete(`/rest/proposal/${open}`)).status, limit.endsWith('_key') ? 401 : 200)
      })
    })

  itOnOneEngine(world, 'in every call that can propose', async () => {
    const { robot } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const file = await newAttachment(world.edna, bug)
    const tries: Record<string, object> = {
      'POST /rest/bug': newBug(),
      'PUT /rest/bug/:ref': { severity: 'critical' },
      'PUT /rest/bug/update': { ids: [bug], severity: 'critical' },
      'POST /rest/bug/:ref/comment': { comment: 'x' },
      'POST /rest/bug/:ref/attachment': newFile(),
      'PUT /rest/bug/attachment/:attachment_id': { summary: 'x' },
    }
    const proposing = everyCall.filter(({ call }) => call.proposes !== undefined)
    assert.deepEqual(proposing.map(({ title }) => title).sort(), Object.keys(tries).sort())
    await world.withParameters({ proposals_open_per_key: 1 }, async () => {
      await proposeChange(robot, bug, { priority: 'High' })
      for (const { call, title } of proposing) {
        const ref = String(title.includes('attachment_id') ? file : bug)
        assertRefused(await makeCall(robot, call, { ref, body: tries[title] }), 429, 32000)
      }
    })
  })

  itOnOneEngine(world, 'and one that expires, is withdrawn or ends makes room for another', async () => {
    const { robot, client, key } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    await world.withParameters({ proposals_open_per_key: 1 }, async () => {
      const first = await proposeChange(robot, bug, { priority: 'High' })
      assertRefused(await robot.put(`/rest/bug/${bug}`, { priority: 'Low' }), 429, 32000)
      assert.equal((await robot.delete(`/rest/proposal/${first.id}`)).body.proposal.status, 'withdrawn')
      assertRefused(await robot.delete(`/rest/proposal/${first.id}`), 409, 32000)
      const second = await proposeChange(robot, bug, { priority: 'High' })
      await world.db.query((q) =>
        q.updateTable('proposals').set({ expires_at: '2020-01-01T00:00:00Z' }).where('id', '=', second.id),
      )
      assert.equal((await world.edna.get(`/rest/proposal/${second.id}`)).body.proposal.status, 'expired')
      await proposeChange(robot, bug, { priority: 'High' })
      const { body } = await client.get(`/rest/user/${(await client.get('/rest/whoami')).body.id}/api_key`)
      const counts = body.api_keys.find(({ id }) => id === key.id)?.proposals
      assert.deepEqual(counts, { open: 1, accepted: 0, declined: 0, other: 2, acceptance: null })
    })
  })

  itOnOneEngine(world, 'in size: a large file is refused', async () => {
    const { robot } = await newProposer(world)
    const bug = await fileBug(world.edna)
    const data = Buffer.alloc(100 * 1024 + 1, 'x').toString('base64')
    assertRefused(await robot.post(`/rest/bug/${bug}/attachment`, newFile({ data })), 400, 600)
    assertRefused(await robot.post(`/rest/bug/${bug}/attachment`, newFile({ in_comment: true })), 400, 53)
  })
})
