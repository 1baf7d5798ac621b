import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cast } from '../support/cast.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { McpClient } from '../support/mcp-client.ts'
import { castInPages, OAuthProgram } from '../support/oauth.ts'
import { accept, accepted, statusOf } from '../support/proposals.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnSqlite, type World } from '../support/world.ts'

/** The access of a program, and of a key, both of which may read and propose for the same user. */
const WAYS: Readonly<Record<string, (world: World) => Promise<string>>> = {
  async 'an API key'(world) {
    const { id } = (await world.edna.get('/rest/whoami')).body
    const { body } = await world.edna.post(`/rest/user/${id}/api_key`, {
      description: 'Agent',
      scopes: ['read', 'propose'],
    })
    return body.api_key
  },
  async OAuth(world) {
    const program = await OAuthProgram.register(world)
    const request = { scope: 'read propose', chosen_scope: 'propose' }
    const { scope, access_token } = await program.accessOf(await castInPages(world, 'edna'), request)
    assert.equal(scope, 'read propose')
    return access_token
  },
}

async function everythingOf(world: World, bug: number) {
  const [comments, attachments, bugs] = [
    await world.ada.get(`/rest/bug/${bug}/comment`),
    await world.ada.get(`/rest/bug/${bug}/attachment`),
    await world.ada.get('/rest/bug?product=TestProduct&include_fields=id,last_change_time'),
  ]
  return [await readBug(world.ada, bug), comments.text, attachments.text, bugs.text]
}

describeOnSqlite('MCP with an access that may only propose', (world) => {
  for (const [way, accessOf] of Object.entries(WAYS))
    it(`stores each write as a proposal and says so: ${way}`, async () => {
      const agent = await McpClient.connect(world, await accessOf(world))
      const bug = await fileBug(world.edna, { summary: 'Proposed by an agent' })
      const before = await everythingOf(world, bug)
      const { tools } = await agent.sdk.listTools()
      assert.equal(tools.length, 10)
      const change = { bug, changes: { priority: 'High' }, comment: 'Three reports' }
      const tried = await agent.call('change_bug', change)
      assert.deepEqual(
        [tried.structured.is_done, tried.structured.proposal, tried.data.changes.priority.added],
        [false, undefined, 'High'],
      )
      const { confirm } = tried.structured
      const added = { product: 'TestProduct', component: 'TestComponent', summary: 'Filed', description: 'd' }
      const answers = [
        await agent.call('change_bug', { ...change, confirm, reason: 'Because of the reports' }),
        await agent.call('file_bug', { ...added, reason: 'Because nobody has filed it' }),
        await agent.call('add_comment', { bug, comment: 'Also here', reason: 'Because it is' }),
        await agent.call('attach_file', { bug, file_name: 'a.txt', summary: 's', text: 'x', reason: 'Because of x' }),
      ]
      for (const { text, structured, data, isError } of answers) {
        assert.equal(isError, false, text)
        assert.match(text, /^Stored as proposal \d+, not done yet: a person must accept it\.\n/)
        assert.deepEqual([structured.is_done, structured.proposal], [false, data.proposal.id])
        assert.match(data.proposal.reason, /^Because /)
      }
      assert.deepEqual(
        answers.map(({ data }) => data.proposal.kind),
        ['change', 'bug', 'comment', 'attachment'],
      )
      assert.deepEqual(await everythingOf(world, bug), before)
      // The bug is as it was tried until somebody accepts, and not after that.
      await accepted(world.sven, answers[0]?.data.proposal)
      const late = await agent.call('change_bug', { ...change, confirm })
      assert.ok(late.isError && late.data.message.includes('was changed since'), late.text)
      const wrong = await agent.call('change_bug', { bug, changes: { proposal_reason: 'x' } })
      assert.ok(wrong.isError && wrong.text.startsWith('Wrong arguments'), wrong.text)
      await agent.close()
    })

  it('sends the reason of nothing that it writes', async () => {
    const agent = await McpClient.connect(world, cast.edna.apiKey)
    const bug = await fileBug(world.edna)
    const { structured, data } = await agent.call('add_comment', { bug, comment: 'Written', reason: 'Because' })
    assert.deepEqual([structured.is_done, typeof data.id], [true, 'number'])
    await agent.close()
  })

  it('ends what it has proposed with the access: revoked, replayed, or with its program', async () => {
    const session = await castInPages(world, 'edna')
    const bug = await fileBug(world.edna)
    const request = { scope: 'propose', chosen_scope: 'propose' }
    const enders: ((program: OAuthProgram, tokens: Record<string, string>) => Promise<unknown>)[] = [
      (program, { access_token: token = '' }) => program.token({ token }, '/oauth/revoke'),
      async (program, { refresh_token: token = '' }) => {
        await program.refresh(token)
        await program.refresh(token)
      },
      async (program) => {
        const { body } = await world.ada.get('/rest/oauth_client')
        const { id } = body.clients.find(({ client_id }) => client_id === program.id) ?? {}
        assert.equal((await world.ada.delete(`/rest/oauth_client/${id}`)).status, 200)
      },
    ]
    for (const end of enders) {
      const program = await OAuthProgram.register(world)
      const tokens = await program.accessOf(session, request)
      const agent = await McpClient.connect(world, tokens.access_token)
      const { proposal } = await agent.data('add_comment', { bug, comment: 'Still here?' })
      await agent.close()
      await end(program, tokens)
      assert.equal(await statusOf(world, proposal), 'ended')
      assertRefused(await accept(world.sven, proposal), 409, 32000)
    }
  })
})
