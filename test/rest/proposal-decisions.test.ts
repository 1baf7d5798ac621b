import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newFile } from '../support/attach.ts'
import { cast } from '../support/cast.ts'
import { changeBug } from '../support/change-bug.ts'
import { readComments } from '../support/discussion.ts'
import { fileBug, newBug, readBug } from '../support/file-bug.ts'
import { newType } from '../support/flags.ts'
import { beforeCommit, changedMeanwhile } from '../support/interleave.ts'
import { newMember } from '../support/new-member.ts'
import { newProduct } from '../support/new-product.ts'
import { inOneWorld } from '../support/one-world.ts'
import {
  accept,
  accepted,
  newKey,
  newProposer,
  type Proposal,
  proposeChange,
  proposedBy,
  proposeNew,
  rowsOf,
  statusOf,
} from '../support/proposals.ts'
import { assertRefused, outcomesOf } from '../support/refusal.ts'
import { itOnce, itOnOneEngine, type Reply, type World } from '../support/world.ts'

const describeTogether = inOneWorld()

const PAST = '2020-01-01T00:00:00Z'

async function historyOf(world: World, bug: number) {
  const { body } = await world.ada.get(`/rest/bug/${bug}/history`)
  return body.bugs[0].history
}

/** The numbers of the open proposals of a bug. */
async function openOn(world: World, bug: number) {
  const { body } = await world.edna.get(`/rest/bug/${bug}/proposal`)
  return body.proposals.map(({ id }) => id)
}

describeTogether('Accepting a proposal', (world) => {
  it('makes the change row by row, in the name of the user who accepts it, and says who has proposed it', async () => {
    const { robot, client, key, login } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const proposal = await proposeChange(robot, bug, {
      priority: 'High',
      severity: 'critical',
      status: 'RESOLVED',
      resolution: 'FIXED',
      comment: { body: 'Because' },
    })
    assert.deepEqual(
      proposal.rows.map(({ name }) => name),
      ['status', 'priority', 'severity', 'comment'],
    )
    const first = await accepted(world.edna, proposal, { rows: ['priority', 'comment'] })
    assert.deepEqual([first.proposal.status, first.bug_id], ['open', bug])
    const { priority, severity, status } = await readBug(world.edna, bug)
    assert.deepEqual([priority, severity, status], ['High', 'normal', 'CONFIRMED'])
    const [entry] = await historyOf(world, bug)
    assert.deepEqual([entry?.who, entry?.change_id], [cast.edna.login, first.change_id])
    const seen = { kind: 'proposal', proposal: proposal.id, proposer: login }
    const named = { ...seen, id: key.id, name: 'The robot' }
    const sourceFor = async (who: typeof world.edna) =>
      (await who.get(`/rest/bug/${bug}/history`)).body.bugs[0].history[0]?.source
    assert.deepEqual(await sourceFor(world.edna), seen)
    assert.deepEqual(await sourceFor(client), named)
    assert.deepEqual(await sourceFor(world.ada), named)
    assert.deepEqual(await sourceFor(world.nobody), { kind: 'proposal' })
    const { body } = await world.edna.get(`/rest/bug/${bug}/comment`)
    const comment = body.bugs[`${bug}`]?.comments.at(-1)
    assert.deepEqual([comment?.text, comment?.creator], ['Because', cast.edna.login])
    const second = await accepted(world.sven, { ...proposal, digest: first.proposal.digest })
    assert.equal(second.proposal.status, 'accepted')
    assert.equal((await readBug(world.edna, bug)).resolution, 'FIXED')
    assert.deepEqual(
      second.proposal.rows.map(({ name, decided_by }) => [name, decided_by]),
      [
        ['status', cast.sven.login],
        ['priority', cast.edna.login],
        ['severity', cast.sven.login],
        ['comment', cast.edna.login],
      ],
    )
  })

  itOnOneEngine(world, 'works for each kind', async () => {
    const { robot } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const { body } = await world.edna.post(`/rest/bug/${bug}/attachment`, newFile())
    const file = body.ids[0]
    const filed = await proposeNew(
      robot,
      '/rest/bug',
      newBug({ description: 'Smoke', priority: 'Low', alias: world.unique('alias') }),
    )
    const comment = await proposeNew(robot, `/rest/bug/${bug}/comment`, { comment: 'Burns' })
    const attached = await proposeNew(robot, `/rest/bug/${bug}/attachment`, newFile({ comment: 'Look' }))
    const [described] = proposedBy(
      await robot.put(`/rest/bug/attachment/${file}`, { summary: 'Better', is_obsolete: true, comment: 'Old' }),
    ) as [Proposal]
    const { bug_id } = await accepted(world.edna, filed)
    const made = await readBug(world.edna, bug_id)
    assert.deepEqual([made.creator, made.priority, made.summary], [cast.edna.login, 'Low', 'Something is wrong'])
    assert.equal((await accepted(world.edna, comment)).comment_id > 0, true)
    const content = await world.edna.get(`/rest/proposal/${attached.id}/content`)
    assert.equal(Buffer.from(content.body.data, 'base64').toString(), 'hello attachment\n')
    const tried = await accepted(world.edna, attached, { dry_run: true })
    assert.equal(tried.attachment_id, undefined)
    const { attachment_id } = await accepted(world.edna, attached)
    const data = await world.edna.get(`/rest/bug/attachment/${attachment_id}`)
    assert.equal(data.body.attachments[`${attachment_id}`]?.creator, cast.edna.login)
    assertRefused(await world.edna.get(`/rest/proposal/${attached.id}/content`), 404, 51)
    await accepted(world.edna, described, { rows: ['is_obsolete'] })
    const now = (await world.edna.get(`/rest/bug/attachment/${file}`)).body.attachments[`${file}`]
    assert.deepEqual([now?.is_obsolete, now?.summary], [true, 'A file'])
    for (const { id } of [filed, attached])
      assert.equal((await world.edna.post(`/rest/proposal/${id}/accept`, { digest: 'x', rows: ['bug'] })).status, 400)
  })

  itOnOneEngine(world, 'does nothing in a dry run, and nothing more the second time', async () => {
    const { robot } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const proposal = await proposeChange(robot, bug, { priority: 'High' })
    const tried = await accepted(world.edna, proposal, { dry_run: true })
    assert.deepEqual(tried.changes, [{ field_name: 'priority', removed: '---', added: 'High' }])
    assert.deepEqual([(await readBug(world.edna, bug)).priority, await statusOf(world, proposal)], ['---', 'open'])
    const [first, again] = [await accepted(world.edna, proposal), await accepted(world.edna, proposal)]
    assert.deepEqual([again.change_id, again.changes], [first.change_id, first.changes])
    assertRefused(await accept(world.sven, proposal), 409, 32000)
    assert.equal((await historyOf(world, bug)).length, 1)
  })

  it('needs the rights of the user who accepts, row by row', async () => {
    const { robot, client } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const proposal = await proposeChange(robot, bug, { priority: 'High', comment: { body: 'Hello' } })
    const outsider = await newMember(world)
    await world.ada.put(`/rest/user/${outsider.id}`, { groups: { remove: ['editbugs'] } })
    const { proposal: seen } = (await world.stan.get(`/rest/proposal/${proposal.id}`)).body
    assert.deepEqual([seen.can_accept, seen.can_decline], [true, false])
    assertRefused(await accept(world.stan, proposal), 401, 115)
    assertRefused(await world.stan.post(`/rest/proposal/${proposal.id}/decline`), 401, 304)
    assertRefused(
      await world.nobody.post(`/rest/proposal/${proposal.id}/accept`, { digest: proposal.digest }),
      401,
      410,
    )
    assert.equal((await readBug(world.edna, bug)).priority, '---')
    await accepted(world.stan, proposal, { rows: ['comment'] })
    // The user for whom it was proposed decides with their own session or key.
    await accepted(client, proposal)
    assert.equal((await readBug(world.edna, bug)).priority, 'High')
  })

  itOnOneEngine(world, 'can be undone as any change', async () => {
    const { robot } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const proposal = await proposeChange(robot, bug, { priority: 'High', severity: 'critical' })
    const { change_id } = await accepted(world.edna, proposal)
    const { status, body, text } = await world.sven.post(`/rest/change/${change_id}/undo`)
    assert.equal(status, 200, text)
    assert.deepEqual(body.conflicts, [])
    const { priority, severity } = await readBug(world.edna, bug)
    assert.deepEqual([priority, severity], ['---', 'normal'])
  })

  itOnOneEngine(world, 'is counted at the key: which part of the rows was accepted', async () => {
    const { robot, id, client, key } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const [one, two] = [
      await proposeChange(robot, bug, { priority: 'High', severity: 'critical', url: 'http://a.test/' }),
      await proposeChange(robot, bug, { op_sys: 'Linux' }),
    ]
    await accepted(world.edna, one, { rows: ['priority', 'severity'] })
    const { body } = await world.edna.post(`/rest/proposal/${one.id}/decline`, { rows: ['url'], note: 'A dead link' })
    assert.deepEqual([body.proposal.status, body.proposal.note], ['accepted', 'A dead link'])
    assert.equal((await world.edna.post(`/rest/proposal/${two.id}/decline`)).body.proposal.status, 'declined')
    assertRefused(await world.edna.post(`/rest/proposal/${two.id}/decline`), 409, 32000)
    for (const reader of [client, world.ada]) {
      const keys = (await reader.get(`/rest/user/${id}/api_key`)).body.api_keys
      const counts = { open: 0, accepted: 1, declined: 1, other: 0, acceptance: 0.5 }
      assert.deepEqual(keys.find((it) => it.id === key.id)?.proposals, counts)
    }
  })

  itOnOneEngine(world, 'is done for many, with a preview, each by itself', async () => {
    const { robot, key, client } = await newProposer(world, 'editbugs')
    const bugs = [await fileBug(world.edna), await fileBug(world.edna), await fileBug(world.edna)]
    const proposals = proposedBy(await robot.put('/rest/bug/update', { ids: bugs, priority: 'High' }))
    await changeBug(world.edna, bugs[1] as number, { priority: 'Low' })
    const { body } = await client.get(`/rest/proposal?key_id=${key.id}`)
    const wanted = body.proposals.map(({ id, digest }) => ({ id, digest }))
    const decide = (more: object) =>
      world.edna.post('/rest/proposal/decide', { decision: 'accept', proposals: wanted, ...more })
    const preview = (await decide({ dry_run: true })).body
    assert.deepEqual(
      [preview.decided.map((it) => it.bug_id), preview.refused.map((it) => [it.id, it.reason])],
      [[bugs[2], bugs[0]], [[proposals[1]?.id, 'proposal_outdated']]],
    )
    assert.equal((await readBug(world.edna, bugs[0] as number)).priority, '---')
    const done = (await decide({})).body
    assert.deepEqual([done.decided.length, done.refused.length, done.dry_run], [2, 1, false])
    const declined = (await decide({ decision: 'decline', note: 'Too late' })).body
    assert.deepEqual([declined.decided.map((it) => it.id), declined.refused.length], [[proposals[1]?.id], 2])
    for (const wrong of [
      { decision: 'both' },
      { proposals: 'x' },
      { proposals: [{ id: 'x' }] },
      { note: 'x'.repeat(1001) },
    ])
      assert.equal((await decide(wrong)).status, 400)
    const many = Array.from({ length: 51 }, () => wanted[0])
    assertRefused(await decide({ proposals: many }), 400, 53)
  })
})

describeTogether('What is accepted is what was shown', (world) => {
  it('or nothing: what the value was changed to since is shown, and never overwritten', async () => {
    const { robot } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const proposal = await proposeChange(robot, bug, {
      priority: 'High',
      severity: 'critical',
      cc: { add: [cast.ada.login, cast.stan.login] },
    })
    await changeBug(world.edna, bug, { priority: 'Low', cc: { add: [cast.ada.login, cast.rhea.login] } })
    const { proposal: seen } = (await world.edna.get(`/rest/proposal/${proposal.id}`)).body
    assert.deepEqual(
      seen.rows.map(({ name, is_outdated, changes }) => [name, is_outdated, changes[0]?.now]),
      [
        ['priority', true, 'Low'],
        ['severity', false, undefined],
        ['cc', true, cast.ada.login],
      ],
    )
    assert.deepEqual([seen.status, seen.can_accept], ['open', true])
    const refused = await accept(world.edna, proposal)
    assertRefused(refused, 409, 32000)
    assert.deepEqual([refused.body.reason, refused.body.field], ['proposal_outdated', 'priority'])
    assertRefused(await accept(world.edna, proposal, { rows: ['severity', 'cc'] }), 409, 32000)
    assert.equal((await readBug(world.edna, bug)).severity, 'normal')
    await accepted(world.edna, proposal, { rows: ['severity'] })
    const now = (await world.edna.get(`/rest/proposal/${proposal.id}`)).body.proposal
    assert.deepEqual([now.status, now.can_accept, now.can_decline], ['outdated', false, true])
    // Others may be on the list: only what the row adds or takes matters.
    const kept = await proposeChange(robot, bug, { cc: { add: [cast.stan.login] } })
    await changeBug(world.edna, bug, { cc: { remove: [cast.rhea.login] } })
    await accepted(world.edna, kept)
  })

  it('or nothing: another digest, hidden rows and names of rows that are not there are refused', async () => {
    const { robot } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const [proposal, other] = [
      await proposeChange(robot, bug, { priority: 'High' }),
      await proposeChange(robot, bug, { priority: 'High' }),
    ]
    for (const digest of [other.digest, proposal.digest.toUpperCase(), `${proposal.digest} `, '*'])
      assertRefused(await accept(world.edna, { ...proposal, digest }), 412, 32000)
    assertRefused(await world.edna.post(`/rest/proposal/${proposal.id}/accept`, {}), 400, 50)
    for (const rows of [['severity'], ['__proto__'], ['constructor'], ['priority', 'x']])
      assertRefused(await accept(world.edna, proposal, { rows }), 400, 53)
    // Whoever could write to the database could change what is stored: it is not what was shown any more.
    const lines = JSON.stringify([{ field: 'priority', removed: '---', added: 'Low' }])
    const change = (column: 'lines' | 'params', text: string) =>
      world.db.query((q) =>
        q
          .updateTable('proposal_rows')
          .set({ [column]: text })
          .where('proposal_id', '=', proposal.id),
      )
    const before = JSON.stringify([{ field: 'priority', removed: '---', added: 'High' }])
    await change('lines', lines)
    assertRefused(await accept(world.edna, proposal), 412, 32000)
    await change('lines', before)
    for (const params of [
      { priority: 'Low' },
      { priority: 'High', severity: 'critical' },
      { priority: 'High', cc: { add: [cast.stan.login] } },
    ]) {
      await change('params', JSON.stringify(params))
      const refused = await accept(world.edna, proposal)
      assertRefused(refused, 409, 32000)
      assert.equal(refused.body.reason, 'proposal_differs')
    }
    assert.deepEqual(await historyOf(world, bug), [])
  })

  itOnOneEngine(world, 'or nothing: without a row nothing is decided, and no change is counted', async () => {
    const { robot } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const proposal = await proposeChange(robot, bug, { priority: 'High', severity: 'critical' })
    assertRefused(await accept(world.edna, proposal, { rows: [] }), 400, 53)
    assertRefused(await world.edna.post(`/rest/proposal/${proposal.id}/decline`, { rows: [] }), 400, 53)
    assert.equal(await statusOf(world, proposal), 'open')
  })

  itOnOneEngine(world, 'to the character: a comment is shown as it is stored', async () => {
    const { robot } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const text = '\u200b  one  \r\n\r\ttwo \r\n \u00a0\n'
    for (const proposal of [
      await proposeNew(robot, `/rest/bug/${bug}/comment`, { comment: text }),
      await proposeChange(robot, bug, { comment: { body: text } }),
      await proposeNew(robot, '/rest/bug', newBug({ description: text })),
      await proposeNew(robot, `/rest/bug/${bug}/attachment`, newFile({ comment: text })),
    ]) {
      const lines = proposal.rows.flatMap(({ changes }) => changes)
      const shown = lines.find(({ field_name }) => field_name === 'comment')?.added
      assert.equal(shown, '\u200b  one  \n\n\ttwo')
      const { bug_id } = await accepted(world.edna, proposal)
      const stored = (await readComments(world.edna, bug_id ?? 0)).at(-1)?.text ?? ''
      assert.equal(stored.split('\n\n').slice(-2).join('\n\n'), shown, stored)
    }
  })

  itOnOneEngine(world, 'with the hours that are left after hours of work', async () => {
    const { robot } = await newProposer(world, 'editbugs', 'security')
    await world.withParameters({ timetrackinggroup: 'security' }, async () => {
      const bug = await fileBug(world.sven, { estimated_time: 5 })
      const worked = { comment: 'Done', work_time: 3 }
      const [one, two] = [
        await proposeNew(robot, `/rest/bug/${bug}/comment`, worked),
        await proposeNew(robot, `/rest/bug/${bug}/comment`, worked),
      ]
      assert.deepEqual(rowsOf(one).at(-1)?.slice(1).sort(), ['remaining_time: 5.00 → 2', 'work_time:  → 3.00'])
      await accepted(world.sven, one)
      assert.equal((await readBug(world.sven, bug)).remaining_time, 2)
      const refused = await accept(world.sven, two)
      assert.deepEqual([refused.status, refused.body.field], [409, 'remaining_time'])
    })
  })

  itOnOneEngine(world, 'with the number of the comment whose privacy changes', async () => {
    const { robot } = await newProposer(world, 'editbugs', 'security')
    await world.withParameters({ insidergroup: 'security' }, async () => {
      const bug = await fileBug(world.edna)
      const { body } = await world.edna.post(`/rest/bug/${bug}/comment`, { comment: 'A name' })
      const { rows } = await proposeChange(robot, bug, { comment_is_private: { [body.id]: true } })
      const [line] = rows[0]?.changes ?? []
      assert.deepEqual([line?.field_name, line?.comment_id, line?.comment_number], ['longdescs.isprivate', body.id, 1])
    })
  })

  itOnOneEngine(world, 'or nothing: rows that only work together are accepted together', async () => {
    const { robot } = await newProposer(world, 'editbugs')
    const flag = await newType(world, { name: world.unique('ask'), target_type: 'bug', inclusions: ['TestProduct'] })
    const bug = await fileBug(world.edna)
    const flags = [{ name: flag.name, status: '?', requestee: cast.stan.login, new: true }]
    const proposal = await proposeChange(robot, bug, { cc: { add: [cast.rhea.login] }, flags })
    const half = await accept(world.edna, proposal, { rows: ['flags'] })
    assertRefused(half, 409, 32000)
    assert.deepEqual([half.body.reason, half.body.values.fields], ['proposal_differs', ['cc']])
    await accepted(world.edna, proposal)
    const { cc } = await readBug(world.edna, bug)
    assert.deepEqual(cc.sort(), [cast.rhea.login, cast.stan.login])
  })

  itOnOneEngine(
    world,
    'also of a new bug: defaults that have changed since do not take the place of what was shown',
    async () => {
      const { name: product } = await newProduct(world)
      const { robot } = await newProposer(world, 'editbugs')
      const bug = { product, component: 'Core', summary: 'New', version: '1.0' }
      const [one, two] = [await proposeNew(robot, '/rest/bug', bug), await proposeNew(robot, '/rest/bug', bug)]
      const change = (defaults: object) => world.ada.put(`/rest/component/${product}/Core`, defaults)
      assert.equal((await change({ default_assignee: cast.stan.login })).status, 200)
      const { bug_id } = await accepted(world.edna, one)
      assert.equal((await readBug(world.edna, bug_id)).assigned_to, cast.ada.login)
      assert.equal((await change({ default_cc: [cast.rhea.login] })).status, 200)
      const refused = await accept(world.edna, two)
      assertRefused(refused, 409, 32000)
      assert.deepEqual(refused.body.values.fields, ['cc'])
    },
  )

  itOnOneEngine(world, 'also where a field is added, renamed or removed meanwhile', async () => {
    const { robot } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const name = `cf_${world.unique('later')}`
    const [sent] = proposedBy(await robot.put(`/rest/bug/${bug}`, { priority: 'High', [name]: 'planted' })) as [
      Proposal,
    ]
    const field = { name, display_name: 'Later', type: 1 }
    assert.equal((await world.ada.post('/rest/field/bug', field)).status, 201)
    await accepted(world.edna, sent)
    assert.equal((await world.edna.get(`/rest/bug/${bug}?include_fields=_all`)).text.includes('planted'), false)
    const set = await proposeChange(robot, bug, { [name]: 'text' })
    assert.equal((await world.ada.put(`/rest/field/bug/${name}`, { is_obsolete: true })).status, 200)
    assert.ok((await accept(world.edna, set)).status >= 400)
  })

  itOnOneEngine(world, 'also where a user or a value takes the name of another one', async () => {
    const { robot } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const [first, second] = [await world.newUser(), await world.newUser()]
    const proposal = await proposeChange(robot, bug, { assigned_to: first.login })
    const rename = (user: { id: number }, email: string) => world.ada.put(`/rest/user/${user.id}`, { email })
    await rename(first, `${world.unique('gone')}@lacewing.test`)
    assertRefused(await accept(world.edna, proposal), 404, 51)
    await rename(second, first.login)
    // The reader sees the login name, and that is who gets the bug.
    await accepted(world.edna, proposal)
    assert.equal((await readBug(world.edna, bug)).assigned_to, first.login)
  })
})

describeTogether('A proposal ends', (world) => {
  itOnOneEngine(world, 'with its key', async () => {
    const { robot, client, key } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const proposal = await proposeChange(robot, bug, { priority: 'High', comment: { body: 'x' } })
    assert.deepEqual(await openOn(world, bug), [proposal.id])
    assert.equal((await client.delete(key.path)).status, 200)
    assert.equal(await statusOf(world, proposal), 'ended')
    assert.deepEqual(await openOn(world, bug), [])
    assertRefused(await accept(world.edna, proposal), 409, 32000)
    const [row] = await world.db.query((q) =>
      q.selectFrom('proposal_rows').select('params').where('proposal_id', '=', proposal.id),
    )
    assert.equal(row?.params, '{}')
  })

  itOnOneEngine(world, 'when its author is disabled, and goes on when they are not any more', async () => {
    const { robot, id } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const proposal = await proposeChange(robot, bug, { priority: 'High' })
    const deny = (text: string) => world.ada.put(`/rest/user/${id}`, { login_denied_text: text })
    await deny('Gone')
    assert.equal(await statusOf(world, proposal), 'ended')
    assertRefused(await accept(world.edna, proposal), 409, 32000)
    await deny('')
    assert.equal(await statusOf(world, proposal), 'open')
    await accepted(world.edna, proposal)
  })

  itOnOneEngine(
    world,
    'when its key has expired, also the access of a program; one that is renewed goes on',
    async () => {
      const { robot, key, id } = await newProposer(world, 'editbugs')
      const bug = await fileBug(world.edna)
      const [proposal, other] = [
        await proposeChange(robot, bug, { priority: 'High' }),
        await proposeNew(robot, '/rest/bug', newBug()),
      ]
      const end = (expires_at: string | null, grant_ends_at: string | null = null) =>
        world.db.query((q) => q.updateTable('api_keys').set({ expires_at, grant_ends_at }).where('id', '=', key.id))
      const { client } = await newMember(world, 'editbugs')
      for (const [access, renewable] of [
        [PAST, null],
        [PAST, PAST],
      ] as const) {
        await end(access, renewable)
        assert.deepEqual([await statusOf(world, proposal), await statusOf(world, other)], ['ended', 'ended'])
        assert.deepEqual(await openOn(world, bug), [])
        for (const it of [proposal, other]) {
          assertRefused(await accept(client, it, { dry_run: true }), 409, 32000)
          assertRefused(await accept(client, it), 409, 32000)
          assertRefused(await client.post(`/rest/proposal/${it.id}/decline`), 409, 32000)
        }
        const { body } = await world.ada.get(`/rest/user/${id}/api_key`)
        const { open, other: ended } = body.api_keys.find((it) => it.id === key.id)?.proposals ?? {}
        assert.deepEqual([open, ended], [0, 2])
      }
      // The secret of a program ends every hour, and its access goes on.
      await end(PAST, '2999-01-01T00:00:00Z')
      await accepted(client, proposal)
      await end(null)
      await accepted(client, other)
    },
  )

  itOnOneEngine(world, 'with its key that is there no more, and makes room when it has expired', async () => {
    const { robot, client, key, id } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const proposal = await proposeChange(robot, bug, { priority: 'High' })
    await world.db.query((q) => q.updateTable('api_keys').set({ expires_at: PAST }).where('id', '=', key.id))
    await world.withParameters({ proposals_open_per_account: 1 }, async () => {
      const { client: second } = await newKey(world, { id, client }, ['read', 'propose'])
      await proposeChange(second, bug, { priority: 'Low' })
    })
    const stored = await world.db.query((q) =>
      q
        .selectFrom('proposal_rows')
        .innerJoin('proposals', 'proposals.id', 'proposal_id')
        .select(['proposals.state', 'params'])
        .where('proposal_id', '=', proposal.id),
    )
    assert.deepEqual(stored, [{ state: 'ended', params: '{}' }])
    const left = await newKey(world, { id, client }, ['read', 'propose'])
    const orphan = await proposeChange(left.client, bug, { severity: 'critical' })
    await world.db.query((q) => q.deleteFrom('api_keys').where('id', '=', left.id))
    assertRefused(await accept(world.edna, orphan), 409, 32000)
  })

  itOnOneEngine(world, 'when its author does not see the bug any more', async () => {
    const { robot, client } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const proposal = await proposeChange(robot, bug, { priority: 'High' })
    await world.ada.put('/rest/product/TestProduct/group_control/security', {
      membercontrol: 'Shown',
      othercontrol: 'Shown',
    })
    await changeBug(world.sven, bug, { groups: { add: ['security'] } })
    assertRefused(await client.get(`/rest/proposal/${proposal.id}`), 404, 51)
    assertRefused(await robot.delete(`/rest/proposal/${proposal.id}`), 404, 51)
    const tried = await accept(world.sven, proposal, { dry_run: true })
    assertRefused(tried, 409, 32000)
    assertRefused(await accept(world.sven, proposal), 409, 32000)
    await changeBug(world.sven, bug, { groups: { remove: ['security'] } })
    assert.equal(await statusOf(world, proposal), 'ended')
  })

  itOnOneEngine(world, 'when its bug is moved, and is gone when it is deleted', async () => {
    const { name: product } = await newProduct(world)
    const { robot } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const proposal = await proposeChange(robot, bug, { priority: 'High', comment: { body: 'x' } })
    await changeBug(world.edna, bug, { product, component: 'Core', version: '1.0' })
    assert.equal(await statusOf(world, proposal), 'outdated')
    assertRefused(await accept(world.edna, proposal), 409, 32000)
    await world.withParameters({ allowbugdeletion: 1 }, async () => {
      const { status, text } = await world.ada.delete(`/rest/bug/${bug}?reason=x`)
      assert.equal(status, 200, text)
    })
    assertRefused(await world.ada.get(`/rest/proposal/${proposal.id}`), 404, 51)
    const left = await world.db.query((q) =>
      q.selectFrom('proposal_rows').select('id').where('proposal_id', '=', proposal.id),
    )
    assert.deepEqual(left, [])
  })

  itOnOneEngine(world, 'or waits, when its product is closed', async () => {
    const { name: product } = await newProduct(world)
    const { robot } = await newProposer(world)
    const filed = await proposeNew(robot, '/rest/bug', { product, component: 'Core', summary: 'New', version: '1.0' })
    const close = (is_open: boolean) => world.ada.put(`/rest/product/${product}`, { is_open })
    await close(false)
    assertRefused(await accept(world.edna, filed), 401, 106)
    assert.equal(await statusOf(world, filed), 'open')
    await close(true)
    await accepted(world.edna, filed)
  })

  itOnOneEngine(world, 'when its author was anonymised, whose name goes from others', async () => {
    const [author, named] = [await newProposer(world, 'editbugs'), await newProposer(world, 'editbugs')]
    const bug = await fileBug(world.edna)
    const own = await proposeChange(author.robot, bug, { priority: 'High' })
    const done = await proposeChange(author.robot, bug, { severity: 'critical' })
    await accepted(world.edna, done)
    const about = await proposeChange(named.robot, bug, { assigned_to: author.login, comment: { body: author.login } })
    const { status, text } = await world.ada.post(`/rest/user/${author.id}/anonymise`)
    assert.equal(status, 201, text)
    assertRefused(await world.edna.get(`/rest/proposal/${own.id}`), 404, 51)
    const { body } = await world.edna.get(`/rest/proposal/${done.id}`)
    assert.equal(body.proposal.author, `former-user-${author.id}`)
    const seen = (await world.edna.get(`/rest/proposal/${about.id}`)).body.proposal
    assert.equal(seen.rows[0]?.changes[0]?.added, `former-user-${author.id}`)
    assertRefused(await accept(world.edna, about), 412, 32000)
  })

  itOnOneEngine(world, 'by hiding what its author wrote, and comes back when that is restored', async () => {
    const { robot, client, id } = await newProposer(world)
    const bug = await fileBug(world.edna)
    const proposal = await proposeNew(robot, `/rest/bug/${bug}/comment`, { comment: 'Buy now' })
    const hide = await world.ada.post(`/rest/user/${id}/activity/hide`, { days: 1 })
    assert.equal(hide.status, 201, hide.text)
    for (const reader of [world.edna, client]) assertRefused(await reader.get(`/rest/proposal/${proposal.id}`), 404, 51)
    assert.equal((await world.ada.get(`/rest/proposal/${proposal.id}`)).body.proposal.status, 'hidden')
    assertRefused(await accept(world.ada, proposal), 409, 32000)
    const restore = await world.ada.post(`/rest/user/${id}/activity/restore`, { id: hide.body.id })
    assert.equal(restore.status, 201, restore.text)
    await accepted(world.edna, proposal)
  })
})

describeTogether('Two who decide at once', (world) => {
  it('make the change once', async () => {
    const { robot } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const proposal = await proposeChange(robot, bug, { priority: 'High', comment: { body: 'Once' } })
    const replies = await beforeCommit(
      world,
      'bug_changes',
      () => accept(world.edna, proposal),
      () => accept(world.sven, proposal),
    )
    assert.deepEqual(outcomesOf(replies), [32000, 'done'])
    assert.equal((await historyOf(world, bug)).length, 1)
    const filed = await proposeNew(robot, '/rest/bug', newBug({ summary: world.unique('Unique') }))
    const both = await beforeCommit(
      world,
      'bugs',
      () => accept(world.edna, filed),
      () => accept(world.sven, filed),
    )
    assert.deepEqual(outcomesOf(both), [32000, 'done'])
    const found = await world.edna.get(`/rest/bug?summary=${filed.rows[0]?.changes[0]?.added}`)
    assert.equal(found.body.bugs.length, 1)
  })

  it('or one declines, or its author withdraws it, or revokes the key', async () => {
    const { robot, client, key } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const enders: ((proposal: Proposal) => Promise<Reply<unknown>>)[] = [
      ({ id }: Proposal) => world.sven.post(`/rest/proposal/${id}/decline`),
      ({ id }: Proposal) => robot.delete(`/rest/proposal/${id}`),
      () => client.delete(key.path),
    ]
    for (const [place, end] of enders.entries()) {
      const proposal = await proposeChange(robot, bug, { whiteboard: `changed ${place}` })
      const [taken, other] = await beforeCommit(
        world,
        'bug_changes',
        () => accept(world.edna, proposal),
        () => end(proposal),
      )
      const isTaken = taken.status === 200
      assert.equal((await readBug(world.edna, bug)).whiteboard === `changed ${place}`, isTaken)
      // Whoever comes second is refused; the key is revoked in any case.
      assert.equal(other.status === 200, place === 2 || !isTaken, other.text)
      assert.equal(await statusOf(world, proposal), isTaken ? 'accepted' : ['declined', 'withdrawn', 'ended'][place])
    }
  })

  it('of whom one changes the bug', async () => {
    const { robot } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const proposal = await proposeChange(robot, bug, { priority: 'High' })
    const [changed, taken] = await beforeCommit(
      world,
      'bug_changes',
      () => world.sven.put(`/rest/bug/${bug}`, { priority: 'Low' }),
      () => accept(world.edna, proposal),
    )
    const { priority } = await readBug(world.edna, bug)
    assert.equal(changed.status, 200)
    assert.deepEqual([taken.status, priority], taken.status === 200 ? [200, 'Low'] : [409, 'Low'])
    const second = await proposeChange(robot, bug, { severity: 'critical' })
    const late = await changedMeanwhile(
      world,
      () => accept(world.edna, second),
      () => changeBug(world.sven, bug, { severity: 'minor' }),
    )
    assertRefused(late, 409, 32000)
    assert.equal((await readBug(world.edna, bug)).severity, 'minor')
  })

  it('when it expires, or when their rights end, after the request has begun', async () => {
    const { robot } = await newProposer(world, 'editbugs')
    const decider = await newMember(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const proposal = await proposeChange(robot, bug, { priority: 'High' })
    const setEnd = (expires_at: string) =>
      world.db.query((q) => q.updateTable('proposals').set({ expires_at }).where('id', '=', proposal.id))
    assertRefused(
      await changedMeanwhile(
        world,
        () => accept(decider.client, proposal),
        () => setEnd(PAST),
      ),
      409,
      32000,
    )
    await setEnd(proposal.expires_at)
    const remove = () => world.ada.put(`/rest/user/${decider.id}`, { login_denied_text: 'Gone' })
    assertRefused(await changedMeanwhile(world, () => accept(decider.client, proposal), remove), 401, 301)
    assert.deepEqual(await historyOf(world, bug), [])
  })

  itOnce(world, 'in calls that are sent again after their response was lost', async () => {
    const { robot } = await newProposer(world, 'editbugs')
    const bug = await fileBug(world.edna)
    const proposal = await proposeNew(robot, `/rest/bug/${bug}/comment`, { comment: 'Once' })
    const headers = { 'Idempotency-Key': world.unique('once') }
    const send = () => world.edna.post(`/rest/proposal/${proposal.id}/accept`, { digest: proposal.digest }, headers)
    assert.deepEqual([(await send()).status, (await send()).status], [200, 200])
    const { body } = await world.edna.get(`/rest/bug/${bug}/comment`)
    assert.equal(body.bugs[`${bug}`]?.comments.filter(({ text }) => text === 'Once').length, 1)
  })
})
